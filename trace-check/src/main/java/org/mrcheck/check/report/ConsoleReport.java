package org.mrcheck.check.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.mrcheck.check.verdict.BindingResult;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.ContractResult;
import org.mrcheck.check.verdict.ExitCode;
import org.mrcheck.check.verdict.InstanceReport;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.check.verdict.VerdictCounts;
import org.mrcheck.lang.trace.EventClass;

/** A check's result for people: 80 columns, no colour. */
public final class ConsoleReport {
  private static final int MOST_REASONS = 8;
  private static final int MOST_BRIEF = 3;
  private static final int MOST_BRIEF_VIOLATIONS = 10;

  private ConsoleReport() {}

  /**
   * The report, ended by a line feed.
   *
   * @param exitCode what the process would return for this input alone
   */
  public static String text(CheckResult result, ExitCode exitCode) {
    StringBuilder out = new StringBuilder();
    heading(out, result);
    table(out, result);
    nothingObserved(out, result);
    reasons(out, result);
    out.append(RefusalText.brief(result.refusals()));
    details(out, result);
    verdict(out, result, exitCode);
    return out.toString();
  }

  /** One line for a run over several inputs. */
  public static String line(CheckResult result, ExitCode exitCode) {
    VerdictCounts counts = result.counts();
    return String.format(
        Locale.ROOT,
        "%s: %s, %s of %s episodes decided, exit code %d",
        result.trace(),
        result.verdict().map(Verdict::title).orElse("NOTHING OBSERVED"),
        Layout.number(counts.decided()),
        Layout.number(counts.decided() + counts.undecided()),
        exitCode.code());
  }

  private static void heading(StringBuilder out, CheckResult result) {
    CheckResult.InputSummary input = result.input();
    out.append(result.trace()).append('\n');
    Layout.paragraph(
        out,
        "  ",
        Layout.count(input.events(), "event")
            + String.format(
                Locale.ROOT,
                " in %.2f s (%s events/s)",
                result.seconds(),
                Layout.number(Math.round(input.events() / Math.max(result.seconds(), 1e-9)))));
    result.header().source().ifPresent(source -> Layout.paragraph(out, "  from ", source));
    List<String> oddities = new ArrayList<>();
    if (input.extensions() > 0) {
      oddities.add(Layout.count(input.extensions(), "extension event") + " skipped");
    }
    if (input.gaps() > 0) {
      oddities.add(
          Layout.count(input.missing(), "event")
              + " missing in "
              + Layout.count(input.gaps(), "gap"));
    }
    if (input.declaredLost() > 0) {
      oddities.add(Layout.count(input.declaredLost(), "event") + " lost by the recorder");
    }
    if (input.moved() > 0) {
      oddities.add(Layout.count(input.moved(), "moved line"));
    }
    if (input.warningCount() > 0) {
      oddities.add(Layout.count(input.warningCount(), "warning"));
    }
    if (!oddities.isEmpty()) {
      Layout.paragraph(out, "  ", String.join(", ", oddities));
    }
    out.append('\n');
  }

  private static void table(StringBuilder out, CheckResult result) {
    out.append(
        "  contract                   verdict      instances episodes viol. surpr. undec.\n");
    out.append(
        "  -------------------------- ------------ --------- -------- ----- ------ ------\n");
    for (ContractResult contract : result.contracts()) {
      if (contract.nothingObserved()) {
        continue;
      }
      VerdictCounts counts = contract.counts();
      out.append("  ")
          .append(Layout.pad(contract.contract(), 26))
          .append(' ')
          .append(Layout.pad(contract.verdict().map(ConsoleReport::word).orElse("-"), 12))
          .append(' ')
          .append(Layout.right(instances(contract), 9))
          .append(' ')
          .append(Layout.right(Layout.number(counts.decided() + counts.undecided()), 8))
          .append(' ')
          .append(Layout.right(dash(counts.of(Verdict.Kind.VIOLATION)), 5))
          .append(' ')
          .append(Layout.right(dash(counts.of(Verdict.Kind.SURPRISING)), 6))
          .append(' ')
          .append(Layout.right(dash(counts.undecided()), 6))
          .append('\n');
    }
    out.append('\n');
  }

  /** A plus says that there may be more. */
  private static String instances(ContractResult contract) {
    return Layout.number(contract.instances()) + (contract.hasMoreInstances() ? "+" : "");
  }

  private static String word(Verdict verdict) {
    return verdict.kind().name().replace('_', ' ');
  }

  private static String dash(long number) {
    return number == 0 ? "-" : Layout.number(number);
  }

