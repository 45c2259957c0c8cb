package org.mrcheck.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mrcheck.check.verdict.ExitCode;
import org.mrcheck.lang.diagnostic.Suggestion;
import org.mrcheck.spec.Counterexample;
import org.mrcheck.spec.ManifestRunner;
import org.mrcheck.spec.ModelProgress;
import org.mrcheck.spec.ModelResult;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecManifest;
import org.mrcheck.spec.suite.Finding;
import org.mrcheck.spec.suite.Matrix;
import org.mrcheck.spec.suite.ModelFindings;
import org.mrcheck.spec.suite.ProfileTable;
import org.mrcheck.spec.suite.StateGraph;
import org.mrcheck.spec.suite.Story;
import org.mrcheck.spec.suite.SuiteManifest;
import org.mrcheck.spec.suite.SuiteRunner;
import org.mrcheck.spec.suite.Verdicts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mrcheck model}: TLC on the machine under every profile, with and without defects. */
@Command(
    name = "model",
    description = {
      "Checks the machine against the contracts with TLC.",
      "",
      "Each model looks at one part of the machine, under the policies of every profile,",
      "and again with one known defect at a time, all in one run of TLC. Who breaks which",
      "contract after how many steps, and all state counts, must be what the manifest says."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every run ended as the manifest says; a cell was explained",
      "1:a run ended otherwise",
      "2:usage, or a file that cannot be written",
      "6:gave up within the budget",
      "65:a module, a configuration or the manifest is malformed",
      "70:internal error"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  mrcheck model",
      "  mrcheck model --list",
      "  mrcheck model --profile siw --contract NoAccessAfterReturn",
      "  mrcheck model --explain siw/NoAccessAfterReturn --diagram siw.svg",
      "  mrcheck model --graph NoAccessAfterReturn --diagram graph.svg",
      "  mrcheck model --bounds wide --workers 2",
      "  mrcheck model --tlc ~/tla2tools.jar"
    })
