package org.mrcheck.rnic.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.rnic.Defect;
import org.mrcheck.rnic.Profile;
import org.mrcheck.rnic.TraceRecording;
import org.mrcheck.rnic.WirePlan;
import org.mrcheck.rnic.WireTap;
import org.mrcheck.rnic.roce.RoceCapture;

/** A race that the soft RNIC is put through. */
public enum Workload {
  /** {@link MidDeregWorkload}. */
  MID_DEREG(
      "regions are deregistered while peers WRITE to them and READ from them in messages of many"
          + " packets"),

  /** {@link StaleKeyRace}. */
  STALE_KEY(
      "keys are used long after their deregistration, while their indices are given out anew",
      bench -> lane -> new StaleKeyRace(bench)),

  /** {@link KeyChurnRace}. */
  KEY_CHURN(
      "many small regions come and go under small accesses of every kind",
      bench -> lane -> new KeyChurnRace(bench)),

  /** {@link SharedRegionRace}. */
  SHARED_MR(
      "one region under the long messages of all connections is deregistered",
      bench -> {
        Holding shared = new Holding(bench);
        return lane -> new SharedRegionRace(shared);
      }),

  /** {@link InvalidateRace}. */
  INVALIDATE_RACE(
      "fast registrations are ended by SEND with invalidate or local invalidation under WRITEs",
      bench -> lane -> new InvalidateRace()),

  /** {@link WindowRace}. */
  WINDOW_RACE(
      "windows of both types are bound, invalidated and deallocated under WRITEs",
      bench -> lane -> new WindowRace()),

  /** {@link ReregRace}. */
  REREG_RACE(
      "regions get other pages, rights or domains under accesses",
      bench -> lane -> new ReregRace(bench)),

  /** {@link ReplayRace}. */
  REPLAY(
      "requests come again after a deregistration, on a wire that loses, repeats and reorders",
      bench -> lane -> new ReplayRace(bench)),

  /** {@link GuessRace}. */
  GUESS(
      "a peer tries keys, ranges and rights that it was not given",
      bench -> lane -> new GuessRace(bench)),

  /** {@link TeardownRace}. */
  TEARDOWN(
      "queue pairs and regions go in every order under requests",
      bench -> lane -> new TeardownRace(bench)),

  /** {@link ReconnectRace}. */
  RECONNECT(
      "queue pair numbers are used again while packets of the old connection are on their way",
      bench -> lane -> new ReconnectRace(bench)),

  /** {@link RegistrationCacheRace}. */
  RCACHE(
      "a registration cache deregisters regions that peers still use",
      bench -> lane -> new RegistrationCacheRace(bench));

  private static final List<String> HOSTS = List.of(RaceBench.REQUESTER, RaceBench.RESPONDER);

  private final String purpose;
  private final Function<RaceBench, Function<Lane, Race>> races;

  Workload(String purpose) {
    this(purpose, null);
  }

  Workload(String purpose, Function<RaceBench, Function<Lane, Race>> races) {
    this.purpose = purpose;
    this.races = races;
  }

  /** The name, as the command line writes it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What it does, in one sentence. */
  public String purpose() {
    return purpose;
  }

  /** The workload of that name; empty if there is none. */
  public static Optional<Workload> named(String text) {
    return Stream.of(values()).filter(workload -> workload.text().equals(text)).findFirst();
  }

  /** What the wire does in it: more than was asked for where that is the point of the workload. */
  private WirePlan plan(WorkloadOptions options) {
    WirePlan plan = options.seededWire();
    return switch (this) {
      case REPLAY ->
          plan.isPerfect() ? plan.withLoss(0.02).withDuplication(0.02).withReordering(0.02) : plan;
      case RECONNECT -> plan.withDeliveryByNumber().withDelay(Duration.ofNanos(300_000));
      default -> plan;
    };
  }

  /**
   * Runs it and returns when everything is torn down; the tap is told what travels on the wire
   * meanwhile. The recording stays open, and so does a tap that can be closed.
   *
   * @throws InterruptedException if interrupted; the workload's threads then stop by themselves
   * @throws IllegalStateException if a thread of the workload or of a device failed: a bug
   */
  public WorkloadSummary run(WorkloadOptions options, TraceRecording recording, WireTap tap)
      throws InterruptedException {
    WirePlan plan = plan(options);
    return races == null
        ? MidDeregWorkload.run(options, recording, tap)
        : RaceBench.run(options.withWire(plan), plan, recording, tap, races);
  }

  /** {@link #run(WorkloadOptions, TraceRecording, WireTap)} with nobody told. */
  public WorkloadSummary run(WorkloadOptions options, TraceRecording recording)
      throws InterruptedException {
    return run(options, recording, WireTap.OFF);
  }

  /**
   * Runs it and writes its trace; the file is there when this returns.
   *
   * @throws IOException if the file cannot be made
   * @throws UncheckedIOException if it cannot be written
   * @throws InterruptedException if interrupted
   */
  public WorkloadSummary runToFile(WorkloadOptions options, Path file)
      throws IOException, InterruptedException {
    try (TraceRecording recording = TraceRecording.toFile(file, header(options))) {
      return run(options, recording);
    }
  }

  /**
   * Begins a capture of this workload, to be given to {@link #run(WorkloadOptions, TraceRecording,
   * WireTap)} and closed after it.
   *
   * @param file a pcapng file, there once the capture is closed
   * @throws IOException if the file cannot be made
   */
  public RoceCapture capture(WorkloadOptions options, Path file) throws IOException {
    return RoceCapture.toFile(file, description(options), HOSTS);
  }

  /** The header of a recording of this workload. */
  public TraceHeader header(WorkloadOptions options) {
    Map<String, String> attributes = new TreeMap<>();
    attributes.put("workload", text());
    attributes.put("seed", Long.toString(options.seed()));
    return TraceRecording.header(description(options), HOSTS, attributes);
  }

  private String description(WorkloadOptions options) {
    String defects =
        options.defects().stream().map(Defect::text).sorted().collect(Collectors.joining(","));
    return "soft RNIC, workload "
        + text()
        + ", "
        + options.queuePairs()
        + " queue pairs"
        + options.profile().map(Profile::text).map(name -> ", profile " + name).orElse("")
        + (defects.isEmpty() ? "" : ", defect " + defects);
  }
}
