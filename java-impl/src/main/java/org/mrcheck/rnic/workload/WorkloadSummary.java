package org.mrcheck.rnic.workload;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.mrcheck.lang.trace.WcStatus;
import org.mrcheck.rnic.RnicCounters;

/**
 * What a workload did.
 *
 * @param operations work requests completed, in whatever way
 * @param completions how many by status; statuses that did not occur are absent
 * @param registrations regions registered on both hosts
 * @param deregistrations regions deregistered on both hosts
 * @param queuePairsRecreated connections torn down after an error and built again
 * @param refusals what the responder's device refused
 * @param regionsChangedAfterReturn buffers whose contents changed after their deregistration had
 *     returned: proof by memory, independent of the trace, that it did not drain
 * @param events events recorded; 0 without a recording
 * @param elapsed wall clock time
 */
public record WorkloadSummary(
    long operations,
    Map<WcStatus, Long> completions,
    long registrations,
    long deregistrations,
    long queuePairsRecreated,
    RnicCounters refusals,
    long regionsChangedAfterReturn,
    long events,
    Duration elapsed) {
  /** Copies the map. */
  public WorkloadSummary {
    EnumMap<WcStatus, Long> copy = new EnumMap<>(WcStatus.class);
    copy.putAll(completions);
    completions = Collections.unmodifiableMap(copy);
  }
}
