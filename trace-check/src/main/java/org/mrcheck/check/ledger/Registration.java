package org.mrcheck.check.ledger;

import java.util.Optional;
import java.util.OptionalLong;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.Stamp;

/**
 * A memory region or a memory window as its owner registered it. Immutable.
 *
 * @param kind region, or window of type 1 or 2
 * @param number the region's {@code mr} or the window's {@code mw}; never reused within a host
 * @param pd protection domain; a window has its region's, empty if that is not known
 * @param key rkey; {@link MemoryKey#NONE} for a region without remote rights
 * @param lkey local key; empty for a window
 * @param va first address, unsigned
 * @param length bytes, unsigned
 * @param rights its rights
 * @param qp the queue pair a type 2 window belongs to
 * @param label the owner's name for it
 * @param since the event that registered it
 */
public record Registration(
    Kind kind,
    long number,
    OptionalLong pd,
    MemoryKey key,
    Optional<MemoryKey> lkey,
    long va,
    long length,
    AccessFlags rights,
    Optional<QueuePairId> qp,
    Optional<String> label,
    Stamp since) {

  /** What was registered. */
  public enum Kind {
    REGION,
    WINDOW_1,
    WINDOW_2
  }

  /** Whether remote requests may name this by the key. */
  public boolean hasRemoteKey(MemoryKey candidate) {
    return !key.equals(MemoryKey.NONE) && key.equals(candidate);
  }

  /** Whether local accesses may name this by the key. */
  public boolean hasLocalKey(MemoryKey candidate) {
    return lkey.isPresent() && lkey.get().equals(candidate);
  }

  /** The same under other keys. */
  Registration withKeys(MemoryKey rkey, Optional<MemoryKey> localKey) {
    return new Registration(kind, number, pd, rkey, localKey, va, length, rights, qp, label, since);
  }

  /** For people: {@code mr 3 "A"}. */
  public String title() {
    String noun = kind == Kind.REGION ? "mr " : "mw ";
    return noun + Long.toUnsignedString(number) + label.map(name -> " \"" + name + '"').orElse("");
  }
}
