package org.mrcheck.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What every command takes, and where it writes. */
final class CommonOptions {
  /** Writes every JSON document of the command line. */
  static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--json", description = "Print the result as JSON instead of text.")
  private boolean json;

  boolean json() {
    return json;
  }

  CommandLine commandLine() {
    return spec.commandLine();
  }

  Console console() {
    return Console.of(spec.commandLine().getOut(), spec.commandLine().getErr());
  }

  void printJson(JsonNode node) {
    try {
      console().out().println(JSON.writeValueAsString(node));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
