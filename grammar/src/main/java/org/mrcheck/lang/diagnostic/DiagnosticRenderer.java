package org.mrcheck.lang.diagnostic;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes diagnostics for people: 80 columns, no colour.
 *
 * <pre>
 * error: dereg.call has no field "status"
 *   --&gt; a.mrtrace:7:41
 *    |
 *  7 | 3 1796 10.9.0.1/owner dereg.call mr=1 status=ok
 *    |                                       ^^^^^^
 *    = expected: mr, key
 *    = help: only dereg.return has a status
 * </pre>
 */
public final class DiagnosticRenderer {
  /** Columns of a rendered diagnostic; only a file name longer than that exceeds it. */
  public static final int WIDTH = 80;

  private DiagnosticRenderer() {}

  /** The diagnostic as lines, each ended by a line feed. */
  public static String render(Diagnostic diagnostic) {
    int digits = Long.toString(diagnostic.span().line()).length();
    for (Diagnostic.Note note : diagnostic.notes()) {
      digits = Math.max(digits, Long.toString(note.span().line()).length());
    }
    String margin = " ".repeat(digits + 1);
    StringBuilder out = new StringBuilder();
    wrap(out, diagnostic.severity().text() + ": ", diagnostic.message());
    out.append(margin).append("--> ").append(Excerpt.displayable(diagnostic.span().toString()));
    out.append('\n');
    if (diagnostic.excerpt().isPresent()) {
      source(out, digits, diagnostic.span().line(), diagnostic.excerpt().get());
    }
    if (diagnostic.found().isPresent()) {
      wrap(out, margin + " = found: ", diagnostic.found().get());
    }
    if (!diagnostic.expected().isEmpty()) {
      wrap(out, margin + " = expected: ", String.join(", ", diagnostic.expected()));
    }
    for (String advice : diagnostic.advice()) {
      wrap(out, margin + " = help: ", advice);
    }
    for (Diagnostic.Note note : diagnostic.notes()) {
      wrap(out, "note: ", note.message());
      out.append(margin).append("--> ").append(Excerpt.displayable(note.span().toString()));
      out.append('\n');
      source(out, digits, note.span().line(), note.excerpt());
    }
    return out.toString();
  }

  private static void source(StringBuilder out, int digits, long line, Excerpt excerpt) {
    String margin = " ".repeat(digits + 2) + "|";
    String number = " ".repeat(digits - Long.toString(line).length()) + line;
    out.append(margin).append('\n');
    out.append(' ').append(number).append(" | ").append(excerpt.text()).append('\n');
    out.append(margin)
        .append(" ".repeat(excerpt.underlineStart() + 1))
        .append("^".repeat(excerpt.underlineLength()))
        .append('\n');
  }

  private static void wrap(StringBuilder out, String head, String text) {
    int room = WIDTH - head.length();
    String indent = " ".repeat(head.length());
    boolean first = true;
    for (String line : lines(Excerpt.displayable(text), room)) {
      out.append(first ? head : indent).append(line).append('\n');
      first = false;
    }
  }

  private static List<String> lines(String text, int room) {
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (rest.length() > room) {
      int blank = rest.lastIndexOf(' ', room);
      if (blank <= 0) {
        lines.add(rest.substring(0, room));
        rest = rest.substring(room);
      } else {
        lines.add(rest.substring(0, blank));
        rest = rest.substring(blank + 1);
      }
    }
    lines.add(rest);
    return lines;
  }
}
