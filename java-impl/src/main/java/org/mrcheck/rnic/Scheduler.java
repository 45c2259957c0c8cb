package org.mrcheck.rnic;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Who decides which thread goes on. The threads of devices and of workloads are started by it, wait
 * through it and read its clock.
 *
 * <p>Under {@link #free} the machine decides, and every switch point is a call that does nothing.
 * Another scheduler lets one thread run at a time, from one switch point to the next, so that the
 * whole run is its choice and can be made again.
 *
 * <p>A switch point must not stand inside a monitor or a lock: the thread that is let go on instead
 * would wait for it outside the scheduler's sight. What happens between two switch points of a
 * thread is one step.
 *
 * <p>Safe for several threads. Methods that wait are for threads that {@link #start} started and
 * for the one that made the scheduler.
 */
public interface Scheduler {
  /** The machine's own scheduling, without any control. */
  static Scheduler free() {
    return Free.INSTANCE;
  }

  /** Whether this is the machine's own scheduling. */
  boolean isFree();

  /** Nanoseconds on a clock that only goes forward; its origin means nothing. */
  long nanoTime();

  /** Starts a daemon thread of that name, unique among the threads of a run. */
  Thread start(String name, Runnable body);

  /** Waits until the thread has ended; an interruption is kept for later. */
  void join(Thread thread);

  /** Lets that many nanoseconds pass. */
  void sleep(long nanos);

  /**
   * A switch point before an access to an object that threads share.
   *
   * @param object what is accessed; its {@code toString} is the same in every run
   */
  void reach(SwitchPoint point, Object object);

  /**
   * A switch point at which the thread goes on when the condition holds, or when the time is over.
   *
   * @param object what the condition looks at; its {@code toString} is the same in every run
   * @param patienceNanos how long to wait at most; {@link Long#MAX_VALUE} for ever
   * @param ready the condition; it must change nothing
   * @return whether the condition holds
   */
  boolean await(SwitchPoint point, Object object, long patienceNanos, BooleanSupplier ready);

  /** The machine's own. */
  final class Free implements Scheduler {
    private static final Free INSTANCE = new Free();

    private Free() {}

    @Override
    public boolean isFree() {
      return true;
    }

    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public Thread start(String name, Runnable body) {
      Thread thread = new Thread(body, name);
      thread.setDaemon(true);
      thread.start();
      return thread;
    }

    @Override
    public void join(Thread thread) {
      SoftRnic.joinUninterruptibly(thread);
    }

    @Override
    public void sleep(long nanos) {
      long end = System.nanoTime() + nanos;
      long left = nanos;
      while (left > 0) {
        LockSupport.parkNanos(left);
        left = end - System.nanoTime();
      }
    }

    @Override
    public void reach(SwitchPoint point, Object object) {}

    @Override
    public boolean await(
        SwitchPoint point, Object object, long patienceNanos, BooleanSupplier ready) {
      long begin = System.nanoTime();
      for (int turn = 0; !ready.getAsBoolean(); turn++) {
        if (System.nanoTime() - begin >= patienceNanos) {
          return ready.getAsBoolean();
        }
        if (turn < 50) {
          Thread.onSpinWait();
        } else if (turn < 100) {
          Thread.yield();
        } else {
          LockSupport.parkNanos(20_000);
        }
      }
      return true;
    }
  }
}
