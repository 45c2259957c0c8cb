package org.mrcheck.rnic;

import java.util.ArrayDeque;
import org.mrcheck.lang.trace.Actor;

/**
 * A queue pair's own receive requests, in order. Safe for several threads: {@code post} is traced
 * under the lock, so that the order of the events is that of the queue.
 */
final class ReceiveQueue {
  private final QueuePair qp;

  /** Guarded by itself. */
  private final ArrayDeque<ReceiveRequest> requests = new ArrayDeque<>();

  ReceiveQueue(QueuePair qp) {
    this.qp = qp;
  }

  void post(Actor poster, ReceiveRequest request) {
    synchronized (requests) {
      qp.device().trace().postReceive(poster, qp.id(), request);
      requests.add(request);
    }
  }

  /** The oldest request, or null. */
  ReceiveRequest take() {
    synchronized (requests) {
      return requests.poll();
    }
  }

  boolean isEmpty() {
    synchronized (requests) {
      return requests.isEmpty();
    }
  }

  void clear() {
    synchronized (requests) {
      requests.clear();
    }
  }
}
