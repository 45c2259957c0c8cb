package org.mrcheck.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.mrcheck.lang.diagnostic.Suggestion;
import org.mrcheck.lang.trace.TraceOutput;
import org.mrcheck.lang.trace.binary.TraceEncoding;
import org.mrcheck.rnic.Defect;
import org.mrcheck.rnic.Profile;
import org.mrcheck.rnic.TraceRecording;
import org.mrcheck.rnic.WirePlan;
import org.mrcheck.rnic.roce.RoceCapture;
import org.mrcheck.rnic.workload.Workload;
import org.mrcheck.rnic.workload.WorkloadOptions;
import org.mrcheck.rnic.workload.WorkloadSummary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code mrcheck run}: races on the soft RNIC, recorded. */
@Command(
    name = "run",
    description = "Runs a workload on the soft RNIC and records a trace.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the workload ran", "2:usage", "70:internal error"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  mrcheck run --workload mid-dereg --qps 4 --seconds 5 -o a.mrtrace",
      "  mrcheck run --seconds 1 --defect DeregDoesNotDrain -o bad.mrtrace",
      "  mrcheck run --seconds 1 --capture run.pcapng",
      "  mrcheck run --workload replay --qps 8 --loss 1 --seconds 30",
      "  mrcheck run --workload stale-key --profile hnslike -o hns.mrbin",
      "  mrcheck run --list"
    })
final class RunCommand implements Callable<Integer> {
  @Mixin private CommonOptions common;

  @Option(
      names = "--workload",
      paramLabel = "NAME",
      defaultValue = "mid-dereg",
      description = "Which workload (default: ${DEFAULT-VALUE}).")
  private String workload;

