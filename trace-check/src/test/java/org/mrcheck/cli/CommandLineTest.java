package org.mrcheck.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mrcheck.check.verdict.ExitCode;

/** The command line as a user meets it: what it prints where, and what it exits with. */
class CommandLineTest {
  private static final String RECORDING =
      Path.of(System.getProperty("mrcheck.root"))
          .resolve("trace-check/src/test/resources/captures/rxe/nak-and-rnr.pcap")
          .toString();

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
    return new Ran(exitCode, out.toString(), err.toString());
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "demo", "check", "explain", "import", "convert", "run", "model", "matrix"})
  void help_ofEveryCommand_hasExamplesAndExitCodesIn80Columns(String command) {
    Ran ran = command.isEmpty() ? mrcheck("--help") : mrcheck(command, "--help");
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).contains("Exit codes:").containsPattern("Examples?:");
    assertThat(ran.out().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void help_ofMain_listsEveryExitCode() {
    String help = mrcheck("--help").out();
    for (ExitCode code : ExitCode.values()) {
      assertThat(help).containsPattern("(?m)^  " + code.code() + "  ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "chek, Did you mean",
    "check, TRACE",
    "run --workload churn, there is no workload",
    "run --defect DeregDoesNotDran, did you mean DeregDoesNotDrain",
    "run --qps 0, queuePairs=0 not in 1..64",
    "run --seconds -1, --seconds must be more than 0",
    "check x --expect wrong, there is no verdict",
    "check x --contract SoundChek, did you mean \"SoundCheck\"",
    "model dergistration, did you mean \"deregistration\"",
    "import x, --output",
    "import x -o y --marks 70000, --marks is a UDP port",
    "check nowhere.mrtrace, there is no such file",
    "explain nowhere.mrtrace, there is no such file",
    "import nowhere.pcap -o x, there is no such file",
    "convert nowhere.mrtrace -o x, there is no such file",
    "convert x -o y --to xml, --to is text or binary",
    "check x --spec nowhere, is not a folder",
    "check x --tla2tools nowhere.jar, no such file"
  })
  void usage_wrong_isExplainedAndExitsWith2(String arguments, String expected) {
    Ran ran = mrcheck((Object[]) arguments.split(" "));
    assertThat(ran.exitCode()).as(ran.err()).isEqualTo(ExitCode.USAGE.code());
    assertThat(ran.err()).contains(expected);
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void convert_intoBinaryAndBack_isTheSameTextAndChecksTheSame() throws IOException {
    Path text = folder.resolve("a.mrtrace");
    Path binary = folder.resolve("a.mrbin");
    Path again = folder.resolve("again.mrtrace");
    mrcheck("run", "--ops", "60", "--defect", "DeregDoesNotDrain", "-o", text);
    assertThat(mrcheck("convert", text, "-o", binary).exitCode()).isZero();
    assertThat(mrcheck("convert", binary, "-o", again).exitCode()).isZero();
    assertThat(again).hasSameBinaryContentAs(text);
    assertThat(Files.size(binary)).isLessThan(Files.size(text));

    Ran ofText = mrcheck("check", "--explanations", "0", text);
    Ran ofBinary = mrcheck("check", "--explanations", "0", binary);
    assertThat(ofBinary.exitCode()).isEqualTo(ofText.exitCode());
  }

  @Test
  void convert_ofAMalformedTrace_leavesNothing() throws IOException {
    Path trace = write("bad.mrtrace", "mrtrace 1\n1 0 h/owner reg mr=1 pd=x\n");
    Ran ran = mrcheck("convert", trace, "-o", folder.resolve("bad.mrbin"));
    assertThat(ran.exitCode()).isEqualTo(ExitCode.MALFORMED_INPUT.code());
    assertThat(ran.err()).contains("bad.mrtrace:2:");
    assertThat(folder.resolve("bad.mrbin")).doesNotExist();
  }

  @Test
  void check_malformedTrace_saysWhereAndExitsWith65() throws IOException {
    Path trace = write("bad.mrtrace", "mrtrace 1\n1 0 h/owner reg mr=1 pd=x\n");
    Ran ran = mrcheck("check", trace);
    assertThat(ran.exitCode()).isEqualTo(ExitCode.MALFORMED_INPUT.code());
    assertThat(ran.err()).contains("bad.mrtrace:2:");
  }

  @Test
  void check_traceWithoutEvents_isNeverGreen() throws IOException {
    Ran ran = mrcheck("check", write("none.mrtrace", "mrtrace 1\n"));
    assertThat(ran.exitCode()).isEqualTo(ExitCode.NOTHING_DECIDED.code());
    assertThat(ran.out()).contains("NOTHING OBSERVED");
  }

  @Test
  void run_thenCheck_ofCorrectDevice_exitsWith0AndCounts() throws IOException {
    Path trace = folder.resolve("a.mrtrace");
    assertThat(mrcheck("run", "--seconds", "0.3", "-o", trace).exitCode()).isZero();
    Path junit = folder.resolve("a.xml");
    Ran checked = mrcheck("check", trace, "--json", "--junit", junit);
    assertThat(checked.exitCode()).as(checked.out()).isZero();
    JsonNode json = new ObjectMapper().readTree(checked.out());
    assertThat(json.path("schema").asText()).isEqualTo("mrcheck-check-1");
    assertThat(Files.readString(junit)).contains("<testcase");
    assertThat(mrcheck("check", trace, "--require", "NoAccessAfterReturn").exitCode()).isZero();
  }

  @Test
  void run_withDefect_isRejectedAndExplained() {
    Path trace = folder.resolve("bad.mrtrace");
    Ran ran = mrcheck("run", "--seconds", "1", "--defect", "DeregDoesNotDrain", "-o", trace);
    assertThat(ran.exitCode()).isZero();
    Ran checked = mrcheck("check", trace);
    assertThat(checked.exitCode()).as(checked.out()).isEqualTo(ExitCode.VIOLATION.code());
    assertThat(checked.out())
        .contains("VIOLATION of NoAccessAfterReturn")
        .contains("dma.")
        .contains("dereg.return")
        .contains("s # \"unregistered\" is false");
    assertThat(checked.out().lines()).allMatch(line -> line.length() <= 200);
    String expected = "violation:NoAccessAfterReturn";
    assertThat(mrcheck("check", trace, "--expect", expected).exitCode()).isZero();
    assertThat(mrcheck("explain", trace).exitCode()).isEqualTo(ExitCode.VIOLATION.code());
  }

  @Test
  void run_withoutDefect_doesNotMeetTheExpectationOfAViolation() {
    Path trace = folder.resolve("good.mrtrace");
    mrcheck("run", "--seconds", "0.2", "-o", trace);
    Ran ran = mrcheck("check", trace, "--expect", "violation:NoAccessAfterReturn");
    assertThat(ran.exitCode()).isEqualTo(ExitCode.VIOLATION.code());
  }

  @Test
  void run_intoAFolderThatIsNotThere_saysSoAndLeavesNothing() throws IOException {
    Ran ran = mrcheck("run", "--seconds", "0.1", "-o", folder.resolve("nowhere/a.mrtrace"));
    assertThat(ran.exitCode()).isEqualTo(ExitCode.USAGE.code());
    assertThat(ran.err()).contains("cannot write");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void import_ofACapture_writesATraceThatChecks() {
    Path trace = folder.resolve("x.mrtrace");
    Ran imported = mrcheck("import", RECORDING, "--marks", 9999, "-o", trace);
    assertThat(imported.exitCode()).isZero();
    assertThat(imported.out()).contains("177 frames, 71 RDMA");
    Ran checked = mrcheck("check", trace);
    assertThat(checked.exitCode()).as(checked.out()).isZero();
    assertThat(mrcheck("explain", trace, "--event", 8).exitCode()).isZero();
  }

  @Test
  void import_ofSomethingElse_saysSoAndLeavesNoTrace() throws IOException {
    Path trace = folder.resolve("x.mrtrace");
    Ran ran = mrcheck("import", write("a.txt", "no capture at all"), "-o", trace);
    assertThat(ran.exitCode()).isEqualTo(ExitCode.MALFORMED_INPUT.code());
    assertThat(ran.err()).contains("is not a capture that mrcheck can read");
    assertThat(trace).doesNotExist();
  }

  @Test
  void check_ofSeveralTraces_exitsWithTheWorst() throws IOException {
    Path empty = write("none.mrtrace", "mrtrace 1\n");
    Path malformed = write("bad.mrtrace", "mrtrace 1\nx\n");
    Ran ran = mrcheck("check", empty, malformed);
    assertThat(ran.exitCode()).isEqualTo(ExitCode.MALFORMED_INPUT.code());
    assertThat(ran.out()).contains("exit code 65");
  }

  @Test
  void check_withAModuleThatDoesNotParse_saysWhere() throws IOException {
    write("NoAccessAfterReturn.tla", "---- MODULE NoAccessAfterReturn ----\nStart == {\n====\n");
    Ran ran = mrcheck("check", write("none.mrtrace", "mrtrace 1\n"), "--spec", folder);
    assertThat(ran.exitCode()).isEqualTo(ExitCode.MALFORMED_INPUT.code());
    assertThat(ran.err()).contains("NoAccessAfterReturn.tla:");
  }

  @Test
  void model_list_namesTheRunsOfTheDemo() {
    assertThat(mrcheck("model", "--list").out())
        .contains("deregistration-strict ")
        .contains("deregistration-does-not-drain ");
  }

  @Test
  void model_ofARedRun_showsTheCounterexampleAndExitsWith0() {
    Ran ran = mrcheck("model", "deregistration-does-not-drain");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("counterexample of 6 steps, the shortest there is");
    assertThat(List.of(ran.out().split("\n"))).allMatch(line -> line.length() <= 80);
  }

  @Test
  void demo_asJson_tellsEveryStepAndThatAllCameAsTold() throws IOException {
    Ran ran = mrcheck("demo", "--json");
    assertThat(ran.exitCode()).as(ran.out()).isZero();
    JsonNode json = new ObjectMapper().readTree(ran.out());
    assertThat(json.path("asTold").asBoolean()).isTrue();
    assertThat(json.path("steps")).hasSize(5);
    assertThat(json.path("steps").path(3).path("violations").asLong()).isPositive();
    assertThat(json.path("steps").path(4).path("violations").asLong(-1)).isZero();
  }

  @Test
  void run_withCapture_canBeImportedAndConforms() {
    Path packets = folder.resolve("run.pcapng");
    Path trace = folder.resolve("x.mrtrace");
    assertThat(mrcheck("run", "--seconds", "0.3", "--capture", packets).exitCode()).isZero();
    assertThat(mrcheck("import", packets, "--marks", 9999, "-o", trace).exitCode()).isZero();
    Ran checked = mrcheck("check", trace, "--contract", "SoundCheck");
    assertThat(checked.exitCode()).as(checked.out()).isZero();
    assertThat(checked.out()).doesNotContain("VIOLATION");
  }
}
