package org.mrcheck.rnic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * An object whose trace events need an exact order although several threads trace them without a
 * common lock: a slot of the key table, a queue pair.
 *
 * <p>It hands out stamps: each is a time, later than the one before. An event carries its own stamp
 * and the one before it, so that whoever puts events in order sees at once whether one is missing.
 * The order of the stamps is the order in which {@link #stamp} took effect, which is its one
 * compare-and-set. Safe for several threads.
 */
class TraceOrder {
  private static final VarHandle LAST;

  static {
    try {
      LAST = MethodHandles.lookup().findVarHandle(TraceOrder.class, "last", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final int number;

  /** The newest stamp, or 0. */
  private volatile long last;

  /**
   * An object of the recording.
   *
   * @param number from {@link TraceRecording#nextOrder}
   */
  TraceOrder(int number) {
    this.number = number;
  }

  /** Which object of the recording this is, from 1. */
  final int number() {
    return number;
  }

  /** The newest stamp, or 0. */
  final long last() {
    return last;
  }

  /**
   * Makes the time, or a later one if it is not later than the stamp before, the newest stamp.
   *
   * @param before the newest stamp as {@link #last} said
   * @return the stamp, or 0 if another thread was faster
   */
  final long stamp(long before, long time) {
    long stamp = Math.max(time, before + 1);
    return LAST.compareAndSet(this, before, stamp) ? stamp : 0;
  }
}
