package org.mrcheck.spec.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.SpecManifest;
import org.mrcheck.spec.TlaTools;

/**
 * Every focused model and liveness property shows what its row in the manifest says, exactly, and
 * policies make a difference unless they are declared neutral.
 *
 * <p>{@code -Dmrcheck.manifest.update=counts} writes state counts, depths and seconds into the
 * manifest; it fails where a verdict differs. {@code -Dmrcheck.manifest.update=verdicts} writes
 * verdicts too, adds rows for configuration files that say {@code \* Shows:} and are in no row, and
 * prints what changed: to be read before it is committed. {@code -Dmrcheck.suite.only=NAME,NAME}
 * runs only these; {@code -Dmrcheck.suite.store=FOLDER} takes results of earlier runs of the same
 * text, as {@code mrcheck matrix} does, and keeps new ones. Both are slow tests: add {@code
 * -Pslow}.
 */
class BundledSuiteTest {
  private static final Path FOLDER = Path.of(System.getProperty("mrcheck.root"), "spec-tla");
  private static final double FAST_SECONDS = 8;
  private static final Pattern NOTE =
      Pattern.compile("(?m)^\\\\\\* (Shows|Bounds|Fairness): (.*(?:\\R\\\\\\* {2,}.*)*)");
  private static final Pattern PROPERTY = Pattern.compile("(?m)^PROPERTY\\s+(\\w+)");
  private static final Pattern INVARIANT = Pattern.compile("\\bNothingNew\\b");

  private static SuiteManifest manifest() {
    return SuiteManifest.read(SpecLibrary.folder(FOLDER));
  }

  private static SuiteRunner.Options options() {
    String store = System.getProperty("mrcheck.suite.store", "");
    SuiteRunner.Options options = SuiteRunner.Options.DEFAULT;
    return store.isEmpty()
        ? options
        : new SuiteRunner.Options(
            false,
            options.workers(),
            options.parallel(),
            options.heapMegabytes(),
            options.limit(),
            Optional.of(new ResultStore(Path.of(store))),
            true);
  }

  private static String update() {
    return System.getProperty("mrcheck.manifest.update", "");
  }

  /** The rows that take seconds; the others are judged with all of them by the slow tests. */
  @TestFactory
  Stream<DynamicTest> fastRow_runByTlc_showsWhatTheManifestSays() throws Exception {
    return update().isEmpty() ? rows(true) : Stream.empty();
  }

  @TestFactory
  @Tag("slow")
  Stream<DynamicTest> everyRow_runByTlc_showsWhatTheManifestSays() throws Exception {
    return rows(false);
  }

  private static Stream<DynamicTest> rows(boolean fast) throws Exception {
    SuiteManifest manifest = manifest();
    if (update().equals("verdicts")) {
      manifest = withNewRows(manifest);
    }
    SpecLibrary library = SpecLibrary.folder(FOLDER);
    String only = System.getProperty("mrcheck.suite.only", "");
    List<SuiteManifest.Row> rows =
        manifest.all().stream()
            .filter(row -> only.isEmpty() || List.of(only.split(",")).contains(row.name()))
            .filter(row -> !fast || row.expected().seconds() <= FAST_SECONDS)
            .toList();
    if (rows.isEmpty()) {
      return Stream.empty();
    }
    ProfileTable profiles = ProfileTable.read(TlaTools.bundled(), library);
    List<SuiteRunner.RowResult> results =
        new SuiteRunner(TlaTools.bundled(), library, profiles, options())
            .run(rows, SuiteRunner.Listener.none());
    if (!update().isEmpty()) {
      write(manifest, results, profiles);
    }
    Stream<DynamicTest> judged =
        results.stream()
            .map(
                result ->
                    DynamicTest.dynamicTest(
                        result.row().name() + ": " + result.row().shows(),
                        () -> judge(result, profiles)));
    List<SuiteManifest.Neutral> neutral = manifest.neutral();
    return only.isEmpty() && !fast
        ? Stream.concat(
            judged,
            Stream.of(
                DynamicTest.dynamicTest(
                    "policies make a difference unless they are declared neutral",
                    () -> assertThat(Neutrality.problems(results, neutral)).isEmpty()),
                DynamicTest.dynamicTest(
                    "headline (a): with a stalled queue pair that holds the region something gives",
                    () -> judgeHeadline(results))))
        : judged;
  }

