package org.mrcheck.lang.trace;

/** The states of a queue pair, by rdma-core's names ({@code enum ibv_qp_state}). */
public enum QueuePairState {
  RESET,
  INIT,
  RTR,
  RTS,
  SQD,
  SQE,
  ERR
}
