package org.mrcheck.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.mrcheck.check.verdict.ExitCode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of mrcheck: parses, dispatches, and turns every failure into an exit code. */
@Command(
    name = "mrcheck",
    description = {
      "Checks what happens when an RDMA memory key is taken away while somebody is still using it."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      DemoCommand.class,
      CheckCommand.class,
      ExplainCommand.class,
      ImportCommand.class,
      ConvertCommand.class,
      RunCommand.class,
      ModelCommand.class,
      MatrixCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:decided, no violation and no hazard",
      "1:violation",
      "2:usage, or a file that cannot be read or written",
      "3:hazard only: the device is right, its user is not (none is found yet)",
      "4:a required contract is inconclusive, or the order is ambiguous",
      "5:nothing could be checked or decided",
      "6:gave up within the stated budget",
      "65:malformed input: a trace, a capture, a TLA+ module",
      "70:internal error"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  mrcheck demo",
      "  mrcheck run --workload mid-dereg --qps 4 --seconds 5 -o a.mrtrace",
      "  mrcheck check a.mrtrace",
      "  mrcheck import capture.pcap -o x.mrtrace"
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] arguments) {
    PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int status = run(out, err, arguments);
    if (out.checkError() && status == ExitCode.OK.code()) {
      err.println("mrcheck: standard output could not be written; the result is not whole");
      status = ExitCode.USAGE.code();
    }
    err.flush();
    // TLC leaves a non-daemon thread of the remote method invocation runtime behind.
    System.exit(status);
  }

  /**
   * Runs one command.
   *
   * @param out where results go
   * @param err where progress, warnings and errors go
   * @return the exit code
   */
  public static int run(PrintWriter out, PrintWriter err, String... arguments) {
    CommandLine commandLine = new CommandLine(new Main());
    commandLine.setOut(out);
    commandLine.setErr(err);
    commandLine.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    commandLine.setUsageHelpWidth(80);
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.setParameterExceptionHandler(Main::reportUsage);
    commandLine.setExecutionExceptionHandler(Main::reportFailure);
    int status = commandLine.execute(arguments);
    out.flush();
    return status;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  private static int reportUsage(ParameterException exception, String[] arguments) {
    CommandLine commandLine = exception.getCommandLine();
    PrintWriter err = commandLine.getErr();
    err.println("mrcheck: " + exception.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(exception, err);
    err.println("Try 'mrcheck" + commandWord(commandLine) + " --help'.");
    return CommandLine.ExitCode.USAGE;
  }

  private static String commandWord(CommandLine commandLine) {
    return commandLine.getParent() == null ? "" : " " + commandLine.getCommandName();
  }

  private static int reportFailure(
      Exception exception, CommandLine commandLine, CommandLine.ParseResult parsed) {
    PrintWriter err = commandLine.getErr();
    if (exception instanceof UserFault fault) {
      err.print(fault.report());
      err.flush();
      return fault.exitCode().code();
    }
    err.println("mrcheck: internal error; this is a bug in mrcheck, please report it with:");
    exception.printStackTrace(err);
    return ExitCode.INTERNAL_ERROR.code();
  }
}
