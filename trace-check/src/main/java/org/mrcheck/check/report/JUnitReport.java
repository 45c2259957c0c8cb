package org.mrcheck.check.report;

import java.util.List;
import java.util.Locale;
import org.mrcheck.check.verdict.BindingResult;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.ContractResult;
import org.mrcheck.check.verdict.InstanceReport;
import org.mrcheck.check.verdict.Verdict;

/**
 * Check results as JUnit XML: one suite for each trace, one test case for each binding. A violation
 * or hazard is a failure with its explanation, an undecided binding is skipped with the reason, a
 * binding given up is an error.
 */
public final class JUnitReport {
  private JUnitReport() {}

  /** The results of a run, ended by a line feed. */
  public static String text(List<CheckResult> results) {
    StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    long tests = 0;
    long failures = 0;
    long errors = 0;
    long skipped = 0;
    StringBuilder suites = new StringBuilder();
    for (CheckResult result : results) {
      Suite suite = new Suite(result);
      suites.append(suite.text());
      tests += suite.tests;
      failures += suite.failures;
      errors += suite.errors;
      skipped += suite.skipped;
    }
    out.append(
        String.format(
            Locale.ROOT,
            "<testsuites name=\"mrcheck\" tests=\"%d\" failures=\"%d\" errors=\"%d\""
                + " skipped=\"%d\">\n",
            tests,
            failures,
            errors,
            skipped));
    return out.append(suites).append("</testsuites>\n").toString();
  }

  private static final class Suite {
    final CheckResult result;
    final StringBuilder cases = new StringBuilder();
    long tests;
    long failures;
    long errors;
    long skipped;

    Suite(CheckResult result) {
      this.result = result;
      for (ContractResult contract : result.contracts()) {
        for (BindingResult binding : contract.bindings()) {
          testCase(binding);
        }
      }
    }

    private void testCase(BindingResult binding) {
      tests++;
      cases
          .append("    <testcase classname=\"")
          .append(attribute(result.trace()))
          .append("\" name=\"")
          .append(attribute(binding.binding()))
          .append("\" time=\"0\">\n");
      Verdict verdict = binding.verdict().orElse(null);
      if (verdict == null) {
        skip("nothing observed");
      } else {
        switch (verdict.kind()) {
          case VIOLATION, HAZARD -> failure(binding, verdict);
          case GAVE_UP -> error(verdict);
          case INCONCLUSIVE -> skip(verdict.title());
          case CONFORMANT, SURPRISING -> {}
        }
      }
      cases
          .append("      <system-out>")
          .append(content(summary(binding)))
          .append("</system-out>\n    </testcase>\n");
    }

    private void failure(BindingResult binding, Verdict verdict) {
      failures++;
      long number =
          binding.counts().of(Verdict.Kind.VIOLATION) + binding.counts().of(Verdict.Kind.HAZARD);
      StringBuilder text = new StringBuilder(binding.says()).append("\n\n");
      for (InstanceReport report : binding.details()) {
        if (report.verdict().kind() == Verdict.Kind.VIOLATION
            || report.verdict().kind() == Verdict.Kind.HAZARD) {
          text.append(ExplanationText.text(result.trace(), report)).append('\n');
        }
      }
      cases
          .append("      <failure type=\"")
          .append(verdict.kind().name())
          .append("\" message=\"")
          .append(attribute(verdict.title() + ": " + Layout.count(number, "instance")))
          .append("\">")
          .append(content(text.toString()))
          .append("</failure>\n");
    }

    private void error(Verdict verdict) {
      errors++;
      cases
          .append("      <error type=\"GAVE_UP\" message=\"")
          .append(attribute(verdict.title()))
          .append("\"/>\n");
    }

    private void skip(String message) {
      skipped++;
      cases.append("      <skipped message=\"").append(attribute(message)).append("\"/>\n");
    }

    private static String summary(BindingResult binding) {
      StringBuilder text = new StringBuilder();
      text.append(Layout.count(binding.instances(), "instance")).append(", ");
      text.append(Layout.count(binding.counts().decided(), "episode")).append(" decided, ");
      text.append(Layout.number(binding.counts().undecided())).append(" undecided");
      binding
          .remarks()
          .forEach(
              (remark, number) ->
                  text.append("\nsurprising, ")
                      .append(Layout.number(number))
                      .append(" x ")
                      .append(remark));
      binding
          .reasons()
          .forEach(
              (reason, number) ->
                  text.append("\nundecided, ")
                      .append(Layout.number(number))
                      .append(" x ")
                      .append(reason.reason()));
      return text.toString();
    }

    String text() {
      return String.format(
              Locale.ROOT,
              "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\""
                  + " time=\"%.3f\">\n",
              attribute(result.trace()),
              tests,
              failures,
              errors,
              skipped,
              result.seconds())
          + cases
          + "  </testsuite>\n";
    }
  }

  private static String attribute(String text) {
    return content(text).replace("\"", "&quot;").replace("\n", "&#10;");
  }

  /** Escapes what XML reserves and replaces what XML 1.0 cannot hold. */
  private static String content(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .forEach(
            codePoint -> {
              switch (codePoint) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                default -> {
                  boolean allowed =
                      codePoint == '\t'
                          || codePoint == '\n'
                          || codePoint >= 0x20 && codePoint <= 0xd7ff
                          || codePoint >= 0xe000 && codePoint <= 0xfffd
                          || codePoint >= 0x1_0000;
                  out.appendCodePoint(allowed ? codePoint : 0xfffd);
                }
              }
            });
    return out.toString();
  }
}
