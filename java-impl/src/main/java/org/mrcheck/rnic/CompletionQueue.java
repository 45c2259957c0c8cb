package org.mrcheck.rnic;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.mrcheck.lang.trace.QueuePairId;

/**
 * Completions in the order in which the device produced them. Safe for several threads: taking a
 * completion and tracing {@code wc} are one step under the queue's lock, so the trace shows
 * completions in the order in which they were handed out. It holds as many completions as there are
 * work requests and never overflows.
 */
public final class CompletionQueue {
  private final SoftRnic device;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final ArrayDeque<WorkCompletion> completions = new ArrayDeque<>();

  CompletionQueue(SoftRnic device) {
    this.device = device;
  }

  /** The oldest completion, or empty if there is none now. */
  public Optional<WorkCompletion> poll() {
    lock.lock();
    try {
      return take();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The oldest completion, waiting for one for at most the given time.
   *
   * @throws InterruptedException if interrupted while waiting
   */
  public Optional<WorkCompletion> poll(Duration patience) throws InterruptedException {
    long left = patience.toNanos();
    lock.lockInterruptibly();
    try {
      while (completions.isEmpty() && left > 0) {
        device.requireAlive();
        long turn = Math.min(left, TimeUnit.SECONDS.toNanos(1));
        left = left - turn + arrived.awaitNanos(turn);
      }
      return take();
    } finally {
      lock.unlock();
    }
  }

  private Optional<WorkCompletion> take() {
    WorkCompletion completion = completions.poll();
    if (completion != null) {
      device.trace().wc(device.caller(), completion);
    }
    return Optional.ofNullable(completion);
  }

  void add(WorkCompletion completion) {
    lock.lock();
    try {
      completions.add(completion);
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Forgets what nobody polled of a queue pair that is being destroyed, as verbs do. */
  void discard(QueuePairId qp) {
    lock.lock();
    try {
      completions.removeIf(completion -> completion.qp().equals(qp));
    } finally {
      lock.unlock();
    }
  }
}
