package org.mrcheck.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of the README files as a reader would type them, in order, in a folder that
 * looks like the repository. A comment {@code # exits N} after a command says which exit code the
 * reader is told to expect; without one it is 0. Building commands are left out.
 */
class ReadmeIT {
  private static final Path ROOT = Path.of(System.getProperty("mrcheck.root"));
  private static final List<String> READMES =
      List.of(
          "README.md",
          "grammar/README.md",
          "spec-tla/README.md",
          "java-impl/README.md",
          "trace-check/README.md");
  private static final Pattern EXITS = Pattern.compile("#\\s*exits\\s+(\\d+)");
  private static final int SECONDS_PER_COMMAND = 120;

  @TempDir static Path folder;

  record ReadmeCommand(String readme, int line, String text, int exits) {}

  @BeforeAll
  static void standAsInTheRepository() throws IOException {
    for (String name :
        List.of("mrcheck", "README.md", "grammar", "spec-tla", "java-impl", "trace-check")) {
      Files.createSymbolicLink(folder.resolve(name), ROOT.resolve(name));
    }
  }

  @TestFactory
  Stream<DynamicTest> readmeCommand_runAsTyped_exitsAsTold() throws IOException {
    List<ReadmeCommand> commands = new ArrayList<>();
    for (String readme : READMES) {
      if (Files.exists(ROOT.resolve(readme))) {
        commands.addAll(commandsOf(readme, Files.readAllLines(ROOT.resolve(readme))));
      }
    }
    assertThat(commands).as("commands found in the README files").hasSizeGreaterThan(5);
    return commands.stream()
        .map(
            command ->
                DynamicTest.dynamicTest(
                    command.readme() + ":" + command.line() + " " + command.text(),
                    () -> run(command)));
  }

  @Test
  void commandsOf_shellBlock_keepsCommandsAndExitCodes() {
    List<ReadmeCommand> commands =
        commandsOf(
            "x.md",
            List.of(
                "./mrcheck not in a block",
                "```sh",
                "./mrcheck check a \\",
                "    b   # exits 1",
                "mvn verify",
                "```"));
    assertThat(commands).containsExactly(new ReadmeCommand("x.md", 3, "./mrcheck check a b", 1));
  }

  private static List<ReadmeCommand> commandsOf(String readme, List<String> lines) {
    List<ReadmeCommand> commands = new ArrayList<>();
    boolean inShell = false;
    StringBuilder pending = new StringBuilder();
    int start = 0;
    for (int index = 0; index < lines.size(); index++) {
      String line = lines.get(index).strip();
      if (line.startsWith("```")) {
        inShell = !inShell && line.equals("```sh");
      } else if (inShell && (pending.length() > 0 || line.startsWith("./mrcheck"))) {
        if (pending.length() == 0) {
          start = index + 1;
        }
        if (line.endsWith("\\")) {
          pending.append(line, 0, line.length() - 1);
        } else {
          String text = pending.append(line).toString();
          pending.setLength(0);
          Matcher exits = EXITS.matcher(text);
          int code = exits.find() ? Integer.parseInt(exits.group(1)) : 0;
          commands.add(new ReadmeCommand(readme, start, text.replaceFirst("\\s+#.*$", ""), code));
        }
      }
    }
    return commands;
  }

  private static void run(ReadmeCommand command) throws IOException, InterruptedException {
    File output = Files.createTempFile(folder, "output", ".txt").toFile();
    Process process =
        new ProcessBuilder("bash", "-c", command.text())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();
    process.getOutputStream().close();
    boolean ended = process.waitFor(SECONDS_PER_COMMAND, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly();
    }
    String printed = Files.readString(output.toPath(), StandardCharsets.UTF_8);
    assertThat(ended).as("ended within %d s; printed:%n%s", SECONDS_PER_COMMAND, printed).isTrue();
    assertThat(process.exitValue())
        .as("exit code; printed:%n%s", printed)
        .isEqualTo(command.exits());
    assertThat(printed).as("no stack trace").doesNotContain("\tat org.mrcheck");
  }
}
