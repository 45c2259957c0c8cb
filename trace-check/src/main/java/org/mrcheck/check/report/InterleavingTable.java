package org.mrcheck.check.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.mrcheck.check.ledger.ParameterValues;
import org.mrcheck.check.verdict.VerdictExplanation.PrefixRow;

/**
 * The last events of an instance: a narrow column for each actor shows who did it, the wide one
 * what; time goes downwards. 80 columns.
 */
final class InterleavingTable {
  private static final int WIDEST_COLUMNS = 38;
  private static final String INDENT = "  ";

  private InterleavingTable() {}

  /**
   * Appends the table.
   *
   * @param instance what all events have in common, left out of their texts
   * @param omitted earlier events that are not shown
   */
  static void append(
      StringBuilder out, ParameterValues instance, List<PrefixRow> rows, long omitted) {
    if (rows.isEmpty()) {
      return;
    }
    Set<String> found = new LinkedHashSet<>();
    rows.forEach(row -> found.add(row.event().actor()));
    List<String> actors = new ArrayList<>(found);
    List<String> names = columnNames(actors);
    int lineWidth =
        Math.max(
            4,
            rows.stream()
                .mapToInt(row -> Long.toString(row.event().line()).length())
                .max()
                .orElse(4));
    int columns = names.stream().mapToInt(name -> name.length() + 1).sum();
    int before = INDENT.length() + 2 + lineWidth + 1 + columns + 1;
    int room = Layout.WIDTH - before - 1;
    line(
        out,
        INDENT
            + "  "
            + Layout.right("line", lineWidth)
            + "  "
            + String.join(" ", names)
            + "  event");
    if (names.get(0).equals("1")) {
      for (int index = 0; index < actors.size(); index++) {
        line(out, " ".repeat(before) + "(" + names.get(index) + " is " + actors.get(index) + ")");
      }
    }
    if (omitted > 0) {
      line(out, " ".repeat(before) + "(" + Layout.count(omitted, "earlier event") + ")");
    }
    for (PrefixRow row : rows) {
      StringBuilder head = new StringBuilder(INDENT);
      head.append(row.explained() ? "> " : row.cause() ? "* " : "  ");
      head.append(Layout.right(row.event().line() == 0 ? "" : "" + row.event().line(), lineWidth));
      head.append("  ");
      for (int index = 0; index < actors.size(); index++) {
        boolean acts = actors.get(index).equals(row.event().actor());
        head.append(mark(names.get(index).length(), acts ? 'o' : '.')).append(' ');
      }
      head.append(' ');
      String indent = head.toString();
      for (String part : Layout.wrap(without(instance, row.event().text()), room)) {
        line(out, indent + part);
        indent = " ".repeat(before);
      }
      if (!row.belief().isEmpty()) {
        String arrow = " ".repeat(before) + "-> ";
        for (String part : Layout.wrap(row.belief(), room - 3)) {
          line(out, arrow + part);
          arrow = " ".repeat(before + 3);
        }
      }
    }
    out.append(INDENT).append("> the event explained");
    if (rows.stream().anyMatch(PrefixRow::cause)) {
      out.append("   * what made it so");
    }
    out.append("   -> state of the contract\n");
  }

  /** Roles alone where they differ and all are of one host; numbers where names take too much. */
  private static List<String> columnNames(List<String> actors) {
    Set<String> hosts =
        actors.stream()
            .map(actor -> actor.substring(0, actor.indexOf('/')))
            .collect(Collectors.toSet());
    List<String> names =
        hosts.size() == 1
            ? actors.stream().map(actor -> actor.substring(actor.indexOf('/') + 1)).toList()
            : actors;
    if (names.stream().mapToInt(name -> name.length() + 1).sum() <= WIDEST_COLUMNS) {
      return names;
    }
    List<String> numbers = new ArrayList<>();
    for (int number = 1; number <= actors.size(); number++) {
      numbers.add(Integer.toString(number));
    }
    return numbers;
  }

  private static String mark(int width, char mark) {
    char[] cell = new char[width];
    Arrays.fill(cell, ' ');
    cell[(width - 1) / 2] = mark;
    return new String(cell);
  }

  /** The text without the fields that name the instance. */
  private static String without(ParameterValues instance, String text) {
    Set<String> common =
        Arrays.stream(instance.toString().split(" "))
            .filter(word -> !word.startsWith("psn="))
            .collect(Collectors.toSet());
    return Arrays.stream(text.split(" "))
        .filter(word -> !common.contains(word))
        .collect(Collectors.joining(" "));
  }

  private static void line(StringBuilder out, String line) {
    out.append(line.stripTrailing()).append('\n');
  }
}
