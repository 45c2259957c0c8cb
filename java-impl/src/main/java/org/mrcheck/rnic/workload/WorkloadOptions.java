package org.mrcheck.rnic.workload;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.mrcheck.rnic.Defect;
import org.mrcheck.rnic.Policies;
import org.mrcheck.rnic.Profile;
import org.mrcheck.rnic.WirePlan;

/**
 * How a workload is run. Immutable.
 *
 * @param queuePairs connections, 1 to 64, each with an application thread of its own
 * @param duration how long requests are posted, from when the first one has completed
 * @param maxOperations end after about so many completed work requests; 0 for no such limit
 * @param seed decides what the threads ask for, what the wire does and which device of the profile
 *     it is; not how the threads interleave
 * @param profile the class that both devices are of; empty for the strict device
 * @param wire what the wire does to packets, its seed aside
 * @param defects wrong behaviours switched on, in both devices; {@code mid-dereg} has them in the
 *     responder's only
 */
public record WorkloadOptions(
    int queuePairs,
    Duration duration,
    long maxOperations,
    long seed,
    Optional<Profile> profile,
    WirePlan wire,
    Set<Defect> defects) {
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
    Objects.requireNonNull(profile, "profile");
    Objects.requireNonNull(wire, "wire");
    defects = Set.copyOf(defects);
  }

  /** A strict device on a perfect wire, no limit of operations. */
  public static WorkloadOptions of(int queuePairs, Duration duration, long seed) {
    return new WorkloadOptions(
        queuePairs, duration, 0, seed, Optional.empty(), WirePlan.PERFECT, Set.of());
  }

  /** The same with exactly these defects. */
  public WorkloadOptions withDefects(Set<Defect> switchedOn) {
    return new WorkloadOptions(
        queuePairs, duration, maxOperations, seed, profile, wire, switchedOn);
  }

  /** The same with devices of that class. */
  public WorkloadOptions withProfile(Profile ofBoth) {
    return new WorkloadOptions(
        queuePairs, duration, maxOperations, seed, Optional.of(ofBoth), wire, defects);
  }

  /** The same on another wire. */
  public WorkloadOptions withWire(WirePlan plan) {
    return new WorkloadOptions(queuePairs, duration, maxOperations, seed, profile, plan, defects);
  }

  /** The same with a limit of operations. */
  public WorkloadOptions withMaxOperations(long most) {
    return new WorkloadOptions(queuePairs, duration, most, seed, profile, wire, defects);
  }

  /** The policies of both devices: those of one device of the profile, drawn by the seed. */
  public Policies policies() {
    return profile.map(some -> some.draw(seed)).orElseGet(Policies::strict);
  }

  /** What the wire does, with the seed. */
  WirePlan seededWire() {
    return wire.withSeed(seed);
  }

  /** How long a requester waits: short where packets get lost. */
  Duration retryTimeout() {
    return wire.isPerfect() ? Duration.ofSeconds(10) : Duration.ofMillis(25);
  }
}
