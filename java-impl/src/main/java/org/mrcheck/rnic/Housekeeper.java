package org.mrcheck.rnic;

import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.mrcheck.lang.trace.Actor;

/**
 * A thread of a device for what policies put off: invalidations after the return, batches, pages
 * that wait for their last user. It runs only where a policy needs it. Safe for several threads.
 */
final class Housekeeper {
  private static final long TURN_NANOS = 200_000;

  /** How long what is done "after the return" takes. */
  static final long SOON_NANOS = 1_000_000;

  /** How long a batch waits at most, and how many are enough for one. */
  static final long BATCH_NANOS = 5_000_000;

  static final int BATCH_SIZE = 16;

  private record Task(long due, long order, BooleanSupplier action) {}

  private final SoftRnic device;
  private final Actor actor;

  // Guarded by this.
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(
          (a, b) ->
              a.due() != b.due()
                  ? Long.compare(a.due(), b.due())
                  : Long.compare(a.order(), b.order()));
  private long lastOrder;

  private volatile boolean stopping;
  private Thread thread;

  Housekeeper(SoftRnic device) {
    this.device = device;
    actor = new Actor(device.host(), "housekeeper");
  }

  Actor actor() {
    return actor;
  }

  void start() {
    thread = device.scheduler().start(device.host() + "-housekeeper", this::run);
  }

  /** Stops; what was not done yet is not done. */
  void stop() {
    stopping = true;
    if (thread != null) {
      device.scheduler().join(thread);
    }
  }

  /** Does something once, after that time. */
  void after(long nanos, Runnable action) {
    retry(
        nanos,
        () -> {
          action.run();
          return true;
        });
  }

  /** Tries something after that time, and again until it says that it is done. */
  synchronized void retry(long nanos, BooleanSupplier action) {
    tasks.add(new Task(device.nanoTime() + nanos, ++lastOrder, action));
  }

  private void run() {
    try {
      while (!stopping) {
        device.scheduler().sleep(TURN_NANOS);
        for (Task task : due()) {
          if (!task.action().getAsBoolean()) {
            retry(TURN_NANOS, task.action());
          }
        }
      }
    } catch (RuntimeException | Error problem) {
      device.fail(problem);
    }
  }

  private synchronized ArrayDeque<Task> due() {
    ArrayDeque<Task> due = new ArrayDeque<>();
    long now = device.nanoTime();
    while (!tasks.isEmpty() && tasks.peek().due() - now <= 0) {
      due.add(tasks.remove());
    }
    return due;
  }
}
