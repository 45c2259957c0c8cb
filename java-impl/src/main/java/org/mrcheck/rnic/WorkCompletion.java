package org.mrcheck.rnic;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;
import org.mrcheck.lang.trace.WcStatus;

/**
 * A work completion, as {@code ibv_poll_cq} returns it.
 *
 * @param workRequestId the work request's {@link WorkRequest#id}
 * @param status how it ended
 * @param qp the queue pair it was posted to, or that took it from a shared receive queue
 * @param operation what it did; many devices say so only of a success (row E12). RECV for receive
 *     requests, whatever the message was
 * @param length bytes transferred; only a success says so (row E12)
 * @param immediate immediate data of the message received
 * @param invalidated the key that the message received has invalidated; the consumer must look at
 *     it (row D18)
 */
public record WorkCompletion(
    long workRequestId,
    WcStatus status,
    QueuePairId qp,
    Optional<WorkOperation> operation,
    OptionalLong length,
    OptionalInt immediate,
    Optional<MemoryKey> invalidated) {

  static WorkCompletion success(
      long workRequestId, QueuePairId qp, WorkOperation operation, long length) {
    return new WorkCompletion(
        workRequestId,
        WcStatus.SUCCESS,
        qp,
        Optional.of(operation),
        OptionalLong.of(length),
        OptionalInt.empty(),
        Optional.empty());
  }

  static WorkCompletion error(
      long workRequestId, QueuePairId qp, WorkOperation operation, WcStatus status) {
    return new WorkCompletion(
        workRequestId,
        status,
        qp,
        Optional.of(operation),
        OptionalLong.empty(),
        OptionalInt.empty(),
        Optional.empty());
  }

  WorkCompletion withImmediate(int data) {
    return new WorkCompletion(
        workRequestId, status, qp, operation, length, OptionalInt.of(data), invalidated);
  }

  WorkCompletion withInvalidated(MemoryKey key) {
    return new WorkCompletion(
        workRequestId, status, qp, operation, length, immediate, Optional.of(key));
  }
}