final class ModelCommand implements Callable<Integer> {
  @Mixin private CommonOptions common;
  @Mixin private SpecOptions spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "RUN",
      description = "Runs of the manifest; all if none is named. A named run is shown in full.")
  private List<String> names = List.of();

  @Option(
      names = "--profile",
      paramLabel = "PROFILE",
      description = "Only the models that judge this profile, and what they say of it.")
  private String profile;

  @Option(
      names = "--contract",
      paramLabel = "NAME",
      description = "Only the models that watch this contract or liveness property.")
  private String contract;

  @Option(
      names = "--explain",
      paramLabel = "CELL",
      description = {
        "Show the counterexample of a red cell step by step, and which policy causes it:",
        "PROFILE/PROPERTY, or DEFECT/CONTRACT for a mutant."
      })
  private String cell;

  @Option(
      names = "--graph",
      paramLabel = "CONTRACT",
      description = {
        "Draw the state graph of a contract from what TLC dumps; there must be a module",
        "Graph<CONTRACT> that makes a next-state relation of it. Goes with --diagram."
      })
  private String graph;

  @Option(
      names = "--diagram",
      paramLabel = "FILE",
      description = {
        "With --explain: write the sequence diagram (.svg, .puml, else text).",
        "With --graph: write the state graph (.svg, .puml, else .dot)."
      })
  private Path diagram;

  @Option(
      names = "--bounds",
      paramLabel = "ci|wide",
      defaultValue = "ci",
      description = "Small bounds, minutes in all; or wide ones, hours (default: ci).")
  private String bounds;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "1",
      description = {
        "Threads of each TLC (default: ${DEFAULT-VALUE}). With more than one, a",
        "counterexample need not be the shortest, and counts are not compared."
      })
  private int workers;

  @Option(names = "--whole", description = "Show the observer's ledger in counterexamples too.")
  private boolean whole;

  @Option(names = "--list", description = "List the runs and what each shows; run none.")
  private boolean list;

  @Option(
      names = "--store",
      paramLabel = "FOLDER",
      description = "Where results are kept (default: mrcheck/models in the user's cache).")
  private Path store;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "2",
      description = "Runs at once, each in a process of its own (default: ${DEFAULT-VALUE}).")
  private int parallel;

  @Override
  public Integer call() throws Exception {
    if (parallel < 1 || parallel > 64) {
      throw usage("--parallel is 1 to 64");
    }
    if (workers < 1 || workers > 256) {
      throw usage("--workers is 1 to 256");
    }
    if (!bounds.equals("ci") && !bounds.equals("wide")) {
      throw usage("--bounds is ci or wide, not \"" + bounds + "\"");
    }
    if (diagram != null && cell == null && graph == null) {
      throw usage("--diagram goes with --explain or --graph");
    }
    if (graph != null && diagram == null) {
      throw usage("--graph needs --diagram FILE");
    }
    try {
      if (graph != null) {
        return graph();
      }
      SuiteManifest manifest = SuiteManifest.read(spec.library());
      if (cell != null) {
        return explain();
      }
      List<SuiteManifest.Row> models = new ArrayList<>();
      List<SpecManifest.Row> rows = new ArrayList<>();
      choose(manifest, models, rows);
      if (list) {
        list(models, rows);
        return ExitCode.OK.code();
      }
      return run(models, rows);
    } catch (SpecException wrong) {
      throw new UserFault(
          "mrcheck: " + wrong.getMessage().stripTrailing() + "\n", ExitCode.MALFORMED_INPUT);
    }
  }

  /** Draws the state graph of a contract. */
  private int graph() throws InterruptedException, IOException {
    String module = "Graph" + graph;
    if (spec.library().module(module).isEmpty()) {
      throw usage("there is no module " + module + ".tla for --graph " + graph);
    }
    StateGraph drawn = StateGraph.of(spec.tools(), spec.library(), module);
    String name = String.valueOf(diagram.getFileName()).toLowerCase(Locale.ROOT);
    if (name.endsWith(".svg")) {
      OutputFiles.write(diagram, SequenceDiagram.svg(drawn.toPlantUml()));
    } else {
      OutputFiles.write(diagram, name.endsWith(".puml") ? drawn.toPlantUml() : drawn.toDot());
    }
    common
        .console()
        .out()
        .printf(
            "%s: %d states, %d steps; drawn in %s%n",
            graph, drawn.states().size(), drawn.edges().size(), diagram);
    return ExitCode.OK.code();
  }

  private ParameterException usage(String message) {
    return new ParameterException(common.commandLine(), message);
  }

  private SuiteSession session(boolean reuse) {
    return SuiteSession.open(
        spec.tools(),
        spec.library(),
        common.console(),
        bounds.equals("wide"),
        workers,
        parallel,
        Optional.ofNullable(store),
        reuse);
  }

  /** The runs that the user names, by name or by what they are about. */
  private void choose(
      SuiteManifest manifest, List<SuiteManifest.Row> models, List<SpecManifest.Row> rows) {
    List<String> known = new ArrayList<>();
    manifest.all().forEach(row -> known.add(row.name()));
    manifest.rows().rows().forEach(row -> known.add(row.name()));
    for (String name : names) {
      if (!known.contains(name)) {
        throw usage(unknown("run", name, known, "see mrcheck model --list"));
      }
    }
    if (profile != null) {
      Set<String> profiles = new TreeSet<>();
      manifest.all().forEach(row -> profiles.addAll(row.expected().profiles()));
      if (!profiles.contains(profile)) {
        throw usage(
            unknown("profile", profile, profiles, "there are " + String.join(", ", profiles)));
      }
    }
    if (contract != null) {
      Set<String> contracts = new TreeSet<>();
      manifest.all().forEach(row -> contracts.addAll(row.expected().watched()));
      if (!contracts.contains(contract)) {
        throw usage(unknown("contract", contract, contracts, "see mrcheck matrix for their names"));
      }
    }
    for (SuiteManifest.Row row : manifest.all()) {
      if ((names.isEmpty() || names.contains(row.name()))
          && (profile == null || row.expected().profiles().contains(profile))
          && (contract == null || row.expected().watched().contains(contract))) {
        models.add(row);
      }
    }
    for (SpecManifest.Row row : manifest.rows().rows()) {
      if (names.isEmpty() ? profile == null && contract == null : names.contains(row.name())) {
        rows.add(row);
      }
    }
  }

  private static String unknown(
      String kind, String name, Collection<String> known, String otherwise) {
    return "there is no "
        + kind
        + " \""
        + name
        + "\"; "
        + Suggestion.nearest(name, known)
            .map(near -> "did you mean \"" + near + "\"?")
            .orElse(otherwise);
  }

  private int run(List<SuiteManifest.Row> models, List<SpecManifest.Row> rows)
      throws InterruptedException {
    PrintWriter out = common.console().out();
    List<SuiteRunner.RowResult> suite = new ArrayList<>();
    if (!models.isEmpty()) {
      SuiteSession session = session(false);
      if (!common.json()) {
        out.printf(
            "%-32s %7s %5s %10s %6s %8s%n",
            "model", "choices", "red", "states", "depth", "seconds");
        out.flush();
      }
      suite =
          session.run(
              models,
              result -> {
                if (!common.json()) {
                  print(result, session.runner().profiles());
                  out.flush();
                }
              });
    }
    List<ManifestRunner.RowResult> results = new ArrayList<>();
    if (!rows.isEmpty()) {
      if (!common.json()) {
        out.printf("%n%-42s %-12s %8s %6s %7s%n", "run", "result", "states", "depth", "seconds");
        out.flush();
      }
      try (Console.Progress progress = common.console().progress("model")) {
        results =
            new ManifestRunner(spec.tools(), spec.library())
                .run(rows, parallel, new Shown(progress, rows.size()));
      }
    }
    int code = exitCode(suite, results).code();
    if (common.json()) {
      ObjectNode document = json(suite, results);
      document.put("exitCode", code);
      common.printJson(document);
    } else {
      summarise(suite, results);
    }
    return code;
  }

  private void print(SuiteRunner.RowResult result, ProfileTable profiles) {
    PrintWriter out = common.console().out();
    ModelFindings found = result.findings();
    out.printf(
        "%-32s %7d %5d %,10d %6d %8.1f%s%n",
        result.row().name(),
        found.settings().ran().size(),
        found.broken().size(),
        found.counts().distinct(),
        found.counts().depth(),
        found.elapsed().toMillis() / 1000.0,
        result.asExpected() ? "" : " !");
    for (String difference : result.differences()) {
      ModelText.wrap("NOT AS EXPECTED: " + difference, "    ").forEach(out::println);
    }
    if (!result.asExpected()) {
      out.println("    again: " + again(result));
    }
    if (names.isEmpty() && profile == null && contract == null) {
      return;
    }
    ModelText.wrap(result.row().shows(), "    ").forEach(out::println);
    ModelText.wrap("bounds: " + result.row().bounds(), "    ").forEach(out::println);
    Verdicts.of(found, profiles)
        .red()
        .forEach(
            (property, breakers) -> {
              if (contract == null || contract.equals(property)) {
                StringJoiner who = new StringJoiner(", ");
                breakers
                    .profiles()
                    .forEach(
                        (each, steps) -> {
                          if (profile == null || profile.equals(each)) {
                            who.add(each + " (" + steps + ")");
                          }
                        });
                breakers.mutants().forEach((each, steps) -> who.add(each + " (" + steps + ")"));
                if (who.length() > 0) {
                  ModelText.wrap(property + " is broken by " + who, "    ").forEach(out::println);
                }
              }
            });
    if (!found.reached().isEmpty()) {
      ModelText.wrap(
              "reached: "
                  + found.reached().stream()
                      .map(each -> each.name() + " (" + each.steps() + ")")
                      .collect(Collectors.joining(", ")),
              "    ")
          .forEach(out::println);
    }
  }

  private String again(SuiteRunner.RowResult result) {
    return Console.PROGRAM
        + " model "
        + result.row().name()
        + (result.wide() ? " --bounds wide" : "")
        + (workers > 1 ? " --workers " + workers : "");
  }

  /** Shows the way to a red cell. */
  private int explain() throws InterruptedException {
    SuiteSession session = session(true);
    String who = cell.contains("/") ? cell.substring(0, cell.indexOf('/')) : "";
    String property = cell.substring(cell.indexOf('/') + 1);
    Set<String> properties = new TreeSet<>();
    session.manifest().all().forEach(row -> properties.addAll(row.expected().watched()));
    ProfileTable profiles = session.runner().profiles();
    if (who.isEmpty()) {
      throw usage("--explain takes PROFILE/PROPERTY, such as siw/NoAccessAfterReturn");
    }
    if (!properties.contains(property)) {
      throw usage(unknown("contract", property, properties, "see mrcheck matrix for their names"));
    }
    boolean isProfile = profiles.names().contains(who);
    Set<String> mutants = new TreeSet<>();
    for (SuiteManifest.Row row : session.manifest().all()) {
      row.expected()
          .verdicts()
          .red()
          .values()
          .forEach(each -> mutants.addAll(each.mutants().keySet()));
    }
    if (!isProfile && !mutants.contains(who)) {
      mutants.addAll(profiles.names());
      throw usage(unknown("profile or defect", who, mutants, "see mrcheck matrix"));
    }
    List<SuiteManifest.Row> rows =
        session.manifest().all().stream()
            .filter(row -> row.expected().watched().contains(property))
            .filter(
                row ->
                    isProfile
                        ? row.expected().profiles().contains(who)
                        : row.expected().verdicts().red().containsKey(property)
                            && row.expected()
                                .verdicts()
                                .red()
                                .get(property)
                                .mutants()
                                .containsKey(who))
            .toList();
    // The manifest says which model has the shortest way; the others need not run.
    Optional<SuiteManifest.Row> shortest =
        rows.stream()
            .filter(row -> expectedSteps(row, property, who) > 0)
            .min(Comparator.comparingInt(row -> expectedSteps(row, property, who)));
    if (shortest.isPresent()) {
      rows = List.of(shortest.get());
    }
    List<SuiteRunner.RowResult> results = session.run(rows, result -> {});
    SuiteRunner.RowResult best = null;
    Finding finding = null;
    for (SuiteRunner.RowResult result : results) {
      Optional<Finding> found =
          isProfile
              ? result.findings().shortest(property, who, profiles)
              : result.findings().broken().stream()
                  .filter(
                      each -> each.name().equals(property) && each.choice().defect().equals(who))
                  .findFirst();
      if (found.isPresent() && (finding == null || found.get().steps() < finding.steps())) {
        best = result;
        finding = found.get();
      }
    }
    if (finding == null) {
      return notRed(session, who, property, results);
    }
    Story story;
    try (Console.Progress progress = common.console().progress("model")) {
      SuiteManifest.Row row = best.row();
      story =
          Story.tell(
              session.runner(),
              row,
              best.findings(),
              finding,
              now ->
                  progress.reached(0, 0, "%s, %,d states".formatted(row.name(), now.distinct())));
    }
    List<StorySteps.Step> steps = StorySteps.of(story.behaviour());
    if (diagram != null) {
      SequenceDiagram.of(cell, steps).write(diagram);
    }
    if (common.json()) {
      common.printJson(storyJson(story, steps));
      return ExitCode.OK.code();
    }
    List<String> lines = StoryText.lines(cell, story, profiles.strict(), steps);
    if (spec.library().module(property).isPresent()) {
      StoryText.field(lines, "promise", property + ".tla");
    }
    StoryText.field(lines, "again", Console.PROGRAM + " model --explain " + cell);
    if (diagram != null) {
      StoryText.field(lines, "diagram", diagram.toString());
    }
    lines.forEach(common.console().out()::println);
    return ExitCode.OK.code();
  }

  /** How many steps the manifest expects; 0 when it expects no counterexample. */
  private static int expectedSteps(SuiteManifest.Row row, String property, String who) {
    Verdicts.Breakers breakers = row.expected().verdicts().red().get(property);
    return breakers == null
        ? 0
        : breakers.profiles().getOrDefault(who, breakers.mutants().getOrDefault(who, 0));
  }

  private int notRed(
      SuiteSession session, String who, String property, List<SuiteRunner.RowResult> results) {
    Matrix matrix =
        Matrix.of(results, session.runner().profiles(), session.manifest().notApplicable());
    String colour =
        matrix
            .cell(who, property)
            .map(
                found ->
                    found.colour().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                        + found.why().map(why -> " (" + why + ")").orElse(""))
            .orElse("not applicable (no model judges it)");
    List<String> lines = new ArrayList<>();
    lines.addAll(
        ModelText.wrap(
            cell + " is not red but " + colour + ": there is no counterexample to show.", ""));
    for (SuiteRunner.RowResult result : results) {
      StoryText.field(lines, "model", result.row().name());
      StoryText.field(lines, "bounds", result.row().bounds());
      Verdicts.Breakers breakers =
          Verdicts.of(result.findings(), session.runner().profiles()).red().get(property);
      StoryText.field(
          lines,
          "broken by",
          breakers == null
              ? "nobody there"
              : Stream.concat(
                      breakers.profiles().keySet().stream(),
                      breakers.mutants().keySet().stream().map(defect -> "defect " + defect))
                  .collect(Collectors.joining(", ")));
    }
    lines.forEach(common.console().out()::println);
    return ExitCode.OK.code();
  }

  private static ObjectNode storyJson(Story story, List<StorySteps.Step> steps) {
    ObjectNode document = CommonOptions.JSON.createObjectNode();
    document.put("schema", "mrcheck-story-1");
    document.put("model", story.row().name());
    document.put("property", story.finding().name());
    document.put("defect", story.finding().choice().defect());
    ObjectNode policies = document.putObject("policies");
    story.finding().choice().policy().forEach(policies::put);
    ArrayNode array = document.putArray("steps");
    for (StorySteps.Step step : steps) {
      ObjectNode one = array.addObject().put("action", step.action());
      if (!step.silent()) {
        one.put("event", (step.name() + " " + step.fields()).strip());
      }
      step.changes().forEach(one.putArray("changes")::add);
      step.broken().forEach(one.putArray("breaks")::add);
    }
    ArrayNode repairs = document.putArray("repairs");
    for (List<Story.Flip> set : story.repairs()) {
      ArrayNode flips = repairs.addArray();
      set.forEach(
          flip ->
              flips
                  .addObject()
                  .put("policy", flip.policy())
                  .put("from", flip.from())
                  .put("to", flip.to()));
    }
    return document;
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

  private static ExitCode exitCode(
      List<SuiteRunner.RowResult> suite, List<ManifestRunner.RowResult> results) {
    List<Boolean> gaveUp = new ArrayList<>();
    suite.stream()
        .filter(result -> !result.asExpected())
        .forEach(result -> gaveUp.add(result.findings().kind() == ModelFindings.Kind.GAVE_UP));
    results.stream()
        .filter(result -> !result.asExpected())
        .forEach(result -> gaveUp.add(result.result().outcome() == ModelResult.Outcome.GAVE_UP));
    if (gaveUp.isEmpty()) {
      return ExitCode.OK;
    }
    return gaveUp.contains(false) ? ExitCode.VIOLATION : ExitCode.GAVE_UP;
  }

  private void list(List<SuiteManifest.Row> models, List<SpecManifest.Row> rows) {
    PrintWriter out = common.console().out();
    if (common.json()) {
      ArrayNode array = CommonOptions.JSON.createArrayNode();
      models.forEach(row -> array.addObject().put("run", row.name()).put("shows", row.shows()));
      rows.forEach(row -> array.addObject().put("run", row.name()).put("shows", row.shows()));
      common.printJson(array);
      return;
    }
    for (SuiteManifest.Row row : models) {
      out.println(row.name());
      ModelText.wrap(row.shows(), "    ").forEach(out::println);
      ModelText.wrap(
              "watches "
                  + String.join(", ", row.expected().watched())
                  + (row.expected().opened().isEmpty()
                      ? ""
                      : "; opens " + String.join(", ", row.expected().opened())),
              "    ")
          .forEach(out::println);
    }
    for (SpecManifest.Row row : rows) {
      out.printf("%-42s %s%n", row.name(), word(row.expected()));
      ModelText.wrap(row.shows(), "    ").forEach(out::println);
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

  private void summarise(
      List<SuiteRunner.RowResult> suite, List<ManifestRunner.RowResult> results) {
    PrintWriter out = common.console().out();
    long unexpected =
        suite.stream().filter(result -> !result.asExpected()).count()
            + results.stream().filter(result -> !result.asExpected()).count();
    out.println();
    if (!suite.isEmpty()) {
      long findings = suite.stream().mapToLong(each -> each.findings().broken().size()).sum();
      long states = suite.stream().mapToLong(each -> each.findings().counts().distinct()).sum();
      out.printf(
          "%s, %,d distinct states: %,d counterexamples, each the shortest there is.%n",
          suite.size() == 1 ? "1 model" : suite.size() + " models", states, findings);
    }
    if (!results.isEmpty()) {
      long green =
          results.stream()
              .filter(result -> result.result().outcome() == ModelResult.Outcome.HOLDS)
              .count();
      out.printf(
          "%s: %d hold within the bounds of their model, %d show a counterexample.%n",
          results.size() == 1 ? "1 run" : results.size() + " runs", green, results.size() - green);
    }
    out.println(unexpected == 0 ? "All as expected." : unexpected + " NOT as expected.");
    if (names.isEmpty()) {
      out.println("One in full:  " + Console.PROGRAM + " model RUN");
      out.println("What is red:  " + Console.PROGRAM + " matrix");
      out.println("What each shows:  " + Console.PROGRAM + " model --list");
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

  private static ObjectNode json(
      List<SuiteRunner.RowResult> suite, List<ManifestRunner.RowResult> results) {
    ObjectNode document = CommonOptions.JSON.createObjectNode();
    document.put("schema", "mrcheck-model-2");
    ArrayNode models = document.putArray("models");
    for (SuiteRunner.RowResult result : suite) {
      ModelFindings found = result.findings();
      ObjectNode node = models.addObject();
      node.put("run", result.row().name());
      node.put("shows", result.row().shows());
      node.put("asExpected", result.asExpected());
      result.differences().forEach(node.putArray("differences")::add);
      node.put("distinctStates", found.counts().distinct());
      node.put("generatedStates", found.counts().generated());
      node.put("depth", found.counts().depth());
      node.put("seconds", found.elapsed().toMillis() / 1000.0);
      ArrayNode broken = node.putArray("broken");
      for (Finding finding : found.broken()) {
        ObjectNode one = broken.addObject();
        one.put("contract", finding.name()).put("steps", finding.steps());
        one.put("defect", finding.choice().defect());
        ObjectNode policies = one.putObject("policies");
        finding.choice().policy().forEach(policies::put);
      }
    }
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
