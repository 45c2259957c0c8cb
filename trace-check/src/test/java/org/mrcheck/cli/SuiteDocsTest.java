package org.mrcheck.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.TlaTools;
import org.mrcheck.spec.suite.Matrix;
import org.mrcheck.spec.suite.ProfileTable;
import org.mrcheck.spec.suite.StateGraph;
import org.mrcheck.spec.suite.SuiteManifest;
import org.mrcheck.spec.suite.Verdicts;

/**
 * The tour of the specification is current: its tables are those of the manifest, its commands name
 * what there is and say what is so, its pictures are those that TLC dumps. With {@code
 * -Dmrcheck.golden.update=true} tables and pictures are written anew.
 */
class SuiteDocsTest {
  private static final Path FOLDER = Path.of(System.getProperty("mrcheck.root"), "spec-tla");
  private static final Path TOUR = FOLDER.resolve("README.md");
  private static final SpecLibrary LIBRARY = SpecLibrary.folder(FOLDER);
  private static final SuiteManifest MANIFEST = SuiteManifest.read(LIBRARY);
  private static final Pattern EXPLAIN = Pattern.compile("--explain (\\w+)/(\\w+)");
  private static final Pattern RUN = Pattern.compile("mrcheck model ([a-z][a-z-]+)");

  private static void isCurrent(String section, String text) throws IOException {
    String tour = Files.readString(TOUR, StandardCharsets.UTF_8);
    Pattern place = Pattern.compile("(?s)(<!-- " + section + ": [^>]*-->\\R)(.*?)(<!-- end -->)");
    Matcher found = place.matcher(tour);
    assertThat(found.find()).as("section %s of the tour", section).isTrue();
    if (Boolean.getBoolean("mrcheck.golden.update")) {
      Files.writeString(
          TOUR, tour.substring(0, found.end(1)) + text + tour.substring(found.start(3)));
    } else {
      assertThat(found.group(2)).isEqualTo(text);
    }
  }

  @Test
  void matrix_ofTheTour_isThatOfTheManifest() throws IOException {
    List<String> profiles = ProfileTable.read(TlaTools.bundled(), LIBRARY).names();
    isCurrent("matrix", MatrixText.markdown(Matrix.expected(MANIFEST, profiles)));
  }

  @Test
  void models_ofTheTour_areThoseOfTheManifest() throws IOException {
    StringBuilder table =
        new StringBuilder("| model | shows | bounds | choices | states |\n|---|---|---|--:|--:|\n");
    for (SuiteManifest.Row row : MANIFEST.all()) {
      table.append(
          String.format(
              Locale.ROOT,
              "| `%s` | %s | %s | %d | %,d |%n",
              row.name(),
              row.shows(),
              row.bounds(),
              row.expected().choices(),
              row.expected().distinct()));
    }
    isCurrent("models", table.toString().replace("\r\n", "\n"));
  }

  @Test
  void explainCommands_ofTheTour_nameRedCells() throws IOException {
    assumeTrue(
        MANIFEST.all().stream().allMatch(row -> row.expected().choices() > 0),
        "some rows of the manifest were never measured");
    Set<String> wrong = new TreeSet<>();
    int commands = 0;
    for (Matcher command = EXPLAIN.matcher(Files.readString(TOUR)); command.find(); commands++) {
      String who = command.group(1);
      boolean red =
          MANIFEST.all().stream()
              .map(row -> row.expected().verdicts().red().get(command.group(2)))
              .filter(breakers -> breakers != null)
              .anyMatch(breakers -> breaks(breakers, who));
      if (!red) {
        wrong.add(command.group());
      }
    }
    assertThat(commands).isGreaterThan(10);
    assertThat(wrong).isEmpty();
  }

  private static boolean breaks(Verdicts.Breakers breakers, String who) {
    return breakers.profiles().containsKey(who) || breakers.mutants().containsKey(who);
  }

  @Test
  void runCommands_ofTheTour_nameRunsOfTheManifest() throws IOException {
    Set<String> names = new TreeSet<>();
    MANIFEST.all().forEach(row -> names.add(row.name()));
    MANIFEST.rows().rows().forEach(row -> names.add(row.name()));
    Matcher command = RUN.matcher(Files.readString(TOUR));
    while (command.find()) {
      assertThat(names).contains(command.group(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NoAccessAfterReturn", "SameRegistrationPerMessage"})
  void stateGraph_ofAHeadline_isWhatTlcDumps(String contract) throws Exception {
    StateGraph graph = StateGraph.of(TlaTools.bundled(), LIBRARY, "Graph" + contract);
    Path dot = FOLDER.resolve("graphs").resolve(contract + ".dot");
    Path svg = FOLDER.resolve("graphs").resolve(contract + ".svg");
    if (Boolean.getBoolean("mrcheck.golden.update")) {
      Files.createDirectories(FOLDER.resolve("graphs"));
      Files.writeString(dot, graph.toDot());
      Files.write(svg, SequenceDiagram.svg(graph.toPlantUml()));
    }
    assertThat(graph.toDot()).isEqualTo(Files.readString(dot));
    // Where boxes lie may differ from one Java to the next; what is in them may not.
    for (String state : graph.states()) {
      assertThat(Files.readString(svg)).contains(state);
    }
  }

  @Test
  void bindings_ofContracts_areInTheTour() throws IOException {
    String tour = Files.readString(TOUR);
    try (Stream<Path> files = Files.list(FOLDER)) {
      Optional<String> missing =
          files
              .map(file -> String.valueOf(file.getFileName()))
              .filter(name -> name.endsWith(".binding"))
              .map(name -> name.replace(".binding", ""))
              .filter(name -> !tour.contains("| `" + name + "` |"))
              .findFirst();
      assertThat(missing).isEmpty();
    }
  }
}
