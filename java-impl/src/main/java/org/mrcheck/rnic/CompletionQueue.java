package org.mrcheck.rnic;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.WcStatus;

/**
 * Completions in the order in which the device produced them. Safe for several threads: taking a
 * completion and tracing {@code wc} are one step under the queue's lock, so the trace shows
 * completions in the order in which they were handed out. It holds as many completions as there are
 * work requests and never overflows.
 */
public final class CompletionQueue {
  private enum Armed {
    NO,
    SOLICITED,
    ANY
  }

  private final SoftRnic device;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Condition notified = lock.newCondition();

  // Guarded by lock.
  private final ArrayDeque<WorkCompletion> completions = new ArrayDeque<>();
  private Armed armed = Armed.NO;
  private int notifications;

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

  /**
   * Up to that many completions, the oldest first.
   *
   * @throws IllegalArgumentException if {@code most} is negative
   */
  public List<WorkCompletion> poll(int most) {
    if (most < 0) {
      throw new IllegalArgumentException("most=" + most + " is negative");
    }
    lock.lock();
    try {
      List<WorkCompletion> taken = new ArrayList<>();
      while (taken.size() < most && !completions.isEmpty()) {
        taken.add(take().orElseThrow());
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Asks to be told of the next completion, as {@code ibv_req_notify_cq} does: one event for each
   * request. Completions that are in the queue already give none, so poll once more after this.
   *
   * @param solicitedOnly of the next solicited one or the next error only
   */
  public void requestNotification(boolean solicitedOnly) {
    lock.lock();
    try {
      // Asking for any completion is the stronger request.
      armed = solicitedOnly && armed != Armed.ANY ? Armed.SOLICITED : Armed.ANY;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the event that was asked for, for at most the given time, as {@code ibv_get_cq_event}
   * does.
   *
   * @return whether there was one; it is used up
   * @throws InterruptedException if interrupted while waiting
   */
  public boolean awaitNotification(Duration patience) throws InterruptedException {
    long left = patience.toNanos();
    lock.lockInterruptibly();
    try {
      while (notifications == 0 && left > 0) {
        device.requireAlive();
        long turn = Math.min(left, TimeUnit.SECONDS.toNanos(1));
        left = left - turn + notified.awaitNanos(turn);
      }
      if (notifications == 0) {
        return false;
      }
      notifications--;
      return true;
    } finally {
      lock.unlock();
    }
  }

  void add(WorkCompletion completion, boolean solicited) {
    lock.lock();
    try {
      completions.add(completion);
      arrived.signal();
      boolean counts = solicited || completion.status() != WcStatus.SUCCESS;
      if (armed == Armed.ANY || armed == Armed.SOLICITED && counts) {
        armed = Armed.NO;
        notifications++;
        notified.signal();
      }
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
