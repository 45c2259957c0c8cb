package org.mrcheck.lang.diagnostic;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Guesses which word a user meant. */
public final class Suggestion {
  private static final int LONGEST_WORD = 64;

  private Suggestion() {}

  /**
   * The candidate nearest to the word, if any is near: at most one edit in three characters, where
   * an edit inserts, deletes or changes a character or swaps two neighbours. Among equals the first
   * wins. Case does not count, and the word itself is no suggestion.
   */
  public static Optional<String> nearest(String word, Collection<String> candidates) {
    if (word.length() > LONGEST_WORD) {
      return Optional.empty();
    }
    String wanted = word.toLowerCase(Locale.ROOT);
    Optional<String> best = Optional.empty();
    int bestDistance = Integer.MAX_VALUE;
    for (String candidate : candidates) {
      int distance = distance(wanted, candidate.toLowerCase(Locale.ROOT));
      int near = Math.max(1, Math.max(wanted.length(), candidate.length()) / 3);
      if (!candidate.equals(word)
          && distance <= near
          && distance < bestDistance
          && distance < candidate.length()) {
        best = Optional.of(candidate);
        bestDistance = distance;
      }
    }
    return best;
  }

  /** Optimal string alignment distance. */
  private static int distance(String left, String right) {
    int[] beforePrevious = new int[right.length() + 1];
    int[] previous = new int[right.length() + 1];
    int[] current = new int[right.length() + 1];
    for (int column = 0; column <= right.length(); column++) {
      previous[column] = column;
    }
    for (int row = 1; row <= left.length(); row++) {
      current[0] = row;
      for (int column = 1; column <= right.length(); column++) {
        int change = left.charAt(row - 1) == right.charAt(column - 1) ? 0 : 1;
        int least = Math.min(previous[column] + 1, current[column - 1] + 1);
        least = Math.min(least, previous[column - 1] + change);
        if (row > 1
            && column > 1
            && left.charAt(row - 1) == right.charAt(column - 2)
            && left.charAt(row - 2) == right.charAt(column - 1)) {
          least = Math.min(least, beforePrevious[column - 2] + 1);
        }
        current[column] = least;
      }
      int[] recycled = beforePrevious;
      beforePrevious = previous;
      previous = current;
      current = recycled;
    }
    return previous[right.length()];
  }
}
