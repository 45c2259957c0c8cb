package org.mrcheck.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import org.mrcheck.check.capture.CaptureImporter;
import org.mrcheck.check.capture.ImportOptions;
import org.mrcheck.check.capture.ImportedCapture;
import org.mrcheck.check.engine.CheckOptions;
import org.mrcheck.check.engine.TraceChecker;
import org.mrcheck.check.report.ExplanationText;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.ExitCode;
import org.mrcheck.check.verdict.InstanceReport;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.lang.trace.text.TraceWriter;
import org.mrcheck.rnic.Defect;
import org.mrcheck.rnic.TraceRecording;
import org.mrcheck.rnic.workload.Workload;
import org.mrcheck.rnic.workload.WorkloadOptions;
import org.mrcheck.rnic.workload.WorkloadSummary;
import org.mrcheck.spec.ManifestRunner;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.SpecManifest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mrcheck demo}: the whole path once, in under a minute. */
@Command(
    name = "demo",
    description = {
      "Shows the whole path in under a minute.",
      "",
      "The model is checked; a race is run and its trace accepted; the same race with a",
      "defect is rejected; and a recording of Linux is judged."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:everything came as the story tells it",
      "1:something did not; the demo says what",
      "70:internal error"
    },
    footerHeading = "%nExample:%n",
    footer = "  mrcheck demo")
final class DemoCommand implements Callable<Integer> {
  private static final String GREEN_RUN = "deregistration-strict";
  private static final String RED_RUN = "deregistration-does-not-drain";
  private static final String DEFECT_CONTRACT = "NoAccessAfterReturn";
  private static final String RECORDING = "mid-deregistration.pcap.gz";
  private static final int MARKS_PORT = 9999;

  @Mixin private CommonOptions common;
  @Mixin private SpecOptions spec;

  private final ObjectNode told = CommonOptions.JSON.createObjectNode();
  private final ArrayNode steps = told.putArray("steps");
  private PrintWriter out = new PrintWriter(Writer.nullWriter());
  private boolean asTold = true;

  @Override
  public Integer call() throws Exception {
    long begin = System.nanoTime();
    if (!common.json()) {
      out = common.console().out();
    }
    Path folder = Files.createTempDirectory("mrcheck-demo");
    say("May a WRITE still land after ibv_dereg_mr has returned?");

    heading("1. The model. TLC explores a deregistration, with and without a defect.");
    model(GREEN_RUN);
    model(RED_RUN);

    TraceChecker checker = new TraceChecker(spec.catalogue());
    heading("2. The device. Four connections WRITE and READ while regions go away.");
    Path good = folder.resolve("good.mrtrace");
    run(good, 2, Set.of());
    CheckResult accepted = check(checker, good, 0);
    tell(accepted);
    expect(
        kind(accepted) == Verdict.Kind.CONFORMANT || kind(accepted) == Verdict.Kind.SURPRISING,
        "the trace of a correct device should conform");
    if (kind(accepted) == Verdict.Kind.SURPRISING) {
      out.println(
          "   Surprising, yet allowed: WRITEs cut short by a deregistration leave the whole");
      out.println("   packets that were written before it.");
    }

    heading("3. The same race, but deregistration does not wait for accesses in progress.");
    Path bad = folder.resolve("bad.mrtrace");
    run(bad, 1, Set.of(Defect.DEREG_DOES_NOT_DRAIN));
    CheckResult rejected = check(checker, bad, 1);
    tell(rejected);
    expect(
        rejected.contract(DEFECT_CONTRACT).stream()
            .anyMatch(result -> result.counts().of(Verdict.Kind.VIOLATION) > 0),
        "the defect should violate " + DEFECT_CONTRACT);
    explainFirst(rejected, Verdict.Kind.VIOLATION);

    heading("4. The field. Linux Soft-RoCE deregisters regions under long WRITEs and READs.");
    Path field = folder.resolve("linux.mrtrace");
    importRecording(field);
    CheckResult judged = check(checker, field, 1);
    tell(judged);
    expect(
        judged.counts().of(Verdict.Kind.VIOLATION) == 0
            && judged.counts().of(Verdict.Kind.SURPRISING) > 0,
        "Linux should be surprising and never violate a contract");
    explainFirst(judged, Verdict.Kind.SURPRISING);

    out.printf(
        Locale.ROOT,
        "%n%s That took %.0f s.%n",
        asTold ? "Everything came as told." : "NOT everything came as told, see above.",
        (System.nanoTime() - begin) / 1e9);
    out.println("Try next:");
    out.println("  " + Console.PROGRAM + " explain " + bad);
    out.println("  " + Console.PROGRAM + " check " + field);
    out.println(
        "  " + Console.PROGRAM + " run --workload mid-dereg --qps 4 --seconds 5 -o a.mrtrace");
    out.println(
        "  "
            + Console.PROGRAM
            + " import YOUR.pcap -o x.mrtrace && "
            + Console.PROGRAM
            + " check x.mrtrace");
    out.println("  " + Console.PROGRAM + " model --list");
    if (common.json()) {
      told.put("asTold", asTold);
      told.put("seconds", (System.nanoTime() - begin) / 1e9);
      common.printJson(told);
    }
    return (asTold ? ExitCode.OK : ExitCode.VIOLATION).code();
  }