  /**
   * No access after the return, termination, no refusal, isolation: a device whose messages hold
   * their region breaks one of them, whatever its driver does; one whose messages do not need not.
   */
  private static void judgeHeadline(List<SuiteRunner.RowResult> results) {
    ModelFindings deregistration = findings(results, "deregistration");
    List<ModelFindings> others =
        List.of(findings(results, "stall"), findings(results, "live-stall-terminates"));
    List<Choice> whole = new ArrayList<>();
    for (Choice choice : deregistration.settings().ran()) {
      boolean gives = deregistration.finding("NoAccessAfterReturn", choice).isPresent();
      for (ModelFindings other : others) {
        gives |=
            other.broken().stream()
                .anyMatch(
                    each ->
                        !each.choice().isMutant()
                            && choice
                                .policy()
                                .entrySet()
                                .containsAll(each.choice().policy().entrySet()));
      }
      if (!choice.isMutant() && !gives) {
        whole.add(choice);
      }
    }
    assertThat(whole)
        .isNotEmpty()
        .allSatisfy(choice -> assertThat(choice.policy()).containsEntry("HoldsReference", "No"));
  }

  private static ModelFindings findings(List<SuiteRunner.RowResult> results, String name) {
    return results.stream()
        .filter(result -> result.row().name().equals(name))
        .findFirst()
        .orElseThrow()
        .findings();
  }

  private static void judge(SuiteRunner.RowResult result, ProfileTable profiles) {
    if (update().isEmpty()) {
      assertThat(result.differences()).isEmpty();
    } else if (update().equals("counts")) {
      assertThat(
              result
                  .row()
                  .expected()
                  .differences(
                      SuiteManifest.Expected.of(result.findings(), profiles), false, false))
          .isEmpty();
    } else if (!result.asExpected()) {
      System.out.println(result.row().name() + ":");
      result.differences().forEach(line -> System.out.println("  " + line));
    }
  }

  private static void write(
      SuiteManifest manifest, List<SuiteRunner.RowResult> results, ProfileTable profiles)
      throws IOException {
    List<SuiteRunner.RowResult> written =
        update().equals("verdicts")
            ? results
            : results.stream()
                .filter(
                    result ->
                        result
                            .row()
                            .expected()
                            .differences(
                                SuiteManifest.Expected.of(result.findings(), profiles),
                                false,
                                false)
                            .isEmpty())
                .toList();
    Path next = FOLDER.resolve(SpecManifest.FILE + ".next");
    Files.writeString(next, manifest.updated(written, profiles).toJson());
    Files.move(next, FOLDER.resolve(SpecManifest.FILE), StandardCopyOption.REPLACE_EXISTING);
  }

