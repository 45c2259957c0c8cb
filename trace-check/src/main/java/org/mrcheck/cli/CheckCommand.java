package org.mrcheck.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.mrcheck.check.engine.CatalogueException;
import org.mrcheck.check.engine.CheckOptions;
import org.mrcheck.check.engine.ContractCatalogue;
import org.mrcheck.check.engine.TraceChecker;
import org.mrcheck.check.report.ConsoleReport;
import org.mrcheck.check.report.JUnitReport;
import org.mrcheck.check.report.JsonReport;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.ExitCode;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.check.verdict.VerdictPolicy;
import org.mrcheck.lang.diagnostic.SyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mrcheck check}: traces against the contracts. */
@Command(
    name = "check",
    description = "Checks traces against the contracts, in TLA+, of what a memory key promises.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:decided, no violation and no hazard",
      "1:violation, or what --fail-on names, or not what --expect names",
      "2:usage, or a file that cannot be read or written",
      "3:hazard only: the device is right, its user is not (none is found yet)",
      "4:a contract that --require names is inconclusive, or the order is ambiguous",
      "5:nothing could be checked or decided",
      "6:gave up within the budget",
      "65:malformed input: a trace, a binding, a TLA+ module",
      "70:internal error"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  mrcheck check a.mrtrace",
      "  mrcheck check a.mrtrace b.mrtrace --junit result.xml",
      "  mrcheck check a.mrtrace --require SoundCheck --fail-on surprising",
      "  mrcheck check bad.mrtrace --expect violation:NoAccessAfterReturn",
      "  mrcheck import capture.pcap -o - | mrcheck check -"
    })
final class CheckCommand implements Callable<Integer> {
  @Mixin private CommonOptions common;
  @Mixin private SpecOptions spec;

  @Parameters(arity = "1..*", paramLabel = "TRACE", description = "Traces; - for standard input.")
  private List<Path> traces;

  @Option(
      names = "--contract",
      paramLabel = "NAME",
      description = "Check only this contract; repeatable.")
  private List<String> contracts = List.of();

  @Option(
      names = "--require",
      paramLabel = "NAME",
      description = "This contract must be decided for every instance; repeatable.")
  private List<String> require = List.of();

  @Option(
      names = "--fail-on",
      paramLabel = "VERDICT",
      split = ",",
      description = {
        "Verdicts that fail the run; default violation,hazard.",
        "surprising or inconclusive may be added, or a default left out."
      })
  private List<String> failOn = List.of();

  @Option(
      names = "--expect",
      paramLabel = "VERDICT[:CONTRACT]",
      description = "Succeed only on this verdict; for negative tests.")
  private String expect;

  @Option(
      names = "--details",
      paramLabel = "N",
      defaultValue = "20",
      description = "Instances of each verdict kept in detail (default: ${DEFAULT-VALUE}).")
  private int details;

  @Option(
      names = "--explanations",
      paramLabel = "N",
      defaultValue = "3",
      description = "Violations and surprises explained (default: ${DEFAULT-VALUE}).")
  private int explanations;

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "Write the result as JUnit XML as well.")
  private Path junit;

  /** What became of one input. */
  private record Checked(Optional<CheckResult> result, ExitCode exitCode) {}

  @Override
  public Integer call() throws Exception {
    VerdictPolicy policy = policy();
    ContractCatalogue catalogue = catalogue(policy);
    CheckOptions options = CheckOptions.DEFAULT.withDetails(details).withExplanations(explanations);
    TraceChecker checker = new TraceChecker(catalogue);
    List<Checked> all = new ArrayList<>();
    for (Path trace : traces) {
      Checked checked = check(checker, trace, options, policy);
      all.add(checked);
      if (!common.json() && checked.result().isPresent()) {
        PrintWriter out = common.console().out();
        out.print(ConsoleReport.text(checked.result().get(), checked.exitCode()));
        out.flush();
      }
    }
    ExitCode worst = ExitCode.worst(all.stream().map(Checked::exitCode).toList());
    List<CheckResult> results = all.stream().flatMap(checked -> checked.result().stream()).toList();
    if (common.json()) {
      common.console().out().print(json(all));
    } else if (traces.size() > 1) {
      summarise(all, worst);
    }
    if (junit != null) {
      OutputFiles.write(junit, JUnitReport.text(results));
    }
    return worst.code();
  }

  private VerdictPolicy policy() {
    try {
      Set<Verdict.Kind> kinds = EnumSet.noneOf(Verdict.Kind.class);
      kinds.addAll(failOn.isEmpty() ? VerdictPolicy.DEFAULT.failOn() : Set.of());
      failOn.forEach(text -> kinds.add(VerdictPolicy.kind(text)));
      Optional<VerdictPolicy.Expectation> expectation =
          Optional.ofNullable(expect).map(VerdictPolicy.Expectation::parse);
      if (details < 0 || explanations < 0) {
        throw new IllegalArgumentException("--details and --explanations are not negative");
      }
      return new VerdictPolicy(new LinkedHashSet<>(require), kinds, expectation);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(common.commandLine(), wrong.getMessage());
    }
  }

  private ContractCatalogue catalogue(VerdictPolicy policy) {
    ContractCatalogue all = spec.catalogue();
    List<String> named = new ArrayList<>(policy.require());
    policy.expect().flatMap(VerdictPolicy.Expectation::contract).ifPresent(named::add);
    try {
      all.only(named);
      return contracts.isEmpty() ? all : all.only(contracts);
    } catch (CatalogueException unknown) {
      throw new ParameterException(common.commandLine(), unknown.getMessage());
    }
  }

  private Checked check(
      TraceChecker checker, Path trace, CheckOptions options, VerdictPolicy policy)
      throws CatalogueException {
    try (Console.Progress progress = common.console().progress("check")) {
      CheckResult result =
          Traces.isStandardInput(trace)
              ? checker.check(
                  System.in,
                  "standard input",
                  options,
                  (events, bytes, size) -> progress.reached(bytes, size, events + " events"))
              : checker.check(
                  trace,
                  options,
                  (events, bytes, size) -> progress.reached(bytes, size, events + " events"));
      return new Checked(Optional.of(result), policy.exitCode(result));
    } catch (SyntaxException malformed) {
      common.console().err().print(malformed.getMessage());
      common.console().err().flush();
      return new Checked(Optional.empty(), ExitCode.MALFORMED_INPUT);
    } catch (IOException unreadable) {
      common.console().err().print(UserFault.cannotRead(trace, unreadable).report());
      common.console().err().flush();
      return new Checked(Optional.empty(), ExitCode.USAGE);
    }
  }

  private void summarise(List<Checked> all, ExitCode worst) {
    PrintWriter out = common.console().out();
    out.println();
    for (int index = 0; index < all.size(); index++) {
      Checked checked = all.get(index);
      out.println(
          checked
              .result()
              .map(result -> ConsoleReport.line(result, checked.exitCode()))
              .orElse(traces.get(index) + ": " + checked.exitCode().meaning()));
    }
    out.println("exit code " + worst.code() + ": " + worst.meaning());
  }

  private static String json(List<Checked> all) throws IOException {
    if (all.size() == 1 && all.get(0).result().isPresent()) {
      return JsonReport.text(all.get(0).result().get(), all.get(0).exitCode());
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator json = CommonOptions.JSON.createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      json.writeStartArray();
      for (Checked checked : all) {
        if (checked.result().isPresent()) {
          JsonReport.write(json, checked.result().get(), checked.exitCode());
        }
      }
      json.writeEndArray();
    }
    return text.append('\n').toString();
  }
}
