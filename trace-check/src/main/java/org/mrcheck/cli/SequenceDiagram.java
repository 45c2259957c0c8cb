package org.mrcheck.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import net.sourceforge.plantuml.FileFormat;
import net.sourceforge.plantuml.FileFormatOption;
import net.sourceforge.plantuml.SourceStringReader;

/**
 * A counterexample as a sequence diagram: a life line for each program and each device, and one for
 * the wire.
 *
 * @param title what it shows
 * @param messages from top to bottom
 */
record SequenceDiagram(String title, List<Message> messages) {
  private static final String WIRE = "wire";
  private static final int WIDTH = 80;

  SequenceDiagram {
    messages = List.copyOf(messages);
  }

  /**
   * One arrow; one that ends where it begins is a step of its own.
   *
   * @param from a life line
   * @param to a life line
   * @param text what
   * @param broken what it breaks; empty for most
   */
  record Message(String from, String to, String text, String broken) {}

  /** The diagram of these steps. */
  static SequenceDiagram of(String title, List<StorySteps.Step> steps) {
    List<Message> messages = new ArrayList<>();
    String lastHost = "";
    for (StorySteps.Step step : steps) {
      String host = step.host().isEmpty() ? lastHost : step.host();
      lastHost = host;
      String app = (host + " app").strip();
      String nic = (host + " nic").strip();
      String text =
          step.silent()
              ? StorySteps.words(step.action())
              : step.name() + " " + brief(step.fields());
      boolean comesBack =
          step.name().endsWith(".return") || step.name().equals("reg") || step.name().equals("wc");
      String from = nic;
      String to = nic;
      if (StorySteps.isVerb(step.name())) {
        from = comesBack ? nic : app;
        to = comesBack ? app : nic;
      } else if (List.of("tx", "ack", "nak").contains(step.name())) {
        to = WIRE;
      } else if (step.name().equals("rx")) {
        from = WIRE;
      }
      messages.add(new Message(from, to, text.strip(), String.join(", ", step.broken())));
    }
    return new SequenceDiagram(title, messages);
  }

  private static String brief(String fields) {
    return Arrays.stream(fields.split(" "))
        .filter(field -> field.matches("(mr|key|psn|op|verdict|status|syndrome|wr|inv|state)=.*"))
        .limit(3)
        .reduce((left, right) -> left + " " + right)
        .orElse("");
  }

  private List<String> lines() {
    Set<String> lines = new LinkedHashSet<>();
    for (Message message : messages) {
      lines.add(message.from());
      lines.add(message.to());
    }
    List<String> sorted = new ArrayList<>(lines);
    // The wire lies between the hosts: after the first host's device.
    if (sorted.remove(WIRE)) {
      String first = messages.get(0).from().replaceAll(" ?(app|nic)$", "");
      int place = 0;
      for (int index = 0; index < sorted.size(); index++) {
        if (sorted.get(index).startsWith(first)) {
          place = index + 1;
        }
      }
      sorted.add(place, WIRE);
    }
    return sorted;
  }

  /** The diagram in the language of PlantUML. */
  String plantUml() {
    StringBuilder out = new StringBuilder("@startuml\n");
    out.append("skinparam shadowing false\nskinparam monochrome true\nhide footbox\n");
    out.append("title ").append(title).append('\n');
    List<String> lines = lines();
    for (int index = 0; index < lines.size(); index++) {
      out.append("participant \"%s\" as p%d%n".formatted(lines.get(index), index));
    }
    for (Message message : messages) {
      out.append(
          "p%d -> p%d : %s%n"
              .formatted(
                  lines.indexOf(message.from()),
                  lines.indexOf(message.to()),
                  message.text().replace("\\", "\\\\")));
      if (!message.broken().isEmpty()) {
        out.append(
            "note over p%d : breaks %s%n".formatted(lines.indexOf(message.to()), message.broken()));
      }
    }
    return out.append("@enduml\n").toString().replace("\r\n", "\n");
  }

  /** The diagram as text, 80 columns. */
  List<String> text() {
    List<String> lines = lines();
    int column = Math.max(12, Math.min(24, (WIDTH - 2) / lines.size()));
    List<String> out = new ArrayList<>();
    StringBuilder head = new StringBuilder("  ");
    for (String line : lines) {
      head.append(padded(line, column));
    }
    out.add(head.toString().stripTrailing());
    for (Message message : messages) {
      int from = lines.indexOf(message.from());
      int to = lines.indexOf(message.to());
      char[] row = (" ".repeat(2) + " ".repeat(column * lines.size() + WIDTH)).toCharArray();
      for (int index = 0; index < lines.size(); index++) {
        row[2 + index * column + 1] = '|';
      }
      int left = 2 + Math.min(from, to) * column + 1;
      int right = 2 + Math.max(from, to) * column + 1;
      String text = message.text();
      if (from == to) {
        put(row, left, "*");
        put(row, left + 2, cut(text, WIDTH - left - 2));
        out.add(trimmed(row));
      } else {
        // The words above their arrow, since columns are narrow.
        char[] words = row.clone();
        put(words, left + 2, cut(text, WIDTH - left - 2));
        out.add(trimmed(words));
        for (int index = left + 1; index < right; index++) {
          row[index] = '-';
        }
        row[to > from ? right - 1 : left + 1] = to > from ? '>' : '<';
        out.add(trimmed(row));
      }
      if (!message.broken().isEmpty()) {
        out.add(
            cut(
                "  " + " ".repeat(Math.max(0, Math.min(left, 30))) + "^ breaks " + message.broken(),
                WIDTH));
      }
    }
    return out;
  }

  private static void put(char[] row, int at, String text) {
    for (int index = 0; index < text.length(); index++) {
      row[at + index] = text.charAt(index);
    }
  }

  private static String trimmed(char[] row) {
    String text = new String(row).stripTrailing();
    return cut(text, WIDTH);
  }

  private static String cut(String text, int room) {
    return text.length() <= room ? text : text.substring(0, Math.max(0, room));
  }

  private static String padded(String text, int width) {
    String fitting = cut(text, width - 1);
    return fitting + " ".repeat(width - fitting.length());
  }

  /**
   * Writes the diagram, whole or not at all: SVG for {@code .svg}, the source for {@code .puml},
   * text for anything else.
   *
   * @throws UserFault when the file cannot be written
   */
  void write(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    byte[] bytes;
    if (name.endsWith(".svg")) {
      bytes = svg(plantUml());
    } else if (name.endsWith(".puml")) {
      bytes = plantUml().getBytes(StandardCharsets.UTF_8);
    } else {
      bytes = (String.join("\n", text()) + "\n").getBytes(StandardCharsets.UTF_8);
    }
    OutputFiles.write(file, bytes);
  }

  /** Draws a diagram in the language of PlantUML; no other program is needed. */
  static byte[] svg(String plantUml) {
    ByteArrayOutputStream svg = new ByteArrayOutputStream();
    try {
      new SourceStringReader(plantUml)
          .outputImage(svg, new FileFormatOption(FileFormat.SVG, false));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return svg.toByteArray();
  }
}