  /** The argument for the view is in Watch.tla; this is its cross-check. */
  @TestFactory
  @Tag("slow")
  Stream<DynamicTest> model_withoutItsView_hasTheSameVerdictsAndMoreStates(@TempDir Path folder)
      throws Exception {
    if (!update().isEmpty()) {
      return Stream.empty();
    }
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.filter(each -> each.toString().matches(".*\\.(tla|cfg)")).toList()) {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        Files.writeString(
            folder.resolve(file.getFileName()),
            text.replaceAll("(?m)^VIEW .*$", ""),
            StandardCharsets.UTF_8);
      }
    }
    SpecLibrary library = SpecLibrary.folder(folder);
    ProfileTable profiles = ProfileTable.read(TlaTools.bundled(), library);
    List<SuiteManifest.Row> models =
        manifest().models().stream().filter(row -> row.property().isEmpty()).toList();
    return new SuiteRunner(TlaTools.bundled(), library, profiles, options())
        .run(models, SuiteRunner.Listener.none()).stream()
            .map(
                result ->
                    DynamicTest.dynamicTest(
                        result.row().name(),
                        () -> {
                          SuiteManifest.Expected with = result.row().expected();
                          SuiteManifest.Expected without =
                              SuiteManifest.Expected.of(result.findings(), profiles);
                          assertThat(without.verdicts()).isEqualTo(with.verdicts());
                          assertThat(without.depth()).isEqualTo(with.depth());
                          assertThat(without.distinct()).isGreaterThanOrEqualTo(with.distinct());
                        }));
  }

  @Test
  void configurationFiles_thatSayWhatTheyShow_areAllInTheManifest() throws IOException {
    assumeFalse(update().equals("verdicts"), "rows are being added");
    Set<String> listed = new HashSet<>();
    for (SuiteManifest.Row row : manifest().all()) {
      listed.add(row.config());
      row.wide().ifPresent(wide -> listed.add(wide.config()));
    }
    assertThat(telling().stream().map(file -> file.getFileName().toString())).isSubsetOf(listed);
  }

  @Test
  void rows_ofTheManifest_sayWhatTheirConfigurationSays() throws IOException {
    for (SuiteManifest.Row row : manifest().all()) {
      String text = Files.readString(FOLDER.resolve(row.config()), StandardCharsets.UTF_8);
      assertThat(note(text, "Shows")).as(row.name()).isEqualTo(row.shows());
      assertThat(note(text, "Bounds")).as(row.name()).isEqualTo(row.bounds());
      assertThat(note(text, "Fairness")).as(row.name()).isEqualTo(row.fairness());
    }
  }

  private static List<Path> telling() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<Path> telling = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        if (file.toString().endsWith(".cfg")
            && !note(Files.readString(file, StandardCharsets.UTF_8), "Shows").isEmpty()) {
          telling.add(file);
        }
      }
      return telling;
    }
  }

  private static String note(String config, String which) {
    Matcher note = NOTE.matcher(config);
    while (note.find()) {
      if (note.group(1).equals(which)) {
        return note.group(2).replaceAll("\\R\\\\\\* +", " ").strip();
      }
    }
    return "";
  }

  /**
   * {@code MCKeyReuse.cfg} becomes {@code key-reuse}; its wide twin is {@code MCKeyReuseWide.cfg}.
   */
  private static SuiteManifest withNewRows(SuiteManifest manifest) throws IOException {
    Set<String> listed = new HashSet<>();
    manifest.all().forEach(row -> listed.add(row.config()));
    List<SuiteManifest.Row> models = new ArrayList<>(manifest.models());
    List<SuiteManifest.Row> liveness = new ArrayList<>(manifest.liveness());
    for (Path file : telling()) {
      String config = file.getFileName().toString();
      String stem = config.replaceAll("\\.cfg$", "");
      if (listed.contains(config) || stem.endsWith("Wide")) {
        continue;
      }
      String text = Files.readString(file, StandardCharsets.UTF_8);
      Matcher property = PROPERTY.matcher(text);
      boolean live = property.find();
      if (!live && !INVARIANT.matcher(text).find()) {
        continue;
      }
      Path wide = FOLDER.resolve(stem + "Wide.cfg");
      String module = stem;
      while (!Files.exists(FOLDER.resolve(module + ".tla"))) {
        // Several configurations of one module: MCLiveDeregBusy.cfg of MCLiveDereg.tla.
        module = module.substring(0, module.length() - 1);
      }
      SuiteManifest.Row row =
          new SuiteManifest.Row(
              stem.replaceFirst("^MC", "")
                  .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
                  .toLowerCase(java.util.Locale.ROOT),
              module,
              config,
              live ? Optional.of(property.group(1)) : Optional.empty(),
              note(text, "Shows"),
              note(text, "Bounds"),
              note(text, "Fairness"),
              SuiteManifest.NOTHING,
              Files.exists(wide)
                  ? Optional.of(
                      new SuiteManifest.Wide(
                          stem + "Wide.cfg",
                          note(Files.readString(wide, StandardCharsets.UTF_8), "Bounds"),
                          0))
                  : Optional.empty());
      (live ? liveness : models).add(row);
    }
    return new SuiteManifest(
        models, liveness, manifest.neutral(), manifest.notApplicable(), manifest.rows());
  }
}
