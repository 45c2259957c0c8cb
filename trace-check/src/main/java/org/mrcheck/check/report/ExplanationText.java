package org.mrcheck.check.report;

import java.util.List;
import org.mrcheck.check.verdict.InstanceReport;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.check.verdict.VerdictExplanation;
import org.mrcheck.check.verdict.VerdictExplanation.Comparison;
import org.mrcheck.check.verdict.VerdictExplanation.FailedConjunct;
import org.mrcheck.check.verdict.VerdictExplanation.Refusal;

/** One instance and why it got its verdict, as text of 80 columns without colour. */
public final class ExplanationText {
  private static final int MOST_STATES = 3;

  private ExplanationText() {}

  /**
   * The text of one instance, ended by a line feed.
   *
   * @param trace the trace's name
   */
  public static String text(String trace, InstanceReport report) {
    StringBuilder out = new StringBuilder();
    Layout.paragraph(
        out,
        "",
        heading(report.verdict())
            + (report.binding().equals(report.contract()) && isViolation(report)
                ? ""
                : " [" + report.binding() + "]")
            + " "
            + report.instance());
    report
        .explanation()
        .ifPresentOrElse(
            explanation -> explain(out, trace, report, explanation),
            () -> brief(out, trace, report));
    return out.toString();
  }

  private static boolean isViolation(InstanceReport report) {
    return report.verdict() instanceof Verdict.Violation;
  }

  private static String heading(Verdict verdict) {
    return verdict instanceof Verdict.Violation violation
        ? "VIOLATION of " + violation.contract()
        : verdict.title();
  }

  private static void brief(StringBuilder out, String trace, InstanceReport report) {
    report
        .at()
        .ifPresent(
            at ->
                Layout.paragraph(
                    out, "  at    ", at.where() + ": " + at.actor() + " " + at.text()));
    if (report.at().isEmpty()) {
      report
          .first()
          .ifPresent(
              first ->
                  Layout.paragraph(
                      out, "  first ", first.where() + ": " + first.actor() + " " + first.text()));
      report
          .last()
          .filter(last -> report.first().isEmpty() || last.line() != report.first().get().line())
          .ifPresent(
              last ->
                  Layout.paragraph(
                      out, "  last  ", last.where() + ": " + last.actor() + " " + last.text()));
    }
  }

  private static void explain(
      StringBuilder out, String trace, InstanceReport report, VerdictExplanation explanation) {
    out.append("  ").append(trace).append(':').append(explanation.event().line());
    out.append("  (seq ").append(explanation.event().seq());
    if (explanation.event().frame() != 0) {
      out.append(", frame ").append(explanation.event().frame());
    }
    out.append(")\n");
    Layout.paragraph(
        out,
        "    ",
        explanation.sourceLine().isEmpty()
            ? explanation.event().actor() + " " + explanation.event().text()
            : explanation.sourceLine());
    if (report.verdict() instanceof Verdict.Violation) {
      refusals(out, explanation.refusals());
    } else if (report.verdict() instanceof Verdict.Surprising surprising) {
      Layout.paragraph(out, "  allowed, but: ", surprising.remark());
    } else {
      out.append("  allowed\n");
    }
    comparisons(out, explanation);
    explanation
        .cause()
        .ifPresent(
            cause -> {
              Layout.paragraph(
                  out,
                  "  made so by ",
                  cause.where() + ": " + cause.actor() + " " + cause.text() + ";");
              Layout.paragraph(out, "             ", explanation.causeNote());
            });
    if (explanation.cause().isEmpty() && !explanation.causeNote().isEmpty()) {
      Layout.paragraph(out, "  ", explanation.causeNote());
    }
    for (String note : explanation.notes()) {
      Layout.paragraph(out, "  note: ", note);
    }
    out.append('\n');
    InterleavingTable.append(out, report.instance(), explanation.prefix(), explanation.omitted());
    out.append('\n');
    if (!explanation.hint().isEmpty()) {
      Layout.paragraph(out, "  look at   ", explanation.hint());
    }
    if (!explanation.specification().isEmpty()) {
      Layout.paragraph(out, "  contract  ", explanation.specification());
    }
    String again = "  again     " + explanation.command();
    // Broken so that a shell still takes it as one command.
    out.append(
            again.length() <= Layout.WIDTH
                ? again
                : again.replaceFirst(" --event", " \\\\\n              --event"))
        .append('\n');
  }

  private static void refusals(StringBuilder out, List<Refusal> refusals) {
    int shown = 0;
    for (Refusal refusal : refusals) {
      if (shown++ == MOST_STATES) {
        out.append("  and likewise in ")
            .append(Layout.count(refusals.size() - MOST_STATES, "more state"))
            .append('\n');
        break;
      }
      Layout.paragraph(out, "  not allowed in state ", refusal.state() + ":");
      for (FailedConjunct conjunct : refusal.conjuncts()) {
        Layout.paragraph(
            out,
            "    ",
            conjunct.text() + (conjunct.undefined() ? "  has no value" : "  is false"));
        Layout.paragraph(out, "      at ", conjunct.location());
        for (String term : conjunct.terms()) {
          Layout.paragraph(out, "      ", term);
        }
        for (String part : conjunct.parts()) {
          Layout.paragraph(out, "      ", part);
        }
      }
    }
  }

  private static void comparisons(StringBuilder out, VerdictExplanation explanation) {
    for (Comparison comparison : explanation.comparisons()) {
      String head = "  " + comparison.name() + " = " + comparison.value() + "  ";
      Layout.paragraph(
          out, head, comparison.numbers().isEmpty() ? comparison.meaning() : comparison.numbers());
    }
  }
}
