package org.mrcheck.check.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.mrcheck.check.verdict.VerdictExplanation.PrefixRow;

/** The last events of an instance: a column for each actor, time downwards, 80 columns. */
final class InterleavingTable {
  private static final int MOST_COLUMNS = 3;
  private static final String INDENT = "  ";

  private InterleavingTable() {}

  static void append(StringBuilder out, List<PrefixRow> rows, long omitted) {
    if (rows.isEmpty()) {
      return;
    }
    Set<String> found = new LinkedHashSet<>();
    rows.forEach(row -> found.add(row.event().actor()));
    // More actors than columns: their names go into the cells.
    boolean columns = found.size() <= MOST_COLUMNS;
    List<String> actors = columns ? new ArrayList<>(found) : List.of("who and what");
    int lineWidth =
        Math.max(
            4,
            rows.stream()
                .mapToInt(row -> Long.toString(row.event().line()).length())
                .max()
                .orElse(4));
    int room = Layout.WIDTH - INDENT.length() - 2 - lineWidth;
    int width = room / actors.size() - 1;
    StringBuilder heading = new StringBuilder(INDENT + "  " + Layout.right("line", lineWidth));
    StringBuilder rule = new StringBuilder(INDENT + "  " + "-".repeat(lineWidth));
    for (String actor : actors) {
      heading.append(' ').append(Layout.pad(actor, width));
      rule.append(' ').append("-".repeat(width));
    }
    line(out, heading);
    line(out, rule);
    if (omitted > 0) {
      line(out, new StringBuilder(INDENT + "  (" + Layout.count(omitted, "earlier event") + ")"));
    }
    for (PrefixRow row : rows) {
      String mark = row.explained() ? "> " : row.cause() ? "* " : "  ";
      String number = row.event().line() == 0 ? "" : Long.toString(row.event().line());
      int column = columns ? actors.indexOf(row.event().actor()) : 0;
      String cell = columns ? row.event().text() : row.event().actor() + " " + row.event().text();
      boolean first = true;
      for (String part : Layout.wrap(cell, width)) {
        line(
            out,
            new StringBuilder(INDENT)
                .append(first ? mark : "  ")
                .append(Layout.right(first ? number : "", lineWidth))
                .append(" ".repeat(1 + column * (width + 1)))
                .append(part));
        first = false;
      }
      if (!row.belief().isEmpty()) {
        Layout.paragraph(out, INDENT + "  " + " ".repeat(lineWidth) + " -> ", row.belief());
      }
    }
    out.append(INDENT).append("> the event explained");
    if (rows.stream().anyMatch(PrefixRow::cause)) {
      out.append("   * what made it so");
    }
    out.append("   -> states of the contract\n");
  }

  private static void line(StringBuilder out, StringBuilder line) {
    out.append(line.toString().stripTrailing()).append('\n');
  }
}
