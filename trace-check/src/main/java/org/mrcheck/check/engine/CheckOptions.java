package org.mrcheck.check.engine;

/**
 * What a check reports.
 *
 * @param details how many violations, surprises and undecided instances of each binding are kept in
 *     detail; the rest are counted
 * @param explanations how many violations and surprises of a trace are explained, which reads the
 *     trace a second time
 * @param prefix how many events the table of an explanation shows
 * @param command how explanations name the command that shows them again, {@code mrcheck explain}
 * @param surprises whether surprises are explained as violations are
 */
public record CheckOptions(
    int details, int explanations, int prefix, String command, boolean surprises) {
  /** 20 details of each kind, five explanations of twelve events, of violations only. */
  public static final CheckOptions DEFAULT = new CheckOptions(20, 5, 12, "mrcheck explain", false);

  /** Rejects negative numbers. */
  public CheckOptions {
    if (details < 0 || explanations < 0 || prefix < 1) {
      throw new IllegalArgumentException(
          "details=%d explanations=%d prefix=%d".formatted(details, explanations, prefix));
    }
  }

  /** The same with other numbers of details. */
  public CheckOptions withDetails(int number) {
    return new CheckOptions(number, explanations, prefix, command, surprises);
  }

  /** The same with another number of explanations. */
  public CheckOptions withExplanations(int number) {
    return new CheckOptions(details, number, prefix, command, surprises);
  }

  /** The same, surprises explained as well. */
  public CheckOptions withSurprises() {
    return new CheckOptions(details, explanations, prefix, command, true);
  }

  /** The same, naming another command. */
  public CheckOptions withCommand(String name) {
    return new CheckOptions(details, explanations, prefix, name, surprises);
  }
}
