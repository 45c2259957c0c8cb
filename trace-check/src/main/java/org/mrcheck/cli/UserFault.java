package org.mrcheck.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.mrcheck.check.verdict.ExitCode;

/**
 * Ends a command because of what the user gave it. The command line prints the report and no stack
 * trace.
 */
final class UserFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String report;
  private final ExitCode exitCode;

  /**
   * A fault.
   *
   * @param report whole lines for the user, ending in a line end
   * @param exitCode what the process ends with
   */
  UserFault(String report, ExitCode exitCode) {
    super(report);
    this.report = report;
    this.exitCode = exitCode;
  }

  /** A fault told in one message and one piece of advice. */
  static UserFault of(ExitCode exitCode, String message, String advice) {
    return new UserFault(
        "mrcheck: " + message + System.lineSeparator() + "  " + advice + System.lineSeparator(),
        exitCode);
  }

  /** A file that cannot be written. */
  static UserFault cannotWrite(Path file, IOException failure) {
    return of(
        ExitCode.USAGE,
        "cannot write " + file + ": " + reason(failure),
        "Name a file in a folder that exists and that you may write to.");
  }

  /** A file that cannot be read. */
  static UserFault cannotRead(Path file, IOException failure) {
    return of(
        ExitCode.USAGE,
        "cannot read " + file + ": " + reason(failure),
        "Check the name; a dash stands for standard input where a trace is read.");
  }

  private static String reason(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "there is no such file or folder";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof FileSystemException named && named.getReason() != null) {
      return named.getReason();
    }
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }

  String report() {
    return report;
  }

  ExitCode exitCode() {
    return exitCode;
  }
}
