package org.mrcheck.rnic;

import java.util.ArrayDeque;
import java.util.Optional;
import org.mrcheck.lang.trace.Actor;

/**
 * Receive requests that several queue pairs of one protection domain share, as {@code
 * ibv_create_srq} makes. Each message takes the oldest. Requests are not flushed when a queue pair
 * goes to ERR (L134). Safe for several threads.
 */
public final class SharedReceiveQueue {
  private final ProtectionDomain pd;
  private final long number;

  // Guarded by requests.
  private final ArrayDeque<ReceiveRequest> requests = new ArrayDeque<>();
  private int limit;

  SharedReceiveQueue(ProtectionDomain pd, long number) {
    this.pd = pd;
    this.number = number;
  }

  /** The protection domain that its requests' keys belong to (row C21). */
  public ProtectionDomain pd() {
    return pd;
  }

  /** Its number on the device, from 1, never reused. */
  public long number() {
    return number;
  }

  /** Posts a request. */
  public void post(ReceiveRequest request) {
    SoftRnic device = pd.device();
    synchronized (requests) {
      device.trace().srqPost(device.caller(), number, request);
      requests.add(request);
    }
  }

  /**
   * Asks for one {@link AsyncEventType#SRQ_LIMIT_REACHED} when there are fewer requests than that.
   *
   * @param requests 0 for never
   */
  public void arm(int requests) {
    if (requests < 0) {
      throw new IllegalArgumentException("requests=" + requests + " is negative");
    }
    synchronized (this.requests) {
      limit = requests;
    }
  }

  /** Requests that nobody took. */
  public int size() {
    synchronized (requests) {
      return requests.size();
    }
  }

  /** The oldest request for that queue pair, or null. */
  ReceiveRequest take(Actor actor, QueuePair qp) {
    ReceiveRequest request;
    boolean low = false;
    synchronized (requests) {
      request = requests.poll();
      if (request != null) {
        low = requests.size() < limit;
        if (low) {
          limit = 0;
        }
      }
    }
    if (low) {
      qp.device().raise(actor, Optional.empty(), AsyncEventType.SRQ_LIMIT_REACHED);
    }
    return request;
  }
}
