package org.mrcheck.rnic;

import org.mrcheck.lang.trace.MemoryKey;

/**
 * A memory window: a part of a region under a key of its own, with rights of its own (rows W1, W2).
 * It is bound by a work request ({@link WorkRequest.BindMemoryWindow}). Safe for several threads.
 */
public final class MemoryWindow extends KeyHolder {
  /** The two kinds ({@code enum ibv_mw_type}). */
  public enum Type {
    /**
     * Any queue pair of the domain may use it. A bind takes the old key away, and one of length 0
     * leaves none. It cannot be invalidated by work requests.
     */
    TYPE_1,
    /**
     * Only the queue pair that bound it may use it. It must be free to be bound, and becomes free
     * by an invalidate.
     */
    TYPE_2
  }

  private final long number;
  private final ProtectionDomain pd;
  private final Type type;
  private final MemoryKey firstKey;

  /** Null before the first bind. */
  private volatile KeyEntry entry;

  MemoryWindow(
      KeyTable table, KeySlot slot, long number, ProtectionDomain pd, Type type, MemoryKey key) {
    super(table, slot, State.FREE);
    this.number = number;
    this.pd = pd;
    this.type = type;
    firstKey = key;
  }

  /** By the thread that has moved it to CHANGING: what it is from now on. */
  void begin(KeyEntry newEntry) {
    entry = newEntry;
  }

  /** Null before the first bind. */
  KeyEntry entry() {
    return entry;
  }

  /** Its number on the device, from 1, never reused. */
  public long number() {
    return number;
  }

  /** The protection domain it belongs to. */
  public ProtectionDomain pd() {
    return pd;
  }

  /** Which kind it is. */
  public Type type() {
    return type;
  }

  /** Its key, which is valid while it is bound; before the first bind one that never is. */
  public MemoryKey rkey() {
    KeyEntry now = entry;
    return now == null ? firstKey : now.rkey();
  }

  /**
   * The key for its next bind: the same index, and the next of the 256 tags, as {@code
   * ibv_inc_rkey} makes it (row K2).
   */
  public MemoryKey nextKey() {
    MemoryKey key = rkey();
    return MemoryKey.of(key.index(), key.tag() + 1 & 0xff);
  }

  /** Whether it is bound, as far as its owner knows. */
  public boolean isBound() {
    return state() == State.VALID;
  }

  /**
   * Deallocates it, as {@code ibv_dealloc_mw} does; its key becomes invalid first, and accesses
   * under way are waited for.
   *
   * @throws IllegalStateException if it was deallocated before, or a bind or invalidate is under
   *     way
   */
  public void deallocate() {
    boolean bound = move(State.VALID, State.CHANGING);
    if (!bound && !move(State.FREE, State.CHANGING)) {
      throw new IllegalStateException(this + " state=" + state() + " cannot be deallocated");
    }
    table().deallocate(table().device().caller(), this, bound);
  }

  @Override
  public String toString() {
    return "mw " + number;
  }
}
