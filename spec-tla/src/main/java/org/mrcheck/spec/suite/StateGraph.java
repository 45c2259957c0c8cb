package org.mrcheck.spec.suite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mrcheck.spec.ModelRun;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.TlaTools;
import org.mrcheck.spec.spi.PrivateFolder;

/**
 * The state graph of a small module with one variable, as TLC dumps it ({@code -dump
 * dot,actionlabels}).
 *
 * @param states the values of the variable, the initial ones first
 * @param initial how many of them are initial
 * @param edges the steps, in the order of their texts
 */
public record StateGraph(List<String> states, int initial, List<Edge> edges) {
  private static final Pattern NODE =
      Pattern.compile("^(-?\\d+) \\[label=\"(.*?)\"(,style = filled)?\\];?$");
  private static final Pattern EDGE =
      Pattern.compile("^(-?\\d+) -> (-?\\d+) \\[label=\"(.*?)\".*\\];?$");
  private static final Pattern VALUE = Pattern.compile("= \\\\*\"?(.*?)\\\\*\"?$");
  private static final int LIMIT_SECONDS = 120;

  /**
   * A step.
   *
   * @param from the state before
   * @param to the state after
   * @param action the name of the action
   */
  public record Edge(String from, String to, String action) implements Comparable<Edge> {
    @Override
    public int compareTo(Edge other) {
      return (from + "\n" + to + "\n" + action)
          .compareTo(other.from + "\n" + other.to + "\n" + other.action);
    }
  }

  public StateGraph {
    states = List.copyOf(states);
    edges = edges.stream().distinct().sorted().toList();
  }

  /**
   * Runs TLC, in a process of its own, and reads what it dumps.
   *
   * @param module defines {@code Init} and {@code Next} over one variable
   * @throws SpecException when TLC does not dump a graph
   * @throws InterruptedException when the thread is interrupted
   */
  public static StateGraph of(TlaTools tools, SpecLibrary library, String module)
      throws IOException, InterruptedException {
    String config = module + ".cfg";
    SpecLibrary whole = SpecLibrary.of(Map.of(config, "INIT Init\nNEXT Next\n")).orElse(library);
    try (PrivateFolder folder = PrivateFolder.create()) {
      for (Map.Entry<String, String> file : ModelRun.of(whole, module, config).texts().entrySet()) {
        Files.writeString(
            folder.path().resolve(file.getKey()), file.getValue(), StandardCharsets.UTF_8);
      }
      Path dump = folder.path().resolve("graph.dot");
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-Djava.io.tmpdir=" + folder.path(),
                  "-Duser.home=" + folder.path(),
                  "-Djava.rmi.server.hostname=127.0.0.1",
                  "-cp",
                  tools.jar().toString(),
                  "tlc2.TLC",
                  "-deadlock",
                  "-workers",
                  "1",
                  "-fp",
                  "0",
                  "-metadir",
                  folder.path().resolve("states").toString(),
                  "-dump",
                  "dot,actionlabels",
                  dump.toString(),
                  "-config",
                  config,
                  module)
              .directory(folder.path().toFile())
              .redirectErrorStream(true)
              .redirectOutput(folder.path().resolve("printed.txt").toFile())
              .start();
      try {
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (!ended || !Files.exists(dump)) {
          throw new SpecException(
              SpecException.Kind.TOOLS, null, "TLC dumped no state graph of " + module);
        }
      } finally {
        process.destroyForcibly().waitFor();
      }
      return parse(Files.readString(dump, StandardCharsets.UTF_8));
    }
  }

  /** Reads a dump of TLC. */
  static StateGraph parse(String dot) {
    Map<String, String> names = new TreeMap<>();
    List<String> first = new ArrayList<>();
    List<String> others = new ArrayList<>();
    List<String[]> steps = new ArrayList<>();
    for (String line : dot.lines().map(String::strip).toList()) {
      Matcher edge = EDGE.matcher(line);
      Matcher node = NODE.matcher(line);
      if (edge.matches()) {
        steps.add(new String[] {edge.group(1), edge.group(2), edge.group(3)});
      } else if (node.matches()) {
        Matcher value = VALUE.matcher(node.group(2));
        String name = value.find() ? value.group(1) : node.group(2);
        if (names.put(node.group(1), name) == null) {
          (node.group(3) == null ? others : first).add(name);
        }
      }
    }
    List<Edge> edges = new ArrayList<>();
    steps.forEach(step -> edges.add(new Edge(names.get(step[0]), names.get(step[1]), step[2])));
    List<String> states = new ArrayList<>(first);
    others.sort(null);
    states.addAll(others);
    return new StateGraph(states, first.size(), edges);
  }

  /** The graph in the language of Graphviz. */
  public String toDot() {
    StringBuilder out = new StringBuilder("digraph contract {\n  node [shape=box];\n");
    for (int index = 0; index < states.size(); index++) {
      out.append(
          "  \"%s\"%s;%n".formatted(states.get(index), index < initial ? " [style=bold]" : ""));
    }
    labels()
        .forEach(
            (ends, actions) ->
                out.append(
                    "  \"%s\" -> \"%s\" [label=\"%s\"];%n"
                        .formatted(ends.get(0), ends.get(1), String.join("\\n", actions))));
    return out.append("}\n").toString().replace("\r\n", "\n");
  }

  /** The graph as a state diagram in the language of PlantUML. */
  public String toPlantUml() {
    StringBuilder out =
        new StringBuilder("@startuml\n!pragma layout smetana\nskinparam shadowing false\n");
    out.append("hide empty description\n");
    for (int index = 0; index < states.size(); index++) {
      String colour = states.get(index).equals("FORBIDDEN") ? " #FFB3B3" : "";
      out.append("state \"%s\" as s%d%s%n".formatted(states.get(index), index, colour));
      if (index < initial) {
        out.append("[*] --> s%d%n".formatted(index));
      }
    }
    labels()
        .forEach(
            (ends, actions) ->
                out.append(
                    "s%d --> s%d : %s%n"
                        .formatted(
                            states.indexOf(ends.get(0)),
                            states.indexOf(ends.get(1)),
                            String.join("\\n", actions))));
    return out.append("@enduml\n").toString().replace("\r\n", "\n");
  }

  /** All actions from one state to another, by the two. */
  private Map<List<String>, List<String>> labels() {
    Map<List<String>, List<String>> labels =
        new TreeMap<>(
            java.util.Comparator.comparing((List<String> ends) -> String.join("\n", ends)));
    for (Edge edge : edges) {
      labels
          .computeIfAbsent(List.of(edge.from(), edge.to()), none -> new ArrayList<>())
          .add(edge.action().replace('_', ' '));
    }
    return labels;
  }
}