  private static void nothingObserved(StringBuilder out, CheckResult result) {
    List<String> names =
        result.contracts().stream()
            .filter(ContractResult::nothingObserved)
            .map(ContractResult::contract)
            .toList();
    if (!names.isEmpty()) {
      Layout.paragraph(out, "  nothing observed for ", String.join(", ", names));
      out.append('\n');
    }
  }

  private static void reasons(StringBuilder out, CheckResult result) {
    boolean any = false;
    for (ContractResult contract : result.contracts()) {
      for (BindingResult binding : contract.bindings()) {
        binding
            .gaveUp()
            .ifPresent(
                reason -> Layout.paragraph(out, "  gave up " + binding.binding() + ": ", reason));
        any |= binding.gaveUp().isPresent();
        int shown = 0;
        for (Map.Entry<Verdict.Inconclusive, Long> reason : binding.reasons().entrySet()) {
          any = true;
          if (shown++ == MOST_REASONS) {
            out.append("  undecided in ")
                .append(binding.binding())
                .append(" for ")
                .append(Layout.count(binding.reasons().size() - MOST_REASONS, "other reason"))
                .append('\n');
            break;
          }
          Layout.paragraph(
              out,
              "  undecided in "
                  + binding.binding()
                  + ": "
                  + Layout.number(reason.getValue())
                  + " x ",
              reason.getKey().reason()
                  + reason
                      .getKey()
                      .missing()
                      .map(missing -> " (class " + missing.text() + ")")
                      .orElse(""));
        }
      }
    }
    if (any) {
      out.append('\n');
    }
  }

  private static void details(StringBuilder out, CheckResult result) {
    List<InstanceReport> details = result.details();
    for (InstanceReport report : details) {
      if (report.explanation().isPresent()) {
        out.append(ExplanationText.text(result.trace(), report)).append('\n');
      }
    }
    for (Verdict.Kind kind :
        List.of(
            Verdict.Kind.VIOLATION,
            Verdict.Kind.HAZARD,
            Verdict.Kind.SURPRISING,
            Verdict.Kind.INCONCLUSIVE)) {
      List<InstanceReport> brief =
          details.stream()
              .filter(report -> report.verdict().kind() == kind)
              .filter(report -> report.explanation().isEmpty())
              .filter(report -> isOfItsOwn(result, report))
              .toList();
      int most =
          kind == Verdict.Kind.VIOLATION || kind == Verdict.Kind.HAZARD
              ? MOST_BRIEF_VIOLATIONS
              : MOST_BRIEF;
      brief.stream()
          .limit(most)
          .forEach(report -> out.append(ExplanationText.text(result.trace(), report)));
      long shown =
          details.stream()
                  .filter(report -> report.verdict().kind() == kind)
                  .filter(report -> report.explanation().isPresent())
                  .count()
              + Math.min(most, brief.size());
      long more = result.counts().of(kind) - shown;
      if (more > 0 && shown > 0) {
        out.append("and ").append(Layout.number(more)).append(" more ");
        out.append(kind.text());
        out.append(kind == Verdict.Kind.SURPRISING ? "; mrcheck explain shows them\n" : "\n");
      }
      if (!brief.isEmpty()) {
        out.append('\n');
      }
    }
  }

  /**
   * False for what is undecided because a whole class of events was not recorded: the counts say
   * that already.
   */
  private static boolean isOfItsOwn(CheckResult result, InstanceReport report) {
    return !(report.verdict() instanceof Verdict.Inconclusive undecided)
        || undecided.missing().isEmpty()
        || undecided.missing().get() == EventClass.RECORDING
        || result
            .header()
            .completeness(undecided.missing().get(), report.instance().host())
            .isPresent();
  }

  private static void verdict(StringBuilder out, CheckResult result, ExitCode exitCode) {
    VerdictCounts counts = result.counts();
    Optional<Verdict> verdict = result.verdict();
    String violated =
        String.join(
            ", ",
            result.contracts().stream()
                .filter(contract -> contract.counts().of(Verdict.Kind.VIOLATION) > 0)
                .sorted(Comparator.comparing(ContractResult::contract))
                .map(ContractResult::contract)
                .toList());
    String title =
        violated.isEmpty()
            ? verdict.map(Verdict::title).orElseGet(result::nothingObserved)
            : "VIOLATION of " + violated;
    Layout.paragraph(out, "", title);
    Layout.paragraph(
        out,
        "",
        Layout.number(counts.decided())
            + " of "
            + Layout.count(counts.decided() + counts.undecided(), "episode")
            + (result.contracts().stream().anyMatch(ContractResult::hasMoreInstances)
                ? " of at least "
                : " of ")
            + Layout.count(result.instances(), "contract instance")
            + " decided; exit code "
            + exitCode.code()
            + " ("
            + exitCode.meaning()
            + ")");
  }
}
