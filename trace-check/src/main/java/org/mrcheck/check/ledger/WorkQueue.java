package org.mrcheck.check.ledger;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import org.mrcheck.lang.trace.MemoryKey;

/**
 * Work requests posted to one queue and not completed, in order. Mutable. At most {@link
 * QueuePairFacts#REMEMBERED_WORK_REQUESTS} are kept, oldest forgotten first.
 */
final class WorkQueue {
  /**
   * One of them.
   *
   * @param signaled whether its success is to be reported
   * @param invalidates the key that a local invalidate names
   */
  record Entry(long wr, boolean signaled, Optional<MemoryKey> invalidates) {}

  private final ArrayDeque<Entry> entries = new ArrayDeque<>();
  private int signaled;
  private boolean forgot;

  /** Whether entries were pushed out, so that what is not here may have been. */
  boolean hasForgotten() {
    return forgot;
  }

  void add(Entry entry) {
    entries.add(entry);
    signaled += entry.signaled() ? 1 : 0;
    if (entries.size() > QueuePairFacts.REMEMBERED_WORK_REQUESTS) {
      signaled -= entries.remove().signaled() ? 1 : 0;
      forgot = true;
    }
  }

  void addAll(WorkQueue other) {
    other.entries.forEach(this::add);
    forgot |= other.forgot;
  }

  void clear() {
    entries.clear();
    signaled = 0;
    forgot = false;
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** The entry that has waited longest under that identifier. */
  Optional<Entry> find(long wr) {
    for (Entry entry : entries) {
      if (entry.wr() == wr) {
        return Optional.of(entry);
      }
    }
    return Optional.empty();
  }

  /** How many stand before the work request; 0 if it does not stand here. */
  int before(long wr) {
    int before = 0;
    for (Entry entry : entries) {
      if (entry.wr() == wr) {
        return before;
      }
      before++;
    }
    return 0;
  }

  /** Whether those before the work request report no success. */
  boolean isSilentBefore(long wr) {
    boolean silent = true;
    for (Entry entry : entries) {
      if (entry.wr() == wr) {
        return silent;
      }
      silent &= !entry.signaled();
    }
    return true;
  }

  /** Whether none is left that reports success. */
  boolean isSettled() {
    return signaled == 0;
  }

  /** Whether none is left that reports success once the work request and those before it went. */
  boolean isSettledAfter(long wr) {
    int left = signaled;
    for (Entry entry : entries) {
      left -= entry.signaled() ? 1 : 0;
      if (entry.wr() == wr) {
        return left == 0;
      }
    }
    return isSettled();
  }

  /** Takes the work request and those before it away, if it stands here. */
  void retire(long wr) {
    if (find(wr).isEmpty()) {
      return;
    }
    while (true) {
      Entry entry = entries.remove();
      signaled -= entry.signaled() ? 1 : 0;
      if (entry.wr() == wr) {
        return;
      }
    }
  }

  /** Takes only the work request away, if it stands here. */
  void remove(long wr) {
    for (Iterator<Entry> rest = entries.iterator(); rest.hasNext(); ) {
      Entry entry = rest.next();
      if (entry.wr() == wr) {
        signaled -= entry.signaled() ? 1 : 0;
        rest.remove();
        return;
      }
    }
  }
}
