package org.mrcheck.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.mrcheck.check.verdict.ExitCode;
import org.mrcheck.lang.diagnostic.Diagnostic;
import org.mrcheck.lang.diagnostic.DiagnosticRenderer;
import org.mrcheck.lang.diagnostic.SyntaxException;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.TraceOutput;
import org.mrcheck.lang.trace.binary.TraceEncoding;
import org.mrcheck.lang.trace.text.TraceInput;
import org.mrcheck.lang.trace.text.TraceLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mrcheck convert}: a trace from one encoding to the other. */
@Command(
    name = "convert",
    description = {
      "Turns a trace from text into the binary encoding and back.",
      "",
      "What is read is told by its content; what is written by --to or the name: .mrbin is binary."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the trace was written",
      "2:usage, or a file that cannot be read or written",
      "65:malformed input",
      "70:internal error"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  mrcheck convert a.mrtrace -o a.mrbin",
      "  mrcheck convert a.mrbin -o - | grep dereg"
    })
final class ConvertCommand implements Callable<Integer> {
  private static final int EVENTS_BETWEEN_REPORTS = 1 << 14;

  @Mixin private CommonOptions common;

  @Parameters(index = "0", paramLabel = "TRACE", description = "A trace; - for standard input.")
  private Path trace;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "Where the trace goes; - for standard output.")
  private Path output;

  @Option(
      names = "--to",
      paramLabel = "ENCODING",
      description = "text or binary, instead of what the name says.")
  private String to;

  @Override
  public Integer call() throws Exception {
    TraceEncoding encoding = encoding();
    boolean toStandardOutput = output.toString().equals("-");
    if (toStandardOutput && common.json()) {
      throw new ParameterException(
          common.commandLine(), "--json and -o - would both write to standard output");
    }
    long events;
    try (TraceInput in = open()) {
      events = convert(in, encoding, toStandardOutput);
    } catch (SyntaxException malformed) {
      throw new UserFault(malformed.getMessage(), ExitCode.MALFORMED_INPUT);
    }
    if (common.json()) {
      ObjectNode node = CommonOptions.JSON.createObjectNode();
      node.put("trace", output.toString());
      node.put("encoding", encoding.name().toLowerCase(Locale.ROOT));
      node.put("events", events);
      common.printJson(node);
    } else if (!toStandardOutput) {
      common.console().out().printf("%,d events in %s%n", events, output);
    }
    return ExitCode.OK.code();
  }

  private TraceEncoding encoding() {
    if (to == null) {
      return TraceEncoding.ofName(output);
    }
    return switch (to) {
      case "text" -> TraceEncoding.TEXT;
      case "binary" -> TraceEncoding.BINARY;
      default ->
          throw new ParameterException(
              common.commandLine(), "--to is text or binary, not \"" + to + "\"");
    };
  }

  private TraceInput open() throws SyntaxException {
    try {
      return Traces.isStandardInput(trace)
          ? TraceEncoding.open(System.in, "standard input", this::warn)
          : TraceEncoding.open(trace, this::warn);
    } catch (IOException unreadable) {
      throw UserFault.cannotRead(trace, unreadable);
    }
  }

  private long convert(TraceInput in, TraceEncoding encoding, boolean toStandardOutput)
      throws SyntaxException {
    try {
      TraceOutput out = create(encoding, in.header(), toStandardOutput);
      boolean whole = false;
      try {
        long events = copy(in, out);
        out.close();
        whole = true;
        return events;
      } finally {
        if (!whole) {
          out.discard();
        }
      }
    } catch (IOException failure) {
      throw UserFault.cannotWrite(output, failure);
    } catch (UncheckedIOException failure) {
      throw UserFault.cannotWrite(output, failure.getCause());
    }
  }

  private TraceOutput create(TraceEncoding encoding, TraceHeader header, boolean toStandardOutput)
      throws IOException {
    common.console().out().flush();
    return toStandardOutput
        ? encoding.to(new UnclosedOutput(System.out), header)
        : encoding.create(output, header);
  }

  private long copy(TraceInput in, TraceOutput out) throws SyntaxException {
    long size = size();
    try (Console.Progress progress = common.console().progress("convert")) {
      for (TraceLine line = in.next(); line != null; line = in.next()) {
        out.accept(line.event());
        if (in.events() % EVENTS_BETWEEN_REPORTS == 0) {
          progress.reached(line.offset(), size, in.events() + " events");
        }
      }
      return in.events();
    } catch (IOException unreadable) {
      throw UserFault.cannotRead(trace, unreadable);
    }
  }

  private long size() {
    try {
      return Traces.isStandardInput(trace) ? 0 : Files.size(trace);
    } catch (IOException unknown) {
      return 0;
    }
  }

  private void warn(Diagnostic warning) {
    PrintWriter err = common.console().err();
    err.print(DiagnosticRenderer.render(warning));
    err.flush();
  }
}
