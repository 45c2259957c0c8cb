package org.mrcheck.check.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Fixed-width text. */
final class Layout {
  /** Columns of a report. */
  static final int WIDTH = 80;

  private Layout() {}

  /** A number with commas between thousands. */
  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** {@code 1 instance}, {@code 2 instances}. */
  static String count(long number, String noun) {
    return number(number) + " " + noun + (number == 1 ? "" : "s");
  }

  /** Breaks at blanks; a word that is too long is cut into pieces. */
  static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.strip().split("\\s+")) {
      String rest = word;
      if (line.length() > 0 && line.length() + 1 + rest.length() <= width) {
        line.append(' ').append(rest);
        continue;
      }
      if (line.length() > 0) {
        lines.add(line.toString());
        line.setLength(0);
      }
      while (rest.length() > width) {
        lines.add(rest.substring(0, width));
        rest = rest.substring(width);
      }
      line.append(rest);
    }
    if (line.length() > 0 || lines.isEmpty()) {
      lines.add(line.toString());
    }
    return lines;
  }

  /** Appends the text, its first line after a head and the others below its beginning. */
  static void paragraph(StringBuilder out, String head, String text) {
    String indent = " ".repeat(head.length());
    boolean first = true;
    for (String line : wrap(text, Math.max(20, WIDTH - head.length()))) {
      out.append((first ? head : indent) + line).append('\n');
      first = false;
    }
  }

  /** The text with blanks up to the width; cut where it is longer. */
  static String pad(String text, int width) {
    return text.length() >= width
        ? text.substring(0, width)
        : text + " ".repeat(width - text.length());
  }

  /** The text with blanks before it up to the width. */
  static String right(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }
}
