package org.mrcheck.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.mrcheck.check.verdict.ExitCode;
import org.mrcheck.lang.diagnostic.Suggestion;
import org.mrcheck.spec.Counterexample;
import org.mrcheck.spec.ManifestRunner;
import org.mrcheck.spec.ModelProgress;
import org.mrcheck.spec.ModelResult;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.SpecManifest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mrcheck model}: TLC on the machines, with and without defects. */
@Command(
    name = "model",
    description = {
      "Checks the machines against the contracts with TLC.",
      "",
      "Machines are run with and without defects, and every verdict and state count is",
      "compared with the manifest. A defect is expected to be violated, and so is a run",
      "named reaches-...: its counterexample shows that the situation is reached at all."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every run ended as the manifest says",
      "1:a run ended otherwise",
      "2:usage",
      "6:gave up within the budget",
      "65:a module, a configuration or the manifest is malformed",
      "70:internal error"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  mrcheck model",
      "  mrcheck model --list",
      "  mrcheck model key-table-dereg-does-not-drain",
      "  mrcheck model --tla2tools ~/tla2tools.jar"
    })
final class ModelCommand implements Callable<Integer> {
  @Mixin private CommonOptions common;
  @Mixin private SpecOptions spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "RUN",
      description = "Runs of the manifest; all if none is named. A named run is shown in full.")
  private List<String> names = List.of();

  @Option(names = "--whole", description = "Show the observer's ledger in counterexamples too.")
  private boolean whole;

  @Option(names = "--list", description = "List the runs and what each shows; run none.")
  private boolean list;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "2",
      description = "Runs at once, each in a process of its own (default: ${DEFAULT-VALUE}).")
  private int parallel;

  @Override
  public Integer call() throws Exception {
    if (parallel < 1 || parallel > 64) {
      throw new ParameterException(common.commandLine(), "--parallel is 1 to 64");
    }
    try {
      return run();
    } catch (SpecException wrong) {
      throw new UserFault(
          "mrcheck: " + wrong.getMessage().stripTrailing() + "\n", ExitCode.MALFORMED_INPUT);
    }
  }

  private int run() throws InterruptedException {
    SpecLibrary library = spec.library();
    SpecManifest manifest = SpecManifest.read(library);
    List<SpecManifest.Row> rows = rows(manifest);
    if (list) {
      list(rows);
      return ExitCode.OK.code();
    }
    ManifestRunner runner = new ManifestRunner(spec.tools(), library);
    PrintWriter out = common.console().out();
    if (!common.json()) {
      out.printf("%-42s %-12s %8s %6s %7s%n", "run", "result", "states", "depth", "seconds");
      out.flush();
    }
    List<ManifestRunner.RowResult> results;
    try (Console.Progress progress = common.console().progress("model")) {
      results = runner.run(rows, parallel, new Shown(progress, rows.size()));
    }
    if (common.json()) {
      common.printJson(json(results));
    } else {
      summarise(results);
    }
    return exitCode(results).code();
  }

  /** Shows progress, and each result when it and all before it are there. */
  private final class Shown implements ManifestRunner.Listener {
    private final Console.Progress progress;
    private final int total;
    private int done;
    private String latest = "";

    Shown(Console.Progress progress, int total) {
      this.progress = progress;
      this.total = total;
    }

    @Override
    public void started(SpecManifest.Row row) {
      latest = row.name();
    }

    @Override
    public void progress(ModelProgress now) {
      progress.reached(done, total, latest + ", " + now.distinct() + " states");
    }

    @Override
    public void finished(ManifestRunner.RowResult result) {
      done++;
      if (!common.json()) {
        print(result);
        common.console().out().flush();
      }
    }
  }

  private static ExitCode exitCode(List<ManifestRunner.RowResult> results) {
    if (results.stream().allMatch(ManifestRunner.RowResult::asExpected)) {
      return ExitCode.OK;
    }
    boolean onlyGaveUp =
        results.stream()
            .filter(result -> !result.asExpected())
            .allMatch(result -> result.result().outcome() == ModelResult.Outcome.GAVE_UP);
    return onlyGaveUp ? ExitCode.GAVE_UP : ExitCode.VIOLATION;
  }

  private List<SpecManifest.Row> rows(SpecManifest manifest) {
    if (names.isEmpty()) {
      return manifest.rows();
    }
    List<String> known = manifest.rows().stream().map(SpecManifest.Row::name).toList();
    List<SpecManifest.Row> rows = new ArrayList<>();
    for (String name : names) {
      rows.add(
          manifest
              .row(name)
              .orElseThrow(
                  () ->
                      new ParameterException(
                          common.commandLine(),
                          "there is no run \""
                              + name
                              + "\""
                              + Suggestion.nearest(name, known)
                                  .map(near -> "; did you mean \"" + near + "\"?")
                                  .orElse("; see mrcheck model --list"))));
    }
    return rows;
  }

  private void list(List<SpecManifest.Row> rows) {
    if (common.json()) {
      ArrayNode array = CommonOptions.JSON.createArrayNode();
      rows.forEach(row -> array.addObject().put("run", row.name()).put("shows", row.shows()));
      common.printJson(array);
      return;
    }
    for (SpecManifest.Row row : rows) {
      common.console().out().printf("%-42s %s%n", row.name(), word(row.expected()));
      ModelText.wrap(row.shows(), "    ").forEach(common.console().out()::println);
    }
  }

  private void print(ManifestRunner.RowResult result) {
    PrintWriter out = common.console().out();
    SpecManifest.Row row = result.row();
    ModelResult found = result.result();
    out.printf(
        "%-42s %-12s %,8d %6d %7.1f%n",
        row.name(),
        word(found.outcome()) + (result.asExpected() ? "" : " !"),
        found.counts().distinct(),
        found.counts().depth(),
        found.elapsed().toMillis() / 1000.0);
    result
        .differences()
        .forEach(
            difference ->
                ModelText.wrap("NOT AS EXPECTED: " + difference, "    ").forEach(out::println));
    if (!names.isEmpty()) {
      ModelText.wrap(row.shows(), "    ").forEach(out::println);
      ModelText.wrap(found.message(), "    ").forEach(out::println);
      found
          .counterexample()
          .ifPresent(shown -> ModelText.lines(shown, whole).forEach(out::println));
    }
  }

  private void summarise(List<ManifestRunner.RowResult> results) {
    PrintWriter out = common.console().out();
    long green =
        results.stream()
            .filter(result -> result.result().outcome() == ModelResult.Outcome.HOLDS)
            .count();
    long unexpected = results.stream().filter(result -> !result.asExpected()).count();
    out.println();
    out.printf(
        "%s: %d hold within the bounds of their model, %d show a counterexample;%n%s%n",
        results.size() == 1 ? "1 run" : results.size() + " runs",
        green,
        results.size() - green,
        unexpected == 0 ? "all as expected." : unexpected + " NOT as expected.");
    if (names.isEmpty()) {
      out.println("See one in full: " + Console.PROGRAM + " model RUN");
      out.println("What each shows: " + Console.PROGRAM + " model --list");
    }
  }

  private static String word(ModelResult.Outcome outcome) {
    return switch (outcome) {
      case HOLDS -> "holds";
      case INVARIANT_VIOLATED, PROPERTY_VIOLATED -> "violated";
      case DEADLOCK -> "deadlock";
      case ASSUMPTION_FALSE -> "assumption";
      case SPEC_ERROR -> "spec error";
      case GAVE_UP -> "gave up";
    };
  }

  private static ObjectNode json(List<ManifestRunner.RowResult> results) {
    ObjectNode document = CommonOptions.JSON.createObjectNode();
    document.put("schema", "mrcheck-model-1");
    document.put("exitCode", exitCode(results).code());
    ArrayNode array = document.putArray("runs");
    for (ManifestRunner.RowResult result : results) {
      ModelResult found = result.result();
      ObjectNode node = array.addObject();
      node.put("run", result.row().name());
      node.put("shows", result.row().shows());
      node.put("outcome", found.outcome().name());
      found.violated().ifPresent(name -> node.put("violated", name));
      node.put("asExpected", result.asExpected());
      result.differences().forEach(node.putArray("differences")::add);
      node.put("distinctStates", found.counts().distinct());
      node.put("generatedStates", found.counts().generated());
      node.put("depth", found.counts().depth());
      node.put("seconds", found.elapsed().toMillis() / 1000.0);
      found.counterexample().ifPresent(shown -> counterexample(node, shown));
    }
    return document;
  }

  private static void counterexample(ObjectNode node, Counterexample shown) {
    ObjectNode object = node.putObject("counterexample");
    object.put("shortest", shown.shortest());
    ArrayNode states = object.putArray("states");
    for (Counterexample.State state : shown.states()) {
      ObjectNode one = states.addObject();
      one.put("number", state.number());
      one.put("action", state.action());
      ObjectNode changed = one.putObject("changed");
      state.changed().forEach((name, value) -> changed.put(name, value.toString()));
    }
  }
}
