package org.mrcheck.spec.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.mrcheck.spec.ProgressSink;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.TlaTools;

/** A small family in the shape of the real one: a desk that lends a key. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SuiteRunnerTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("mrcheck.root"), "spec-tla/src/test/resources/suite");
  private static final SpecLibrary LIBRARY = SpecLibrary.folder(FOLDER);
  private static final ProfileTable PROFILES = ProfileTable.read(TlaTools.bundled(), LIBRARY);
  private static final SuiteManifest MANIFEST = SuiteManifest.read(LIBRARY);

  private List<SuiteRunner.RowResult> results;

  private static SuiteRunner runner(SpecLibrary library, SuiteRunner.Options options) {
    return new SuiteRunner(TlaTools.bundled(), library, PROFILES, options);
  }

  @BeforeAll
  void runAll() throws Exception {
    results =
        runner(LIBRARY, SuiteRunner.Options.DEFAULT)
            .run(MANIFEST.all(), SuiteRunner.Listener.none());
    if (Boolean.getBoolean("mrcheck.golden.update")) {
      Files.writeString(
          FOLDER.resolve("manifest.json"), MANIFEST.updated(results, PROFILES).toJson());
    }
  }

  private Choice choice(String order, String returns, String defect) {
    return new Choice(new TreeMap<>(Map.of("Order", order, "Return", returns)), defect);
  }

  @Test
  void run_ofAModel_findsWhatEveryChoiceBreaksAndReachesInTheFewestSteps() {
    ModelFindings found = results.get(0).findings();
    assertThat(found.explored()).isTrue();
    assertThat(found.broken())
        .extracting(each -> each.name() + " " + each.choice() + " " + each.actions())
        .containsExactlyInAnyOrder(
            "NoNewUse " + choice("First", "Drained", "Copies") + " [Ask, Begin]",
            "NoUseAfterReturn " + choice("First", "Drained", "Copies") + " [Ask, Begin]",
            "NoUseAfterReturn " + choice("First", "Drained", "Snatches") + " [Ask, TakeBack]",
            "NoUseAfterReturn "
                + choice("First", "AtOnce", "none")
                + " [Begin, Ask, TakeBack, Finish]",
            "NoUseAfterReturn "
                + choice("Last", "AtOnce", "none")
                + " [Begin, Ask, TakeBack, Finish]");
    assertThat(found.reached())
        .extracting(each -> each.name() + " " + each.steps())
        .containsExactly("AskedWhileUsing 2");
    assertThat(found.settings().ran()).hasSize(6);
  }

  @Test
  void run_ofALivenessProperty_findsEveryChoiceThatBreaksIt() {
    ModelFindings found = results.get(1).findings();
    assertThat(found.settings().watched()).containsExactly("Returns");
    assertThat(found.broken())
        .extracting(each -> each.choice().toString())
        .containsExactlyInAnyOrder(
            "Choice[policy={Return=Drained}, defect=Keeps]",
            "Choice[policy={Return=Drained}, defect=none]");
  }

  @Test
  void run_asTheManifestSays_hasNoDifferences() {
    assertThat(results).allSatisfy(result -> assertThat(result.differences()).isEmpty());
  }

  @Test
  void run_otherThanTheManifestSays_tellsEveryDifference() {
    SuiteManifest.Expected expected = MANIFEST.models().get(0).expected();
    Verdicts.Breakers breakers = expected.verdicts().red().get("NoUseAfterReturn");
    Map<String, Verdicts.Breakers> red =
        Map.of(
            "NoUseAfterReturn",
            new Verdicts.Breakers(
                new TreeMap<>(Map.of("hasty", 3, "quiet", 4)), breakers.mutants(), 2));
    SuiteManifest.Expected wrong =
        new SuiteManifest.Expected(
            expected.opened(),
            expected.watched(),
            expected.profiles(),
            5,
            new Verdicts(new TreeMap<>(red), new TreeMap<>()),
            1,
            expected.generated(),
            expected.depth(),
            1);
    assertThat(wrong.differences(expected, true, true))
        .containsExactly(
            "mutant Copies breaks NoNewUse after 2 steps, expected never",
            "profile hasty breaks NoUseAfterReturn after 4 steps, expected 3",
            "profile quiet does not break NoUseAfterReturn, expected after 4 steps",
            "profile spec breaks NoUseAfterReturn after 4 steps, expected never",
            "situation AskedWhileUsing is reached after 2 steps, expected never",
            "choices: 6, expected 5",
            "distinct states: 124, expected 1");
  }

  @Test
  void matrix_ofTheRuns_isRedGreenAndNotApplicable() {
    Matrix matrix = Matrix.of(results, PROFILES, MANIFEST.notApplicable());
    assertThat(matrix.rows())
        .extracting(
            row ->
                row.property()
                    + " "
                    + row.cells().values().stream().map(Matrix.Cell::colour).toList())
        .containsExactly(
            "NoNewUse [GREEN, GREEN, GREEN, NOT_APPLICABLE]",
            "NoUseAfterReturn [RED, GREEN, RED, GREEN]",
            "Returns [RED, RED, GREEN, RED]");
    Matrix expected = Matrix.expected(MANIFEST, PROFILES.names());
    for (Matrix.Row row : matrix.rows()) {
      row.cells()
          .forEach(
              (profile, cell) ->
                  assertThat(expected.cell(profile, row.property()).orElseThrow())
                      .extracting(Matrix.Cell::colour, Matrix.Cell::steps)
                      .containsExactly(cell.colour(), cell.steps()));
    }
    assertThat(matrix.cell("hasty", "NoUseAfterReturn").orElseThrow().finding().orElseThrow())
        .extracting(Finding::choice)
        .isEqualTo(choice("First", "AtOnce", "none"));
  }

  @Test
  void matrix_whereNobodyBreaksAProperty_isBounded() {
    ModelFindings found = results.get(0).findings();
    ModelFindings nothing =
        new ModelFindings(
            found.model(),
            found.settings(),
            List.of(),
            List.of(),
            found.counts(),
            Duration.ZERO,
            Optional.empty(),
            ModelFindings.Kind.EXPLORED);
    Matrix matrix =
        Matrix.of(
            List.of(
                new SuiteRunner.RowResult(results.get(0).row(), nothing, List.of(), false, false)),
            PROFILES,
            List.of());
    assertThat(matrix.rows())
        .allSatisfy(
            row ->
                assertThat(row.cells().values())
                    .allSatisfy(
                        cell -> assertThat(cell.colour()).isEqualTo(Matrix.Colour.BOUNDED)));
  }

  @Test
  void neutrality_ofThePolicies_isWhatTheRunsShow() {
    assertThat(Neutrality.problems(results, MANIFEST.neutral())).isEmpty();
    assertThat(Neutrality.problems(results, List.of()))
        .containsExactly(
            "Order: no model tells First from Last (compared in desk), and they are not declared"
                + " neutral");
    assertThat(
            Neutrality.problems(
                results,
                List.of(
                    new SuiteManifest.Neutral("Order", new TreeSet<>(), "so"),
                    new SuiteManifest.Neutral("Return", new TreeSet<>(), "wrong"),
                    new SuiteManifest.Neutral("Report", new TreeSet<>(), "unseen"))))
        .containsExactly(
            "Return is declared neutral between AtOnce and Drained, but they differ in desk:"
                + " NoUseAfterReturn",
            "Report is declared neutral, but no model compares its values");
  }

  @Test
  void story_ofARedCell_tellsEventsAndTheChoiceThatCausesIt() throws Exception {
    ModelFindings found = results.get(0).findings();
    Finding finding =
        found.finding("NoUseAfterReturn", choice("Last", "AtOnce", "none")).orElseThrow();
    Story story =
        Story.tell(
            runner(LIBRARY, SuiteRunner.Options.DEFAULT),
            MANIFEST.models().get(0),
            found,
            finding,
            ProgressSink.none());
    assertThat(story.behaviour().states().get(4).variables().get("event"))
        .hasToString("[actor |-> \"guest\", name |-> \"finish\"]");
    assertThat(story.behaviour().actions()).isEqualTo(finding.actions());
    assertThat(story.repairs())
        .containsExactly(List.of(new Story.Flip("Return", "AtOnce", "Drained")));
    assertThat(story.useless()).containsExactly(new Story.Flip("Order", "Last", "First"));
  }

  @Test
  void story_ofALivenessProperty_goesOnForEver() throws Exception {
    ModelFindings found = results.get(1).findings();
    Story story =
        Story.tell(
            runner(LIBRARY, SuiteRunner.Options.DEFAULT),
            MANIFEST.liveness().get(0),
            found,
            found.broken().get(0),
            ProgressSink.none());
    assertThat(story.behaviour().stutters()).isTrue();
    assertThat(story.repairs()).isEmpty();
  }

  @Test
  void store_ofResults_isUsedUntilAModuleChanges(@TempDir Path folder) throws Exception {
    SuiteRunner.Options options =
        new SuiteRunner.Options(
            false,
            1,
            1,
            512,
            Duration.ofMinutes(5),
            Optional.of(new ResultStore(folder.resolve("results"))),
            true);
    SuiteManifest.Row row = MANIFEST.models().get(0);
    SuiteRunner.RowResult first = runner(LIBRARY, options).run(row, ProgressSink.none());
    SuiteRunner.RowResult second = runner(LIBRARY, options).run(row, ProgressSink.none());
    assertThat(first.reused()).isFalse();
    assertThat(second.reused()).isTrue();
    assertThat(second.findings().broken()).isEqualTo(first.findings().broken());
    assertThat(second.findings().settings()).isEqualTo(first.findings().settings());
    assertThat(second.differences()).isEmpty();
    SpecLibrary edited =
        SpecLibrary.of(
                Map.of(
                    "Desk.tla",
                    LIBRARY.text("Desk.tla").orElseThrow().replace("~using /\\ uses", "uses")))
            .orElse(LIBRARY);
    SuiteRunner.RowResult other = runner(edited, options).run(row, ProgressSink.none());
    assertThat(other.reused()).isFalse();
    assertThat(other.asExpected()).isFalse();
  }

  @Test
  void run_ofAnotherViolatedInvariant_isAFaultOfTheModel() throws Exception {
    SpecLibrary broken =
        SpecLibrary.of(
                Map.of(
                    "Desk.tla",
                    LIBRARY
                        .text("Desk.tla")
                        .orElseThrow()
                        .replace("key \\in {\"lent\", \"asked\", \"back\"}", "key # \"back\"")))
            .orElse(LIBRARY);
    SuiteRunner.RowResult result =
        runner(broken, SuiteRunner.Options.DEFAULT)
            .run(MANIFEST.models().get(0), ProgressSink.none());
    assertThat(result.differences())
        .containsExactly("invariant TypeInv is violated after: Ask, TakeBack");
    assertThat(result.findings().kind()).isEqualTo(ModelFindings.Kind.ERROR);
  }
}
