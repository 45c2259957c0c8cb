package org.mrcheck.check.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mrcheck.check.verdict.BindingResult;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.ContractResult;
import org.mrcheck.check.verdict.InstanceReport;
import org.mrcheck.lang.diagnostic.Diagnostic;
import org.mrcheck.lang.diagnostic.SyntaxException;
import org.mrcheck.lang.trace.TraceHeader;

/**
 * Checks traces against contracts. Memory follows what is live in the trace, not its length.
 *
 * <p>Thread-safe: several traces may be checked at once and share the contracts' tables.
 */
public final class TraceChecker {
  private static final int WARNINGS_KEPT = 20;

  private final ContractCatalogue catalogue;

  /** A checker of these contracts. */
  public TraceChecker(ContractCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  /**
   * Checks one trace.
   *
   * @throws IOException if it cannot be read
   * @throws SyntaxException if it is malformed; the message is for the user
   * @throws CatalogueException if a binding is wrong
   */
  public CheckResult check(TraceSource source, CheckOptions options, CheckProgress progress)
      throws IOException, SyntaxException, CatalogueException {
    long begin = System.nanoTime();
    Reading reading = read(source, options, progress, Set.of());
    if (reading.pass.numbers().tookMoveForLoss()) {
      reading = read(source, options, progress, reading.pass.numbers().moved());
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    CheckResult result = result(source, reading, seconds);
    return options.explanations() == 0 ? result : explain(source, reading, result, options);
  }

  /** Checks a trace in a file. */
  public CheckResult check(Path trace, CheckOptions options, CheckProgress progress)
      throws IOException, SyntaxException, CatalogueException {
    return check(FileTrace.of(trace), options, progress);
  }

  /**
   * Checks a trace that can be read only once. It is copied to a temporary file first, which is
   * deleted again.
   *
   * @param name its name, for reports
   */
  public CheckResult check(
      InputStream trace, String name, CheckOptions options, CheckProgress progress)
      throws IOException, SyntaxException, CatalogueException {
    FileTrace copy = FileTrace.copyOf(trace, name);
    try {
      return check(copy, options, progress);
    } finally {
      Files.deleteIfExists(copy.path());
    }
  }

  private CheckResult explain(
      TraceSource source, Reading reading, CheckResult result, CheckOptions options)
      throws IOException, SyntaxException, CatalogueException {
    Map<InstanceReport, InstanceReport> explained =
        new TraceExplainer(catalogue)
            .explainDetails(
                source,
                result.details(),
                report ->
                    reading.runs.stream().flatMap(run -> run.deciding(report).stream()).findFirst(),
                reading.movedLater,
                options);
    return result.withDetails(report -> explained.getOrDefault(report, report));
  }

  private static final class Reading {
    final Set<Long> movedLater;
    final TracePass pass;
    final Refusals refusals = new Refusals();
    final List<Diagnostic> warnings = new ArrayList<>();
    long warningCount;
    TraceHeader header;
    List<BindingRun> runs = List.of();

    Reading(TraceSource source, Set<Long> movedLater) {
      this.movedLater = movedLater;
      this.pass = new TracePass(source, movedLater);
    }

    void warn(Diagnostic warning) {
      warningCount++;
      if (warnings.size() < WARNINGS_KEPT) {
        warnings.add(warning);
      }
    }
  }

  private Reading read(
      TraceSource source, CheckOptions options, CheckProgress progress, Set<Long> movedLater)
      throws IOException, SyntaxException, CatalogueException {
    Reading reading = new Reading(source, movedLater);
    reading.runs =
        reading.pass.read(
            (ledger, pass) -> {
              reading.header = pass.header();
              List<BindingRun> runs = new ArrayList<>();
              for (ContractCatalogue.Entry entry : catalogue.entries()) {
                runs.add(catalogue.run(entry, ledger, pass.header(), options.details()));
              }
              return runs;
            },
            (line, ledger) -> {
              reading.refusals.before(line, ledger);
              return true;
            },
            reading::warn,
            progress);
    return reading;
  }

  private CheckResult result(TraceSource source, Reading reading, double seconds) {
    Map<String, List<BindingResult>> byContract = new LinkedHashMap<>();
    for (BindingRun run : reading.runs) {
      BindingResult result = run.result();
      byContract.computeIfAbsent(result.contract(), name -> new ArrayList<>()).add(result);
    }
    List<ContractResult> contracts = new ArrayList<>();
    byContract.forEach((name, bindings) -> contracts.add(new ContractResult(name, bindings)));
    TracePass pass = reading.pass;
    return new CheckResult(
        source.name(),
        reading.header,
        new CheckResult.InputSummary(
            pass.events(),
            pass.extensions(),
            pass.numbers().gaps(),
            pass.numbers().missing(),
            pass.declaredLost(),
            pass.numbers().steppedBack(),
            reading.warnings,
            reading.warningCount),
        contracts,
        reading.refusals.summary(),
        catalogue.description(),
        seconds);
  }
}
