package org.mrcheck.rnic;

import java.util.Optional;
import org.mrcheck.lang.trace.QueuePairId;

/**
 * An asynchronous event, as {@code ibv_get_async_event} returns it.
 *
 * @param qp the queue pair it is about; empty for one about a shared receive queue
 */
public record AsyncEvent(AsyncEventType type, Optional<QueuePairId> qp) {}
