package org.mrcheck.lang.trace.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.CommonTokenStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mrcheck.lang.trace.EventName;

/** What the module's README says about traces is so. */
class ReadmeTraceTest {
  private String readme;

  @BeforeEach
  void readReadme() throws Exception {
    readme = Files.readString(Path.of("README.md"));
  }

  @Test
  void read_example_hasItsEventsAndNoWarnings() throws Exception {
    List<EventName> names = new ArrayList<>();
    try (TraceReader reader =
        TraceReader.open(
            new ByteArrayInputStream(example().getBytes(StandardCharsets.UTF_8)),
            "README.md",
            warning -> {
              throw new AssertionError(warning.toString());
            })) {
      assertThat(reader.header().hosts()).hasSize(1);
      assertThat(reader.header().attributes()).containsEntry("dereg", "relaxed");
      reader.forEach(line -> names.add(line.event().name()));
      assertThat(reader.skippedExtensions()).isEqualTo(1);
    }
    assertThat(names).hasSize(12).startsWith(EventName.QP_CREATE).endsWith(EventName.QP_STATE);
  }

  /** The reader drives the rules for single lines; this is the rule for a whole file. */
  @Test
  void trace_example_isAcceptedByTheGrammarsEntryRule() {
    byte[] bytes = example().getBytes(StandardCharsets.UTF_8);
    TraceLexer lexer = ByteLexerSimulator.lexer();
    lexer.setInputStream(new ByteBlock(bytes, 0, bytes.length, "README.md"));
    TraceGrammar parser = new TraceGrammar(new CommonTokenStream(lexer));
    parser.removeErrorListeners();

    TraceGrammar.TraceContext whole = parser.trace();

    assertThat(parser.getNumberOfSyntaxErrors()).isZero();
    assertThat(whole.event()).hasSize(13);
  }

  @Test
  void readme_tables_areThoseOfTheReader() {
    StringBuilder events = new StringBuilder("| event | class | fields |\n|---|---|---|\n");
    for (EventName name : EventName.values()) {
      List<String> fields = new ArrayList<>(EventFields.of(name).described());
      fields.remove("[frame]");
      events.append(
          String.format(
              "| `%s` | %s | %s |\n",
              name.text(), name.eventClass().text(), String.join(", ", fields)));
    }
    StringBuilder fields = new StringBuilder("| field | value |\n|---|---|\n");
    for (Field field : Field.values()) {
      fields.append(
          String.format("| `%s` | %s |\n", field.text(), field.form().replace("|", "\\|")));
    }

    assertThat(between("events")).isEqualTo(events.toString());
    assertThat(between("fields")).isEqualTo(fields.toString());
  }

  private String between(String marker) {
    String start = "<!-- " + marker + " -->\n";
    int from = readme.indexOf(start) + start.length();
    return readme.substring(from, readme.indexOf("<!-- /" + marker + " -->"));
  }

  private String example() {
    String start = "```mrtrace\n";
    int from = readme.indexOf(start) + start.length();
    return readme.substring(from, readme.indexOf("```", from));
  }
}
