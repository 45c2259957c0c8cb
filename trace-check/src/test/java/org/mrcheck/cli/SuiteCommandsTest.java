package org.mrcheck.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mrcheck.check.verdict.ExitCode;

/** {@code model} and {@code matrix} on a small family of models: a desk that lends a key. */
class SuiteCommandsTest {
  private static final Path ROOT = Path.of(System.getProperty("mrcheck.root"));
  private static final Path DESK = ROOT.resolve("spec-tla/src/test/resources/suite");
  private static final Path GOLDEN = ROOT.resolve("trace-check/src/test/resources/models");

  /** Results are kept across the tests of this class, as across a user's commands. */
  @TempDir static Path store;

  @TempDir Path folder;

  private record Ran(int exitCode, String out, String err) {}

  private static Ran mrcheck(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Main.run(
            new PrintWriter(out),
            new PrintWriter(err, true),
            Stream.of(arguments).map(Object::toString).toArray(String[]::new));
    assertThat(err.toString()).as("no stack trace").doesNotContain("\tat ");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
    return new Ran(exitCode, out.toString(), err.toString());
  }

  private static Ran desk(Object... arguments) {
    Object[] all = Arrays.copyOf(arguments, arguments.length + 4);
    all[arguments.length] = "--spec";
    all[arguments.length + 1] = DESK;
    all[arguments.length + 2] = "--store";
    all[arguments.length + 3] = store;
    return mrcheck(all);
  }

  private static void isGolden(String name, String text) throws IOException {
    Path file = GOLDEN.resolve(name);
    if (Boolean.getBoolean("mrcheck.golden.update")) {
      Files.createDirectories(GOLDEN);
      Files.writeString(file, text);
    }
    assertThat(text).isEqualTo(Files.readString(file));
  }

  @Test
  void matrix_isPrintedAndWrittenAndReusesWhatWasRun() throws IOException {
    Path markdown = folder.resolve("m.md");
    Path json = folder.resolve("m.json");
    desk("matrix");
    Ran ran = desk("matrix", "--markdown", markdown, "--json-file", json);
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    isGolden("matrix.txt", ran.out());
    isGolden("matrix.md", Files.readString(markdown));
    JsonNode cell =
        new ObjectMapper().readTree(Files.readString(json)).at("/properties/1/cells/hasty");
    assertThat(cell.path("verdict").asText()).isEqualTo("red");
    assertThat(cell.at("/policies/Return").asText()).isEqualTo("AtOnce");
    assertThat(cell.path("steps").asInt()).isEqualTo(4);
  }

  @Test
  void model_explainARedCell_tellsStepsAndCause() throws IOException {
    Path diagram = folder.resolve("d.svg");
    Ran ran = desk("model", "--explain", "hasty/NoUseAfterReturn", "--diagram", diagram);
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    isGolden("explain.txt", ran.out().replace(diagram.toString(), "d.svg"));
    assertThat(Files.readString(diagram)).startsWith("<").contains("<svg").contains("finish");
  }

  @Test
  void model_explainALivenessProperty_tellsHowItGoesOnForEver() throws IOException {
    isGolden("explain-liveness.txt", desk("model", "--explain", "strict/Returns").out());
  }

  @Test
  void model_explainAMutant_namesTheDefect() {
    assertThat(desk("model", "--explain", "Copies/NoNewUse").out())
        .contains("the defect Copies")
        .contains("> BREAKS NoNewUse");
  }

  @Test
  void model_explainACellThatIsNotRed_saysWhatItIs() {
    assertThat(desk("model", "--explain", "strict/NoUseAfterReturn").out())
        .contains("is not red but green")
        .contains("hasty, spec, defect Copies, defect Snatches");
  }

  @Test
  void model_ofOneProfile_tellsWhatItBreaks() {
    Ran ran = desk("model", "--profile", "hasty", "--contract", "NoUseAfterReturn");
    assertThat(ran.exitCode()).as(ran.out()).isZero();
    assertThat(ran.out())
        .contains("NoUseAfterReturn is broken by hasty (4), Copies (2), Snatches (2)")
        .contains("All as expected.")
        .doesNotContain("desk-returns");
  }

  @Test
  void model_withSeveralWorkers_findsTheSame() {
    assertThat(desk("model", "desk", "--workers", "2").exitCode()).isZero();
  }

  @Test
  void model_otherThanExpected_exitsWith1AndSaysHowToSeeItAgain() throws IOException {
    for (String file : new String[] {"Desk.tla", "Desk.cfg", "Profiles.tla"}) {
      Files.copy(DESK.resolve(file), folder.resolve(file));
    }
    Files.writeString(
        folder.resolve("manifest.json"),
        Files.readString(DESK.resolve("manifest.json")).replace("\"hasty\": 4", "\"hasty\": 5"));
    Ran ran = mrcheck("model", "desk", "--spec", folder, "--store", store);
    assertThat(ran.exitCode()).isEqualTo(ExitCode.VIOLATION.code());
    assertThat(ran.out())
        .contains("NOT AS EXPECTED: profile hasty breaks NoUseAfterReturn after 4 steps,")
        .contains("again: mrcheck model desk");
  }

  @ParameterizedTest
  @CsvSource({
    "--profile hastly, did you mean",
    "--contract NoUs, there is no contract",
    "--bounds huge, --bounds is ci or wide",
    "--workers 0, --workers is 1 to 256",
    "--diagram x.svg, --diagram goes with --explain or --graph",
    "--explain NoNewUse, --explain takes PROFILE/PROPERTY",
    "--explain hasty/NoNewUses, did you mean",
    "--explain nasty/NoNewUse, did you mean",
  })
  void usage_wrong_isExplainedAndExitsWith2(String arguments, String expected) {
    Ran ran = desk(Stream.concat(Stream.of("model"), Stream.of(arguments.split(" "))).toArray());
    assertThat(ran.exitCode()).as(ran.err()).isEqualTo(ExitCode.USAGE.code());
    assertThat(ran.err()).contains(expected);
  }
}
