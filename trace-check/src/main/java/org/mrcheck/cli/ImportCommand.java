package org.mrcheck.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.mrcheck.check.capture.CaptureFormatException;
import org.mrcheck.check.capture.CaptureImporter;
import org.mrcheck.check.capture.ImportOptions;
import org.mrcheck.check.capture.ImportReport;
import org.mrcheck.check.capture.ImportedCapture;
import org.mrcheck.check.verdict.ExitCode;
import org.mrcheck.lang.trace.TraceOutput;
import org.mrcheck.lang.trace.binary.TraceEncoding;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mrcheck import}: a packet capture becomes a trace. */
@Command(
    name = "import",
    description = {
      "Turns a packet capture into a trace.",
      "",
      "Reads pcap and pcapng: RoCEv2 and RoCEv1 on Ethernet, and native InfiniBand (ERF)."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the trace was written",
      "2:usage, or a file that cannot be read or written",
      "65:the capture or a log is malformed",
      "70:internal error"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  mrcheck import capture.pcap -o x.mrtrace",
      "  mrcheck import capture.pcapng --marks 9999 -o x.mrtrace",
      "  mrcheck import capture.pcap --marks 9999 --verbs requester.log \\",
      "      --verbs owner.log -o x.mrtrace",
      "  mrcheck import capture.pcap -o - | mrcheck check -"
    })
final class ImportCommand implements Callable<Integer> {
  @Mixin private CommonOptions common;

  @Parameters(index = "0", paramLabel = "CAPTURE", description = "A pcap or pcapng file.")
  private Path capture;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "Where the trace goes, binary if it ends in .mrbin; - for standard output.")
  private Path output;

  @Option(
      names = "--marks",
      paramLabel = "PORT",
      description = {
        "Read the owner's marks: UDP datagrams to this port, each a line of the owner's log."
      })
  private Integer marks;

  @Option(
      names = "--verbs",
      paramLabel = "FILE[@HOST]",
      description = {"Read posts and completions of a verbs log; repeatable. HOST: whose it is."})
  private List<String> verbs = List.of();

  @Override
  public Integer call() throws Exception {
    ImportedCapture imported = read();
    boolean toStandardOutput = output.toString().equals("-");
    if (toStandardOutput && common.json()) {
      throw new ParameterException(
          common.commandLine(), "--json and -o - would both write to standard output");
    }
    write(imported, toStandardOutput);
    PrintWriter report = toStandardOutput ? common.console().err() : common.console().out();
    if (common.json()) {
      common.printJson(json(imported.report()));
    } else {
      report.println(capture + ": " + imported.report());
      if (!toStandardOutput) {
        report.printf("Trace in %s. Check it: %s check %s%n", output, Console.PROGRAM, output);
      }
    }
    return ExitCode.OK.code();
  }

  private ImportedCapture read() {
    OptionalInt port = OptionalInt.empty();
    if (marks != null) {
      if (marks < 1 || marks > 65_535) {
        throw new ParameterException(
            common.commandLine(), "--marks is a UDP port, 1 to 65535, not " + marks);
      }
      port = OptionalInt.of(marks);
    }
    List<ImportOptions.VerbsLog> logs = new ArrayList<>();
    for (String log : verbs) {
      logs.add(ImportOptions.VerbsLog.parse(log));
    }
    try {
      return CaptureImporter.read(capture, new ImportOptions(port, logs));
    } catch (CaptureFormatException malformed) {
      throw malformed(malformed);
    } catch (IOException unreadable) {
      throw UserFault.cannotRead(capture, unreadable);
    }
  }

  /** A capture that is none. */
  static UserFault malformed(CaptureFormatException malformed) {
    return new UserFault(
        String.format(
            "error: %s is not a capture that mrcheck can read%n"
                + "   --> %s, byte %d%n"
                + "    = found     %s%n"
                + "    = expected  %s%n"
                + "%s",
            malformed.file(),
            malformed.file(),
            malformed.offset(),
            malformed.found(),
            malformed.expected(),
            malformed.advice().isEmpty() ? "" : "    = help: " + malformed.advice() + "\n"),
        ExitCode.MALFORMED_INPUT);
  }

  private void write(ImportedCapture imported, boolean toStandardOutput) {
    try {
      if (toStandardOutput) {
        common.console().out().flush();
        OutputStream standard = new UnclosedOutput(System.out);
        try (TraceOutput writer = TraceEncoding.TEXT.to(standard, imported.header())) {
          imported.writeTo(writer);
        }
      } else {
        TraceOutput writer = TraceEncoding.ofName(output).create(output, imported.header());
        imported.writeTo(writer);
        writer.close();
      }
    } catch (IOException failure) {
      throw UserFault.cannotWrite(output, failure);
    }
  }

  private ObjectNode json(ImportReport report) {
    ObjectNode node = CommonOptions.JSON.createObjectNode();
    node.put("capture", capture.toString());
    node.put("trace", output.toString());
    node.put("frames", report.frames());
    node.put("rdmaFrames", report.rdmaFrames());
    ObjectNode events = node.putObject("events");
    report.events().forEach((name, count) -> events.put(name.text(), count));
    node.put("queuePairs", report.queuePairs());
    ArrayNode unpaired = node.putArray("unpaired");
    report.unpaired().forEach(unpaired::add);
    node.put("psnGaps", report.psnGaps());
    node.put("badIcrc", report.badIcrc());
    node.put("truncated", report.truncated());
    ArrayNode marksNotRead = node.putArray("unknownMarks");
    report.unknownMarks().forEach(marksNotRead::add);
    ArrayNode warnings = node.putArray("warnings");
    report.warnings().forEach(warnings::add);
    return node;
  }
}
