package org.mrcheck.check.report;

import java.util.Map;
import org.mrcheck.check.verdict.RefusalReport;
import org.mrcheck.check.verdict.RefusalSummary;

/** The remote access errors of a trace with their causes, as text of 80 columns. */
public final class RefusalText {
  private static final int MOST_BRIEF = 3;

  private RefusalText() {}

  /** Counts by cause and the first few; empty if there are none. Ended by a blank line. */
  static String brief(RefusalSummary refusals) {
    if (refusals.total() == 0) {
      return "";
    }
    StringBuilder out = counts(refusals);
    refusals.kept().stream().limit(MOST_BRIEF).forEach(refusal -> refusal(out, refusal, false));
    if (refusals.total() > MOST_BRIEF) {
      out.append("    and ")
          .append(Layout.number(refusals.total() - MOST_BRIEF))
          .append(" more; mrcheck explain shows them\n");
    }
    return out.append('\n').toString();
  }

  /** Counts by cause, and all that were kept with what became of the message. */
  public static String full(RefusalSummary refusals) {
    StringBuilder out = counts(refusals);
    for (RefusalReport refusal : refusals.kept()) {
      refusal(out, refusal, true);
    }
    long more = refusals.total() - refusals.kept().size();
    if (more > 0) {
      out.append("    and ").append(Layout.number(more)).append(" more, counted above\n");
    }
    return out.toString();
  }

  private static StringBuilder counts(RefusalSummary refusals) {
    StringBuilder out = new StringBuilder();
    out.append("  ").append(Layout.count(refusals.total(), "remote access error")).append('\n');
    int width =
        refusals.byKind().values().stream()
            .mapToInt(count -> Layout.number(count).length())
            .max()
            .orElse(1);
    for (Map.Entry<String, Long> kind : refusals.byKind().entrySet()) {
      Layout.paragraph(
          out, "    " + Layout.right(Layout.number(kind.getValue()), width) + " x ", kind.getKey());
    }
    return out;
  }

  private static void refusal(StringBuilder out, RefusalReport refusal, boolean message) {
    Layout.paragraph(
        out,
        "    ",
        refusal.at().where() + ", " + refusal.queuePair() + ": " + refusal.justice().text());
    Layout.paragraph(out, "      ", refusal.cause());
    if (message) {
      refusal.message().stream()
          .filter(line -> !line.equals("because " + refusal.cause()))
          .forEach(line -> Layout.paragraph(out, "        ", line));
    } else if (refusal.cutShort()) {
      Layout.paragraph(out, "      ", "the message was cut short; what was done of it stays");
    }
  }
}
