package org.mrcheck.check.verdict;

import java.util.Collection;

/** The process's exit codes. Over several inputs the one first in {@link #PRECEDENCE} counts. */
public enum ExitCode {
  OK(0, "decided, and free of violations and hazards"),
  VIOLATION(1, "a contract is violated"),
  USAGE(2, "the command line is wrong"),
  HAZARD(3, "a hazard and no violation"),
  REQUIRED_INCONCLUSIVE(4, "a required contract is inconclusive, or an order is ambiguous"),
  NOTHING_DECIDED(5, "nothing could be checked or decided"),
  GAVE_UP(6, "gave up within the budget"),
  MALFORMED_INPUT(65, "an input is malformed"),
  INTERNAL_ERROR(70, "an error in mrcheck itself");

  private static final ExitCode[] PRECEDENCE = {
    INTERNAL_ERROR,
    USAGE,
    MALFORMED_INPUT,
    VIOLATION,
    HAZARD,
    REQUIRED_INCONCLUSIVE,
    GAVE_UP,
    NOTHING_DECIDED,
    OK
  };

  private final int code;
  private final String meaning;

  ExitCode(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  /** The number. */
  public int code() {
    return code;
  }

  /** What it says, for {@code --help}. */
  public String meaning() {
    return meaning;
  }

  /**
   * The exit code of a run over several inputs: 1, 3, 4, 6, 5, 0 in this order of precedence, and
   * before them what kept an input from being checked at all.
   *
   * @return {@link #NOTHING_DECIDED} for no input
   */
  public static ExitCode worst(Collection<ExitCode> codes) {
    for (ExitCode candidate : PRECEDENCE) {
      if (codes.contains(candidate)) {
        return candidate;
      }
    }
    return NOTHING_DECIDED;
  }
}
