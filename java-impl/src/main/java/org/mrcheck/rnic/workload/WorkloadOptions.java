package org.mrcheck.rnic.workload;

import java.time.Duration;
import java.util.Set;
import org.mrcheck.rnic.Defect;

/**
 * How a workload is run.
 *
 * @param queuePairs connections, 1 to 64, each with an application thread of its own
 * @param duration how long requests are posted, from when the first one has completed
 * @param maxOperations end after about so many completed work requests; 0 for no such limit
 * @param seed decides what the threads ask for; not how they interleave
 * @param defects wrong behaviours switched on in the responder's device
 */
public record WorkloadOptions(
    int queuePairs, Duration duration, long maxOperations, long seed, Set<Defect> defects) {
  /** Checks the ranges. */
  public WorkloadOptions {
    if (queuePairs < 1 || queuePairs > 64) {
      throw new IllegalArgumentException("queuePairs=" + queuePairs + " not in 1..64");
    }
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException("duration=" + duration + " is not positive");
    }
    if (maxOperations < 0) {
      throw new IllegalArgumentException("maxOperations=" + maxOperations + " is negative");
    }
    defects = Set.copyOf(defects);
  }

  /** A correct device, no limit of operations. */
  public static WorkloadOptions of(int queuePairs, Duration duration, long seed) {
    return new WorkloadOptions(queuePairs, duration, 0, seed, Set.of());
  }

  /** The same with exactly these defects. */
  public WorkloadOptions withDefects(Set<Defect> switchedOn) {
    return new WorkloadOptions(queuePairs, duration, maxOperations, seed, switchedOn);
  }
}
