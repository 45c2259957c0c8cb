package org.mrcheck.rnic.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.mrcheck.lang.trace.WcStatus;
import org.mrcheck.rnic.ProtectionDomain;
import org.mrcheck.rnic.RnicConfig;
import org.mrcheck.rnic.SoftRnic;
import org.mrcheck.rnic.TraceRecording;
import org.mrcheck.rnic.Wire;
import org.mrcheck.rnic.WirePlan;
import org.mrcheck.rnic.WireTap;

/**
 * Two devices, connections between them, and for each connection two threads that race: one that
 * works with it and one that owns memory at the responder. Counters may be moved by all threads.
 */
final class RaceBench {
  /** Host that sends requests. */
  static final String REQUESTER = "requester";

  /** Host whose memory is accessed. */
  static final String RESPONDER = "responder";

  /** Short, for peers in ERR are silent and a lane waits until its retries are exhausted (E13). */
  private static final Duration RETRY_TIMEOUT = Duration.ofMillis(30);

  private static final int RETRIES = 4;

  private final WorkloadOptions options;
  private final TraceRecording recording;
  private final SoftRnic requester;
  private final SoftRnic responder;
  private final ProtectionDomain requesterPd;
  private final ProtectionDomain responderPd;
  private final ProtectionDomain foreignPd;
  private final long endNanos;
  private final AtomicLongArray completions = new AtomicLongArray(WcStatus.values().length);
  private final AtomicLong operations = new AtomicLong();
  private final AtomicLong registrations = new AtomicLong();
  private final AtomicLong deregistrations = new AtomicLong();
  private final AtomicLong reconnections = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean lanesDone;

  private RaceBench(WorkloadOptions options, WirePlan plan, TraceRecording recording, WireTap tap) {
    this.options = options;
    this.recording = recording;
    Wire wire = new Wire(plan, tap);
    requester = SoftRnic.open(config(REQUESTER), wire);
    responder =
        SoftRnic.open(
            config(RESPONDER).withEngines(2).withDmaLatency(Duration.ofNanos(50_000)), wire);
    requesterPd = requester.allocateProtectionDomain();
    responderPd = responder.allocateProtectionDomain();
    foreignPd = responder.allocateProtectionDomain();
    endNanos = System.nanoTime() + options.duration().toNanos();
  }

  private RnicConfig config(String host) {
    return RnicConfig.forHost(host)
        .withSeed(options.seed())
        .withKeyTableCapacity(Math.max(128, 16 * options.queuePairs()))
        .withRetry(RETRY_TIMEOUT, RETRIES)
        .withPolicies(options.policies())
        .withDefects(options.defects())
        .withRecording(recording);
  }

  /**
   * Runs a race on every connection until time or operations are over.
   *
   * @param races makes the race of one connection
   * @throws InterruptedException if interrupted
   * @throws IllegalStateException if a thread of the workload or of a device failed: a bug
   */
  static WorkloadSummary run(
      WorkloadOptions options,
      WirePlan plan,
      TraceRecording recording,
      WireTap tap,
      Function<RaceBench, Function<Lane, Race>> races)
      throws InterruptedException {
    RaceBench bench = new RaceBench(options, plan, recording, tap);
    return bench.run(races.apply(bench));
  }

  private WorkloadSummary run(Function<Lane, Race> races) throws InterruptedException {
    long start = System.nanoTime();
    SplittableRandom seeds = new SplittableRandom(options.seed());
    List<Thread> users = new ArrayList<>();
    List<Thread> owners = new ArrayList<>();
    for (int number = 0; number < options.queuePairs(); number++) {
      Lane lane = new Lane(number, this, seeds.split());
      lane.open();
      Race race = races.apply(lane);
      race.begin(lane);
      users.add(
          start(
              "client" + number,
              () -> {
                while (!isOver()) {
                  race.use(lane);
                  lane.repair();
                }
              }));
      owners.add(
          start(
              "owner" + number,
              () -> {
                while (!lanesDone && failure.get() == null) {
                  race.own(lane);
                }
                lane.close();
                race.end(lane);
              }));
    }
    for (Thread user : users) {
      user.join();
    }
    lanesDone = true;
    for (Thread owner : owners) {
      owner.join();
    }
    Throwable problem = failure.get();
    if (problem != null) {
      throw new IllegalStateException("workload failed: " + problem, problem);
    }
    requester.close();
    responder.close();
    Map<WcStatus, Long> byStatus = new EnumMap<>(WcStatus.class);
    for (WcStatus status : WcStatus.values()) {
      long count = completions.get(status.ordinal());
      if (count > 0) {
        byStatus.put(status, count);
      }
    }
    return new WorkloadSummary(
        operations.get(),
        byStatus,
        registrations.get(),
        deregistrations.get(),
        reconnections.get(),
        responder.counters(),
        0,
        recording.events(),
        Duration.ofNanos(System.nanoTime() - start));
  }

  private interface Task {
    void perform() throws InterruptedException;
  }

  private Thread start(String name, Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.perform();
              } catch (InterruptedException | RuntimeException | Error problem) {
                failure.compareAndSet(null, problem);
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Whether connections still work. */
  boolean goesOn() {
    return !lanesDone;
  }

  boolean isOver() {
    return System.nanoTime() - endNanos >= 0
        || options.maxOperations() > 0 && operations.get() >= options.maxOperations()
        || failure.get() != null;
  }

  SoftRnic requester() {
    return requester;
  }

  SoftRnic responder() {
    return responder;
  }

  ProtectionDomain requesterPd() {
    return requesterPd;
  }

  ProtectionDomain responderPd() {
    return responderPd;
  }

  /** A domain of the responder's in which no queue pair is. */
  ProtectionDomain foreignPd() {
    return foreignPd;
  }

  void completed(WcStatus status) {
    operations.incrementAndGet();
    completions.incrementAndGet(status.ordinal());
  }

  void registered() {
    registrations.incrementAndGet();
  }

  void deregistered() {
    deregistrations.incrementAndGet();
  }

  void reconnected() {
    reconnections.incrementAndGet();
  }
}
