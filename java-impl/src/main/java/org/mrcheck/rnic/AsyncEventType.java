package org.mrcheck.rnic;

import org.mrcheck.lang.trace.Syndrome;

/** Asynchronous events that a device raises, by rdma-core's names ({@code ibv_event_type}). */
public enum AsyncEventType {
  /** The queue pair went to ERR for a fault of its own. */
  QP_FATAL,
  /** It refused an invalid request. */
  QP_REQ_ERR,
  /** It refused a request for its key (row E6). */
  QP_ACCESS_ERR,
  /** The first packet arrived while it was in RTR. */
  COMM_EST,
  /** Everything that was under way when it went to SQD is complete. */
  SQ_DRAINED,
  /** In ERR, it has taken its last request from its shared receive queue. */
  QP_LAST_WQE_REACHED,
  /** A shared receive queue holds fewer requests than its limit. */
  SRQ_LIMIT_REACHED;

  /** The event that goes with a fatal NAK. */
  static AsyncEventType ofNak(Syndrome syndrome) {
    if (syndrome.equals(Syndrome.REMOTE_ACCESS_ERROR)) {
      return QP_ACCESS_ERR;
    }
    return syndrome.equals(Syndrome.INVALID_REQUEST) ? QP_REQ_ERR : QP_FATAL;
  }

  /** rdma-core's name. */
  public String text() {
    return "IBV_EVENT_" + name();
  }
}
