package org.mrcheck.rnic;

import java.util.ArrayDeque;
import java.util.Iterator;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.RemoteAccess;

/**
 * What a responder remembers of the READs and atomics it took last, so that it can answer them
 * again (row R2). Of the engine's thread alone; an {@link Entry} is shared with the DMA stage.
 */
final class ReplayStore {
  /** A request. */
  static final class Entry {
    private final Opcode opcode;
    private final int firstPsn;
    private final int packets;
    private final RemoteAccess access;
    private final long compare;
    private final long swapOrAdd;

    /**
     * Where a READ found its memory when it was taken; null while it did not. Of the engine's
     * thread alone.
     */
    KeyTarget region;

    /** What an atomic operation found; written before {@code finished}. */
    private long original;

    private volatile boolean finished;

    Entry(
        Opcode opcode,
        int firstPsn,
        int packets,
        RemoteAccess access,
        long compare,
        long swapOrAdd) {
      this.opcode = opcode;
      this.firstPsn = firstPsn;
      this.packets = packets;
      this.access = access;
      this.compare = compare;
      this.swapOrAdd = swapOrAdd;
    }

    int firstPsn() {
      return firstPsn;
    }

    RemoteAccess access() {
      return access;
    }

    Opcode opcode() {
      return opcode;
    }

    boolean changes(long before) {
      return !opcode.equals(Opcode.RC_COMPARE_SWAP) || before == compare;
    }

    long result(long before) {
      return opcode.equals(Opcode.RC_COMPARE_SWAP) ? swapOrAdd : before + swapOrAdd;
    }

    void finish(long before) {
      original = before;
      finished = true;
    }

    long original() {
      return original;
    }

    private boolean covers(int psn) {
      int offset = Psn.distance(psn, firstPsn);
      return offset >= 0 && offset < packets;
    }
  }

  private final ArrayDeque<Entry> entries = new ArrayDeque<>();
  private final int capacity;

  ReplayStore(int capacity) {
    this.capacity = capacity;
  }

  /** Whether one more may be taken: not while as many as fit are still being answered. */
  boolean hasRoom() {
    return entries.size() < capacity || entries.peek().finished;
  }

  void add(Entry entry) {
    if (entries.size() == capacity) {
      entries.remove();
    }
    entries.add(entry);
  }

  /** The newest request whose PSNs include that one, or null. */
  Entry find(int psn) {
    for (Iterator<Entry> newest = entries.descendingIterator(); newest.hasNext(); ) {
      Entry entry = newest.next();
      if (entry.covers(psn)) {
        return entry;
      }
    }
    return null;
  }
}