  private void model(String name) throws InterruptedException {
    SpecLibrary library = spec.library();
    SpecManifest.Row row = SpecManifest.read(library).row(name).orElseThrow();
    ManifestRunner.RowResult result;
    try (Console.Progress progress = common.console().progress("model")) {
      result =
          new ManifestRunner(spec.tools(), library)
              .run(row, now -> progress.reached(now.distinct(), 0, row.name()));
    }
    ModelText.wrap(
            "%s: %s, %,d states, depth %d, %.1f s"
                .formatted(
                    row.name(),
                    result.result().violated().map(violated -> "VIOLATED").orElse("holds"),
                    result.result().counts().distinct(),
                    result.result().counts().depth(),
                    result.result().elapsed().toMillis() / 1000.0),
            "   ")
        .forEach(out::println);
    ModelText.wrap(row.shows(), "     ").forEach(out::println);
    result
        .result()
        .counterexample()
        .ifPresent(
            shown ->
                ModelText.wrap(
                        "shortest counterexample: " + String.join(", ", shown.actions()), "     ")
                    .forEach(out::println));
    out.flush();
    steps
        .addObject()
        .put("run", row.name())
        .put("outcome", result.result().outcome().name())
        .put("distinctStates", result.result().counts().distinct())
        .put("depth", result.result().counts().depth())
        .put("asExpected", result.asExpected());
    expect(result.asExpected(), name + ": " + String.join("; ", result.differences()));
  }

  private void run(Path trace, int seconds, Set<Defect> defects) throws Exception {
    WorkloadOptions options =
        WorkloadOptions.of(4, Duration.ofSeconds(seconds), 1).withDefects(defects);
    WorkloadSummary summary;
    TraceWriter writer = TraceWriter.create(trace, Workload.MID_DEREG.header(options));
    try (TraceRecording recording = TraceRecording.into(writer)) {
      summary = Workload.MID_DEREG.run(options, recording);
    }
    writer.close();
    out.printf(
        Locale.ROOT,
        "   %,d work requests, %,d deregistrations, %,d events in %.1f s%n",
        summary.operations(),
        summary.deregistrations(),
        summary.events(),
        summary.elapsed().toMillis() / 1000.0);
    out.flush();
  }

  private CheckResult check(TraceChecker checker, Path trace, int explanations) throws Exception {
    try (Console.Progress progress = common.console().progress("check")) {
      return checker.check(
          trace,
          CheckOptions.DEFAULT
              .withCommand(Console.PROGRAM + " explain")
              .withExplanations(explanations)
              .withSurprises(),
          (events, bytes, size) -> progress.reached(bytes, size, events + " events"));
    }
  }

  private void importRecording(Path trace) throws IOException {
    ImportedCapture imported;
    try (InputStream recording = DemoCommand.class.getResourceAsStream("demo/" + RECORDING)) {
      imported =
          CaptureImporter.read(
              recording, RECORDING, new ImportOptions(OptionalInt.of(MARKS_PORT), List.of()));
    }
    try (TraceWriter writer = TraceWriter.create(trace, imported.header())) {
      imported.writeTo(writer);
    }
    out.printf(
        Locale.ROOT,
        "   %,d frames, %,d of them RDMA, %,d events%n",
        imported.report().frames(),
        imported.report().rdmaFrames(),
        imported.events().size());
  }

  private void tell(CheckResult result) {
    steps
        .addObject()
        .put("trace", result.trace())
        .put("verdict", kind(result).name())
        .put("events", result.input().events())
        .put("decided", result.counts().decided())
        .put("undecided", result.counts().undecided())
        .put("violations", result.counts().of(Verdict.Kind.VIOLATION));
    out.printf(
        Locale.ROOT,
        "   %s: %,d events checked in %.1f s, %,d episodes of contracts decided%s%n",
        result.verdict().map(verdict -> verdict.kind().text().toUpperCase(Locale.ROOT)).orElse("-"),
        result.input().events(),
        result.seconds(),
        result.counts().decided(),
        result.counts().undecided() == 0
            ? ""
            : String.format(Locale.ROOT, ", %,d not", result.counts().undecided()));
    out.flush();
  }

  private void explainFirst(CheckResult result, Verdict.Kind kind) {
    result.details().stream()
        .filter(report -> report.verdict().kind() == kind && report.explanation().isPresent())
        .findFirst()
        .map((InstanceReport report) -> ExplanationText.text(result.trace(), report))
        .ifPresent(text -> out.print("\n" + text.indent(2)));
    out.flush();
  }

  private static Verdict.Kind kind(CheckResult result) {
    return result.verdict().map(Verdict::kind).orElse(Verdict.Kind.INCONCLUSIVE);
  }

  private void expect(boolean met, String otherwise) {
    if (!met) {
      asTold = false;
      out.println("   NOT AS TOLD: " + otherwise);
    }
  }

  private void heading(String text) {
    out.println();
    out.println(text);
    out.flush();
  }

  private void say(String text) {
    out.println(text);
  }
}
