package org.mrcheck.cli;

import java.nio.file.Path;

/** How the command line names traces. */
final class Traces {
  private Traces() {}

  /** Whether the name stands for standard input. */
  static boolean isStandardInput(Path trace) {
    return trace.toString().equals("-");
  }
}
