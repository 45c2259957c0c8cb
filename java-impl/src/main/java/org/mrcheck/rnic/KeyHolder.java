package org.mrcheck.rnic;

/**
 * What has an index of the key table: a memory region or a memory window. Its state says who may
 * change its entry: whoever moves it to CHANGING, until that thread moves it on. Safe for several
 * threads.
 */
abstract sealed class KeyHolder permits MemoryRegion, MemoryWindow {
  /** Where it is in its life. */
  enum State {
    /** It has an index and no valid key: a window not bound, a region for fast registration. */
    FREE,
    /** Its key is valid. */
    VALID,
    /** One thread is changing it. */
    CHANGING,
    /** It is gone. */
    GONE
  }

  private final KeyTable table;
  private final KeySlot slot;

  /** Guarded by this. */
  private State state;

  KeyHolder(KeyTable table, KeySlot slot, State state) {
    this.table = table;
    this.slot = slot;
    this.state = state;
  }

  KeyTable table() {
    return table;
  }

  KeySlot slot() {
    return slot;
  }

  synchronized State state() {
    return state;
  }

  /** Goes from one state to another; false if it is in neither. */
  synchronized boolean move(State from, State to) {
    if (state != from) {
      return false;
    }
    state = to;
    return true;
  }
}