  @Option(
      names = "--qps",
      paramLabel = "N",
      defaultValue = "4",
      description = "Connections, 1 to 64 (default: ${DEFAULT-VALUE}).")
  private int queuePairs;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "5",
      description = "How long to post requests (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--ops",
      paramLabel = "N",
      defaultValue = "0",
      description = "End after about N work requests; 0 for no limit (default).")
  private long operations;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "What the threads ask for; not how they interleave (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--profile",
      paramLabel = "PROFILE",
      description =
          "Devices of that class of the model; what is unknown of it is drawn by the seed"
              + " (default: strict).")
  private String profile;

  @Option(
      names = "--loss",
      paramLabel = "PERCENT",
      defaultValue = "0",
      description = "Packets that the wire loses, 0 to 90 (default: ${DEFAULT-VALUE}).")
  private double loss;

  @Option(
      names = "--duplication",
      paramLabel = "PERCENT",
      defaultValue = "0",
      description = "Packets that come twice, 0 to 90 (default: ${DEFAULT-VALUE}).")
  private double duplication;

  @Option(
      names = "--reordering",
      paramLabel = "PERCENT",
      defaultValue = "0",
      description = "Packets that are overtaken, 0 to 90 (default: ${DEFAULT-VALUE}).")
  private double reordering;

  @Option(
      names = "--defect",
      paramLabel = "NAME",
      description = "Switch a defect of the device on; repeatable.")
  private List<String> defects = List.of();

  @Option(names = "--list", description = "List workloads, profiles and defects; run none.")
  private boolean list;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "Where the trace goes, binary if it ends in .mrbin; without it none is recorded.")
  private Path output;

  @Option(
      names = "--capture",
      paramLabel = "FILE",
      description = "Write the packets as a pcapng of RoCEv2 frames with marks.")
  private Path capture;

  @Override
  public Integer call() throws Exception {
    if (list) {
      common.console().out().print(known());
      return 0;
    }
    requireKnown(
        "workload", workload, Arrays.stream(Workload.values()).map(Workload::text).toList());
    WorkloadOptions options = options();
    WorkloadSummary summary;
    if (output == null) {
      summary = run(options, TraceRecording.off());
    } else {
      summary = record(options);
    }
    if (common.json()) {
      common.printJson(json(summary));
    } else {
      print(summary);
    }
    return 0;
  }

  private WorkloadOptions options() {
    if (!(seconds > 0) || seconds > 86_400) {
      throw usage("--seconds must be more than 0 and at most 86400, not " + seconds);
    }
    Set<Defect> switchedOn = new LinkedHashSet<>();
    for (String name : defects) {
      List<String> known = Arrays.stream(Defect.values()).map(Defect::text).toList();
      requireKnown("defect", name, known);
      switchedOn.add(Defect.named(name).orElseThrow());
    }
    Optional<Profile> ofBoth = Optional.empty();
    if (profile != null) {
      requireKnown("profile", profile, Arrays.stream(Profile.values()).map(Profile::text).toList());
      ofBoth = Profile.named(profile);
    }
    WirePlan plan =
        WirePlan.PERFECT
            .withLoss(rate("--loss", loss))
            .withDuplication(rate("--duplication", duplication))
            .withReordering(rate("--reordering", reordering));
    try {
      return new WorkloadOptions(
          queuePairs,
          Duration.ofNanos((long) (seconds * 1e9)),
          operations,
          seed,
          ofBoth,
          plan,
          switchedOn);
    } catch (IllegalArgumentException outOfRange) {
      throw usage(outOfRange.getMessage());
    }
  }

  private double rate(String option, double percent) {
    if (!(percent >= 0 && percent <= 90)) {
      throw usage(option + " must be 0 to 90, not " + percent);
    }
    return percent / 100;
  }

  private Workload chosen() {
    return Workload.named(workload).orElseThrow();
  }

  private String known() {
    StringBuilder text = new StringBuilder("Workloads:\n");
    for (Workload each : Workload.values()) {
      entry(text, each.text(), each.purpose());
    }
    text.append("\nProfiles, as in the model:\n");
    ModelText.wrap(
            Arrays.stream(Profile.values()).map(Profile::text).collect(Collectors.joining(", ")),
            "  ")
        .forEach(line -> text.append(line).append('\n'));
    text.append("\nDefects, as the model's mutants:\n");
    ModelText.wrap(
            Arrays.stream(Defect.values()).map(Defect::text).collect(Collectors.joining(", ")),
            "  ")
        .forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  private static void entry(StringBuilder text, String name, String purpose) {
    String first = "  %-16s".formatted(name);
    for (String line : ModelText.wrap(purpose, " ".repeat(18))) {
      text.append(first).append(line.substring(Math.min(18, line.length()))).append('\n');
      first = " ".repeat(18);
    }
  }

  private WorkloadSummary record(WorkloadOptions options) throws Exception {
    TraceOutput writer;
    try {
      writer = TraceEncoding.ofName(output).create(output, chosen().header(options));
    } catch (IOException failure) {
      throw UserFault.cannotWrite(output, failure);
    }
    boolean whole = false;
    try {
      WorkloadSummary summary;
      try (TraceRecording recording = TraceRecording.into(writer)) {
        summary = run(options, recording);
      }
      writer.close();
      whole = true;
      return summary;
    } catch (IOException failure) {
      throw UserFault.cannotWrite(output, failure);
    } finally {
      if (!whole) {
        writer.discard();
      }
    }
  }

  private WorkloadSummary run(WorkloadOptions options, TraceRecording recording) throws Exception {
    CompletableFuture<WorkloadSummary> running = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                running.complete(runCaptured(options, recording));
              } catch (Exception | AssertionError failure) {
                running.completeExceptionally(failure);
              }
            },
            "workload");
    thread.start();
    long begin = System.nanoTime();
    long total = options.duration().toMillis();
    try (Console.Progress progress = common.console().progress(workload)) {
      while (true) {
        try {
          return running.get(100, TimeUnit.MILLISECONDS);
        } catch (TimeoutException notYet) {
          long millis = Math.min(total, (System.nanoTime() - begin) / 1_000_000);
          progress.reached(millis, total, recording.events() + " events");
        }
      }
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw failure;
    }
  }

  private WorkloadSummary runCaptured(WorkloadOptions options, TraceRecording recording)
      throws Exception {
    if (capture == null) {
      return chosen().run(options, recording);
    }
    RoceCapture packets;
    try {
      packets = chosen().capture(options, capture);
    } catch (IOException failure) {
      throw UserFault.cannotWrite(capture, failure);
    }
    boolean whole = false;
    try {
      WorkloadSummary summary = chosen().run(options, recording, packets);
      packets.close();
      whole = true;
      return summary;
    } catch (UncheckedIOException failure) {
      throw UserFault.cannotWrite(capture, failure.getCause());
    } finally {
      if (!whole) {
        packets.discard();
      }
    }
  }

  private void print(WorkloadSummary summary) {
    List<String> lines =
        List.of(
            "%s, %d queue pairs, seed %d%s%s, %.1f s"
                .formatted(
                    workload,
                    queuePairs,
                    seed,
                    profile == null ? "" : ", profile " + profile,
                    defects.isEmpty() ? "" : ", defect " + String.join(", ", defects),
                    summary.elapsed().toNanos() / 1e9),
            "  work requests completed %,14d".formatted(summary.operations()),
            "  deregistrations         %,14d".formatted(summary.deregistrations()),
            "  connections rebuilt     %,14d".formatted(summary.queuePairsRecreated()));
    lines.forEach(common.console().out()::println);
    summary
        .completions()
        .forEach(
            (status, count) ->
                common.console().out().printf("  %-23s %,14d%n", "IBV_WC_" + status, count));
    if (output != null) {
      common.console().out().printf("  events                  %,14d%n", summary.events());
      common
          .console()
          .out()
          .printf("Trace in %s. Check it: %s check %s%n", output, Console.PROGRAM, output);
    }
    if (capture != null) {
      common
          .console()
          .out()
          .printf(
              "Packets in %s. Import them: %s import %s --marks %d -o x.mrtrace%n",
              capture, Console.PROGRAM, capture, RoceCapture.MARKS_PORT);
    }
  }

  private ObjectNode json(WorkloadSummary summary) {
    ObjectNode node = CommonOptions.JSON.createObjectNode();
    node.put("workload", workload);
    node.put("queuePairs", queuePairs);
    node.put("seed", seed);
    if (profile != null) {
      node.put("profile", profile);
    }
    defects.forEach(node.putArray("defects")::add);
    node.put("seconds", summary.elapsed().toNanos() / 1e9);
    node.put("operations", summary.operations());
    ObjectNode completions = node.putObject("completions");
    summary.completions().forEach((status, count) -> completions.put(status.name(), count));
    node.put("registrations", summary.registrations());
    node.put("deregistrations", summary.deregistrations());
    node.put("queuePairsRecreated", summary.queuePairsRecreated());
    node.put("events", summary.events());
    if (output != null) {
      node.put("trace", output.toString());
    }
    if (capture != null) {
      node.put("capture", capture.toString());
    }
    return node;
  }

  private void requireKnown(String kind, String name, List<String> known) {
    if (!known.contains(name)) {
      throw usage(
          String.format(
              Locale.ROOT,
              "there is no %s \"%s\"%s; known: %s",
              kind,
              name,
              Suggestion.nearest(name, known)
                  .map(near -> ", did you mean " + near + "?")
                  .orElse(""),
              String.join(", ", known)));
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(common.commandLine(), message);
  }
}
