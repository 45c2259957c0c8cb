package org.mrcheck.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.mrcheck.check.engine.CatalogueException;
import org.mrcheck.check.engine.CheckOptions;
import org.mrcheck.check.engine.ContractCatalogue;
import org.mrcheck.check.engine.FileTrace;
import org.mrcheck.check.engine.TraceChecker;
import org.mrcheck.check.engine.TraceExplainer;
import org.mrcheck.check.report.ExplanationText;
import org.mrcheck.check.report.JsonReport;
import org.mrcheck.check.report.RefusalText;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.ExitCode;
import org.mrcheck.check.verdict.InstanceReport;
import org.mrcheck.check.verdict.RefusalReport;
import org.mrcheck.check.verdict.RefusalSummary;
import org.mrcheck.check.verdict.VerdictPolicy;
import org.mrcheck.lang.diagnostic.SyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mrcheck explain}: why a trace, or one event of it, got its verdict. */
@Command(
    name = "explain",
    description = {
      "Says why a trace got its verdict: every violation and surprise, or one event;",
      "and why the device refused what it refused."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:explained; nothing of it is a violation or hazard",
      "1:explained a violation",
      "2:usage, or a file that cannot be read",
      "3:explained a hazard",
      "5:nothing could be decided",
      "65:malformed input",
      "70:internal error"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  mrcheck explain bad.mrtrace",
      "  mrcheck explain bad.mrtrace --contract NoAccessAfterReturn",
      "  mrcheck explain bad.mrtrace --event 4711"
    })
final class ExplainCommand implements Callable<Integer> {
  @Mixin private CommonOptions common;
  @Mixin private SpecOptions spec;

  @Parameters(index = "0", paramLabel = "TRACE", description = "A trace; - for standard input.")
  private Path trace;

  @Option(
      names = "--event",
      paramLabel = "SEQ",
      description = "Explain the event with this sequence number.")
  private Long event;

  @Option(
      names = "--contract",
      paramLabel = "NAME",
      description = "Explain only this contract; repeatable.")
  private List<String> contracts = List.of();

  @Option(
      names = "--most",
      paramLabel = "N",
      defaultValue = "20",
      description = "Explain at most so many instances (default: ${DEFAULT-VALUE}).")
  private int most;

  @Option(
      names = "--prefix",
      paramLabel = "N",
      defaultValue = "20",
      description = "Events of each instance shown before it (default: ${DEFAULT-VALUE}).")
  private int prefix;

  @Override
  public Integer call() throws Exception {
    if (most < 1 || prefix < 1) {
      throw new ParameterException(common.commandLine(), "--most and --prefix must be at least 1");
    }
    ContractCatalogue catalogue = catalogue();
    boolean copied = Traces.isStandardInput(trace);
    FileTrace source;
    try {
      source = copied ? FileTrace.copyOf(System.in, "standard input") : FileTrace.of(trace);
    } catch (IOException unreadable) {
      throw UserFault.cannotRead(trace, unreadable);
    }
    try {
      return explain(catalogue, source);
    } catch (SyntaxException malformed) {
      throw new UserFault(malformed.getMessage(), ExitCode.MALFORMED_INPUT);
    } catch (IOException unreadable) {
      throw UserFault.cannotRead(trace, unreadable);
    } finally {
      if (copied) {
        Files.deleteIfExists(source.path());
      }
    }
  }

  private ContractCatalogue catalogue() {
    ContractCatalogue all = spec.catalogue();
    try {
      return contracts.isEmpty() ? all : all.only(contracts);
    } catch (CatalogueException unknown) {
      throw new ParameterException(common.commandLine(), unknown.getMessage());
    }
  }

  private int explain(ContractCatalogue catalogue, FileTrace source)
      throws IOException, SyntaxException, CatalogueException {
    CheckOptions options = new CheckOptions(most, most, prefix, Console.PROGRAM + " explain", true);
    List<InstanceReport> reports;
    RefusalSummary refusals = RefusalSummary.none();
    ExitCode exitCode;
    if (event != null) {
      reports = new TraceExplainer(catalogue).explain(source, options, event);
      exitCode = ExitCode.worst(reports.stream().map(ExplainCommand::exitCode).toList());
    } else {
      CheckResult result;
      try (Console.Progress progress = common.console().progress("explain")) {
        result =
            new TraceChecker(catalogue)
                .check(
                    source,
                    options,
                    (events, bytes, size) -> progress.reached(bytes, size, events + " events"));
      }
      reports =
          result.details().stream().filter(report -> report.explanation().isPresent()).toList();
      refusals = result.refusals();
      exitCode = VerdictPolicy.DEFAULT.exitCode(result);
    }
    if (common.json()) {
      common.console().out().print(json(reports, refusals));
    } else {
      print(source.name(), reports, refusals);
    }
    return exitCode.code();
  }

  private void print(String name, List<InstanceReport> reports, RefusalSummary refusals) {
    PrintWriter out = common.console().out();
    if (reports.isEmpty() && refusals.total() == 0) {
      out.println(
          event == null
              ? name + ": no violation and no surprise to explain."
              : name + ": no contract looks at an event with sequence number " + event + ".");
      out.println("Try '" + Console.PROGRAM + " check " + name + "' for what was decided.");
    }
    for (InstanceReport report : reports) {
      out.println(ExplanationText.text(name, report));
    }
    if (refusals.total() > 0) {
      out.print(RefusalText.full(refusals));
    }
  }

  private static ExitCode exitCode(InstanceReport report) {
    return switch (report.verdict().kind()) {
      case VIOLATION -> ExitCode.VIOLATION;
      case HAZARD -> ExitCode.HAZARD;
      default -> ExitCode.OK;
    };
  }

  private static String json(List<InstanceReport> reports, RefusalSummary refusals)
      throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = CommonOptions.JSON.createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      json.writeStartArray();
      for (InstanceReport report : reports) {
        JsonReport.report(json, report);
      }
      for (RefusalReport refusal : refusals.kept()) {
        JsonReport.refusal(json, refusal);
      }
      json.writeEndArray();
    }
    return text.append('\n').toString();
  }
}
