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
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.mrcheck.lang.diagnostic.Suggestion;
import org.mrcheck.lang.trace.TraceOutput;
import org.mrcheck.lang.trace.binary.TraceEncoding;
import org.mrcheck.rnic.Defect;
import org.mrcheck.rnic.TraceRecording;
import org.mrcheck.rnic.roce.RoceCapture;
import org.mrcheck.rnic.workload.MidDeregWorkload;
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
      "",
      "Workloads:",
      "  mid-dereg  regions are deregistered while peers WRITE to them and READ",
      "             from them in messages of many packets",
      "Defects:",
      "  DeregDoesNotDrain  deregistration returns without waiting for accesses",
      "                     that have passed their key check"
    })
final class RunCommand implements Callable<Integer> {
  private static final List<String> WORKLOADS = List.of(MidDeregWorkload.NAME);

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
      names = "--defect",
      paramLabel = "NAME",
      description = "Switch a defect of the device on; repeatable.")
  private List<String> defects = List.of();

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
    requireKnown("workload", workload, WORKLOADS);
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
    try {
      return new WorkloadOptions(
          queuePairs, Duration.ofNanos((long) (seconds * 1e9)), operations, seed, switchedOn);
    } catch (IllegalArgumentException outOfRange) {
      throw usage(outOfRange.getMessage());
    }
  }

  private WorkloadSummary record(WorkloadOptions options) throws Exception {
    TraceOutput writer;
    try {
      writer = TraceEncoding.ofName(output).create(output, MidDeregWorkload.header(options));
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
      return MidDeregWorkload.run(options, recording);
    }
    RoceCapture packets;
    try {
      packets = MidDeregWorkload.capture(options, capture);
    } catch (IOException failure) {
      throw UserFault.cannotWrite(capture, failure);
    }
    boolean whole = false;
    try {
      WorkloadSummary summary = MidDeregWorkload.run(options, recording, packets);
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
            "%s, %d queue pairs, seed %d%s, %.1f s"
                .formatted(
                    workload,
                    queuePairs,
                    seed,
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
