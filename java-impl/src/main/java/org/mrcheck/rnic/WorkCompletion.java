package org.mrcheck.rnic;

import java.util.Optional;
import java.util.OptionalLong;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;
import org.mrcheck.lang.trace.WcStatus;

/**
 * A work completion, as {@code ibv_poll_cq} returns it.
 *
 * @param workRequestId the work request's {@link WorkRequest#id}
 * @param status how it ended
 * @param qp the queue pair it was posted to
 * @param operation what it did; only a success says so (row E12)
 * @param length bytes transferred; only a success says so (row E12)
 */
public record WorkCompletion(
    long workRequestId,
    WcStatus status,
    QueuePairId qp,
    Optional<WorkOperation> operation,
    OptionalLong length) {}
