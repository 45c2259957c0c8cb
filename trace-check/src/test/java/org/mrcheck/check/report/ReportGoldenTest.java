package org.mrcheck.check.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mrcheck.check.engine.CheckOptions;
import org.mrcheck.check.engine.CheckProgress;
import org.mrcheck.check.engine.ContractCatalogue;
import org.mrcheck.check.engine.TraceChecker;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.ExitCode;
import org.mrcheck.check.verdict.VerdictPolicy;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/**
 * What a person reads, for a few traces under {@code src/test/resources/reports}. Regenerate with
 * {@code -Dmrcheck.golden.update=true}.
 */
class ReportGoldenTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("mrcheck.root", ".."))
          .resolve("trace-check/src/test/resources/reports");

  private static ContractCatalogue catalogue;

  private static synchronized CheckResult check(String name) throws Exception {
    if (catalogue == null) {
      catalogue = ContractCatalogue.bundled();
    }
    byte[] trace = Files.readAllBytes(FOLDER.resolve(name + ".mrtrace"));
    CheckResult result =
        new TraceChecker(catalogue)
            .check(
                new ByteArrayInputStream(trace),
                name + ".mrtrace",
                CheckOptions.DEFAULT,
                CheckProgress.silent());
    // Time is not the same from one run to the next.
    return new CheckResult(
        result.trace(),
        result.header(),
        result.input(),
        result.contracts(),
        result.refusals(),
        result.specification(),
        0.5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "conformant",
        "dma-after-return",
        "return-lost",
        "past-the-end",
        "dead-key-accepted",
        "answered-in-error",
        "nothing"
      })
  void consoleReport_example_isAsExpected(String name) throws Exception {
    CheckResult result = check(name);

    String text = ConsoleReport.text(result, VerdictPolicy.DEFAULT.exitCode(result));

    assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
    compare(name + ".console.txt", text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dma-after-return", "return-lost", "nothing"})
  void junitReport_example_isWellFormedAndCountsRight(String name) throws Exception {
    CheckResult result = check(name);

    String xml = JUnitReport.text(List.of(result));

    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(xml)));
    NodeList cases = document.getElementsByTagName("testcase");
    long bindings =
        result.contracts().stream().mapToLong(contract -> contract.bindings().size()).sum();
    assertThat(cases.getLength()).isEqualTo((int) bindings);
    assertThat(document.getDocumentElement().getAttribute("failures"))
        .isEqualTo("" + document.getElementsByTagName("failure").getLength());
    assertThat(document.getDocumentElement().getAttribute("skipped"))
        .isEqualTo("" + document.getElementsByTagName("skipped").getLength());
    compare(name + ".junit.xml", xml);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dma-after-return", "return-lost"})
  void jsonReport_example_parsesAndCarriesTheVerdict(String name) throws Exception {
    CheckResult result = check(name);
    ExitCode exitCode = VerdictPolicy.DEFAULT.exitCode(result);

    String json = JsonReport.text(result, exitCode);

    JsonNode parsed = new ObjectMapper().readTree(json);
    assertThat(parsed.get("schema").asText()).isEqualTo(JsonReport.SCHEMA);
    assertThat(parsed.get("exitCode").asInt()).isEqualTo(exitCode.code());
    assertThat(parsed.get("verdict").asText())
        .isEqualTo(result.verdict().orElseThrow().kind().name());
    compare(name + ".json", json);
  }

  private static void compare(String name, String text) throws IOException {
    Path file = FOLDER.resolve(name);
    if (Boolean.getBoolean("mrcheck.golden.update")) {
      Files.writeString(file, text, StandardCharsets.UTF_8);
    }
    // The number of table entries depends on which traces were checked before.
    assertThat(stable(text)).isEqualTo(stable(Files.readString(file, StandardCharsets.UTF_8)));
  }

  private static String stable(String text) {
    return text.replaceAll("\"(states|beliefs|steps|evaluated)\" : \\d+", "\"$1\" : N");
  }
}
