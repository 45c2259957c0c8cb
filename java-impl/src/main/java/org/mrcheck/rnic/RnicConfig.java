package org.mrcheck.rnic;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * How a {@link SoftRnic} is built. Immutable; start from {@link #forHost} and change what differs.
 *
 * @param host name of the device in traces and on the wire; no white space and no slash
 * @param engines engine threads, at least 1; each has a DMA thread of its own
 * @param keyTableCapacity indices of the key table, 2 to 2^24; index 0 is never used (row K19)
 * @param dmaQueueDepth packets that may wait between key check and memory access, per engine
 * @param dmaLatency how long a checked packet waits at least before memory is accessed; packets
 *     wait side by side, as reads and writes on a bus do
 * @param sendWindow packets a queue pair may have sent and not seen answered
 * @param maxReads READs a queue pair may have outstanding (verbs' {@code max_rd_atomic})
 * @param retryTimeout how long a requester waits for an answer before it sends again
 * @param retryCount how often it sends again before {@code RETRY_EXC_ERR}, 0 to 7
 * @param seed decides the first tag of every index
 * @param defects wrong behaviours switched on
 * @param recording where trace points go
 * @param policies how it behaves where devices differ
 * @param transport what new queue pairs and the engines use where nothing else is asked for
 * @param scheduler who decides which thread goes on; devices of one wire have the same
 */
public record RnicConfig(
    String host,
    int engines,
    int keyTableCapacity,
    int dmaQueueDepth,
    Duration dmaLatency,
    int sendWindow,
    int maxReads,
    Duration retryTimeout,
    int retryCount,
    long seed,
    Set<Defect> defects,
    TraceRecording recording,
    Policies policies,
    TransportSettings transport,
    Scheduler scheduler) {

  /** Checks the ranges. */
  public RnicConfig {
    Objects.requireNonNull(retryTimeout, "retryTimeout");
    Objects.requireNonNull(recording, "recording");
    Objects.requireNonNull(policies, "policies");
    Objects.requireNonNull(transport, "transport");
    Objects.requireNonNull(scheduler, "scheduler");
    if (!host.matches("[^\\s/]+")) {
      throw new IllegalArgumentException("host=\"" + host + "\": no white space, no slash");
    }
    if (dmaLatency.isNegative() || dmaLatency.compareTo(Duration.ofSeconds(1)) > 0) {
      throw new IllegalArgumentException("dmaLatency=" + dmaLatency + " not in 0..1 s");
    }
    requireRange("engines", engines, 1, 64);
    requireRange("keyTableCapacity", keyTableCapacity, 2, 1 << 24);
    requireRange("dmaQueueDepth", dmaQueueDepth, 1, 1 << 16);
    requireRange("sendWindow", sendWindow, 1, 1 << 16);
    requireRange("maxReads", maxReads, 1, 255);
    requireRange("retryCount", retryCount, 0, 7);
    EnumSet<Defect> copy = EnumSet.noneOf(Defect.class);
    copy.addAll(defects);
    defects = java.util.Collections.unmodifiableSet(copy);
  }

  /**
   * A correct device without tracing: one engine, 4096 keys, 32 packets between check and DMA and
   * no wait there, a window of 64 packets, 4 READs, 2 s timeout, 7 retries.
   */
  public static RnicConfig forHost(String host) {
    return new RnicConfig(
        host,
        1,
        4096,
        32,
        Duration.ZERO,
        64,
        4,
        Duration.ofSeconds(2),
        7,
        0,
        Set.of(),
        TraceRecording.off(),
        Policies.strict(),
        TransportSettings.DEFAULT,
        Scheduler.free());
  }

  /** This configuration with another number of engine threads. */
  public RnicConfig withEngines(int count) {
    return new RnicConfig(
        host,
        count,
        keyTableCapacity,
        dmaQueueDepth,
        dmaLatency,
        sendWindow,
        maxReads,
        retryTimeout,
        retryCount,
        seed,
        defects,
        recording,
        policies,
        transport,
        scheduler);
  }

  /** This configuration with another size of the key table. */
  public RnicConfig withKeyTableCapacity(int capacity) {
    return new RnicConfig(
        host,
        engines,
        capacity,
        dmaQueueDepth,
        dmaLatency,
        sendWindow,
        maxReads,
        retryTimeout,
        retryCount,
        seed,
        defects,
        recording,
        policies,
        transport,
        scheduler);
  }

  /** This configuration with another depth of the queue between key check and memory access. */
  public RnicConfig withDmaQueueDepth(int packets) {
    return new RnicConfig(
        host,
        engines,
        keyTableCapacity,
        packets,
        dmaLatency,
        sendWindow,
        maxReads,
        retryTimeout,
        retryCount,
        seed,
        defects,
        recording,
        policies,
        transport,
        scheduler);
  }

  /** This configuration with another time between key check and memory access. */
  public RnicConfig withDmaLatency(Duration latency) {
    return new RnicConfig(
        host,
        engines,
        keyTableCapacity,
        dmaQueueDepth,
        latency,
        sendWindow,
        maxReads,
        retryTimeout,
        retryCount,
        seed,
        defects,
        recording,
        policies,
        transport,
        scheduler);
  }

  /** This configuration with another retry budget. */
  public RnicConfig withRetry(Duration timeout, int count) {
    return new RnicConfig(
        host,
        engines,
        keyTableCapacity,
        dmaQueueDepth,
        dmaLatency,
        sendWindow,
        maxReads,
        timeout,
        count,
        seed,
        defects,
        recording,
        policies,
        transport,
        scheduler);
  }

  /** This configuration with another seed. */
  public RnicConfig withSeed(long newSeed) {
    return new RnicConfig(
        host,
        engines,
        keyTableCapacity,
        dmaQueueDepth,
        dmaLatency,
        sendWindow,
        maxReads,
        retryTimeout,
        retryCount,
        newSeed,
        defects,
        recording,
        policies,
        transport,
        scheduler);
  }

  /** This configuration with exactly these defects. */
  public RnicConfig withDefects(Set<Defect> switchedOn) {
    return new RnicConfig(
        host,
        engines,
        keyTableCapacity,
        dmaQueueDepth,
        dmaLatency,
        sendWindow,
        maxReads,
        retryTimeout,
        retryCount,
        seed,
        switchedOn,
        recording,
        policies,
        transport,
        scheduler);
  }

  /** This configuration with its trace points going to the recording. */
  public RnicConfig withRecording(TraceRecording newRecording) {
    return new RnicConfig(
        host,
        engines,
        keyTableCapacity,
        dmaQueueDepth,
        dmaLatency,
        sendWindow,
        maxReads,
        retryTimeout,
        retryCount,
        seed,
        defects,
        newRecording,
        policies,
        transport,
        scheduler);
  }

  /** This configuration with other policies. */
  public RnicConfig withPolicies(Policies newPolicies) {
    return new RnicConfig(
        host,
        engines,
        keyTableCapacity,
        dmaQueueDepth,
        dmaLatency,
        sendWindow,
        maxReads,
        retryTimeout,
        retryCount,
        seed,
        defects,
        recording,
        newPolicies,
        transport,
        scheduler);
  }

  /** This configuration with other settings of the transport. */
  public RnicConfig withTransport(TransportSettings newTransport) {
    return new RnicConfig(
        host,
        engines,
        keyTableCapacity,
        dmaQueueDepth,
        dmaLatency,
        sendWindow,
        maxReads,
        retryTimeout,
        retryCount,
        seed,
        defects,
        recording,
        policies,
        newTransport,
        scheduler);
  }

  /** This configuration with its threads under that scheduler. */
  public RnicConfig withScheduler(Scheduler newScheduler) {
    return new RnicConfig(
        host,
        engines,
        keyTableCapacity,
        dmaQueueDepth,
        dmaLatency,
        sendWindow,
        maxReads,
        retryTimeout,
        retryCount,
        seed,
        defects,
        recording,
        policies,
        transport,
        newScheduler);
  }

  private static void requireRange(String name, int value, int low, int high) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(name + "=" + value + " not in " + low + ".." + high);
    }
  }
}
