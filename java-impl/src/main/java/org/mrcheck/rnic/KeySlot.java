package org.mrcheck.rnic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One index of the key table: a word with a bit LIVE and a count of holders, and the entry that
 * LIVE is about. {@link KeyTable} says how they are used. On a cache line of the machine for
 * itself, so that checks of one index do not slow those of another.
 */
final class KeySlot extends TraceOrder {
  private static final long LIVE = 1L << 40;
  private static final long HOLDERS = 0xffff_ffffL;
  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(KeySlot.class, "word", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  @SuppressWarnings("unused")
  private long pad0;

  @SuppressWarnings("unused")
  private long pad1;

  @SuppressWarnings("unused")
  private long pad2;

  @SuppressWarnings("unused")
  private long pad3;

  @SuppressWarnings("unused")
  private long pad4;

  @SuppressWarnings("unused")
  private long pad5;

  private final int index;

  @SuppressWarnings("unused") // through WORD
  private volatile long word;

  /**
   * The entry of the newest holder of this index. Volatile because re-registration in place
   * replaces it under its readers; otherwise the word orders it.
   */
  private volatile KeyEntry entry;

  /** Where the newest registration of this index has its memory. */
  private volatile Translation translation;

  KeySlot(int order, int index) {
    super(order);
    this.index = index;
  }

  int index() {
    return index;
  }

  KeyEntry entry() {
    return entry;
  }

  Translation translation() {
    return translation;
  }

  void store(KeyEntry newEntry) {
    entry = newEntry;
  }

  void store(Translation newTranslation) {
    translation = newTranslation;
  }

  /** Takes a hold; whether the slot was LIVE at that moment. */
  boolean enter() {
    return ((long) WORD.getAndAdd(this, 1L) & LIVE) != 0;
  }

  void leave() {
    long before = (long) WORD.getAndAdd(this, -1L);
    assert (before & HOLDERS) != 0 : this + " left more often than entered";
  }

  boolean isLive() {
    return (word & LIVE) != 0;
  }

  boolean isHeld() {
    return (word & HOLDERS) != 0;
  }

  /** Sets LIVE, if it is clear and nobody holds the slot. */
  boolean publish() {
    long now = word;
    return (now & (LIVE | HOLDERS)) == 0 && WORD.compareAndSet(this, now, now | LIVE);
  }

  /** Sets LIVE whoever holds the slot. */
  void restore() {
    WORD.getAndBitwiseOr(this, LIVE);
  }

  /** Clears LIVE; whether it was set. */
  boolean invalidate() {
    return ((long) WORD.getAndBitwiseAnd(this, ~LIVE) & LIVE) != 0;
  }

  /** Clears LIVE if nobody holds the slot. */
  boolean invalidateIfIdle() {
    long now = word;
    return (now & LIVE) != 0 && (now & HOLDERS) == 0 && WORD.compareAndSet(this, now, now & ~LIVE);
  }

  @Override
  public String toString() {
    return "slot " + index;
  }
}
