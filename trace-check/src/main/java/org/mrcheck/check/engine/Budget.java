package org.mrcheck.check.engine;

/**
 * Limits of one contract's table. Beyond them the contract is given up, with a message that names
 * the limit; it never turns into another verdict.
 *
 * @param states contract states in all
 * @param beliefSize states in one belief set
 * @param cells entries of the lazily filled table
 * @param alternatives belief sets kept apart because a derived value is unknown; beyond that they
 *     are united and the instance is inconclusive
 */
public record Budget(int states, int beliefSize, int cells, int alternatives) {
  /** Generous for contracts of a few dozen states. */
  public static final Budget DEFAULT = new Budget(200_000, 10_000, 1 << 26, 64);

  /** Rejects limits that leave no room. */
  public Budget {
    if (states < 1 || beliefSize < 1 || cells < 16 || alternatives < 1) {
      throw new IllegalArgumentException(
          "states=%d beliefSize=%d cells=%d alternatives=%d"
              .formatted(states, beliefSize, cells, alternatives));
    }
  }
}
