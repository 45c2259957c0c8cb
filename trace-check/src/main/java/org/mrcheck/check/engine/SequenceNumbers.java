package org.mrcheck.check.engine;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Follows the sequence numbers of a trace: holes are lost events, a number that goes back is a
 * moved line. A moved line fills the hole it left; since that is known only at the end, a pass over
 * a trace with moved lines is repeated with them given.
 */
final class SequenceNumbers {
  private static final int MOST_MOVED_KEPT = 1 << 20;

  private final long[] movedLater;
  private final Set<Long> moved = new HashSet<>();
  private final TreeMap<Long, Long> holes = new TreeMap<>();
  private long expected = 1;
  private long gaps;
  private long missing;
  private long steppedBack;
  private boolean holeFilled;

  /**
   * @param movedLater numbers that come later than their place, from an earlier pass
   */
  SequenceNumbers(Set<Long> movedLater) {
    this.movedLater = movedLater.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  /** Takes the next number; tells how many events are missing before it, if any. */
  Optional<Long> next(long seq) {
    if (seq == expected) {
      expected++;
      return Optional.empty();
    }
    if (seq < expected) {
      steppedBack++;
      if (moved.size() < MOST_MOVED_KEPT) {
        moved.add(seq);
      }
      Map.Entry<Long, Long> hole = holes.floorEntry(seq);
      if (hole != null && hole.getValue() >= seq) {
        holeFilled = true;
      }
      return Optional.empty();
    }
    long lost = seq - expected - (firstNotBelow(seq) - firstNotBelow(expected));
    if (lost > 0) {
      holes.put(expected, seq - 1);
      gaps++;
      missing += lost;
    }
    expected = seq + 1;
    return lost > 0 ? Optional.of(lost) : Optional.empty();
  }

  private int firstNotBelow(long number) {
    int found = Arrays.binarySearch(movedLater, number);
    return found >= 0 ? found : -found - 1;
  }

  /** Whether a moved line filled a hole that was taken for a loss. */
  boolean tookMoveForLoss() {
    return holeFilled && movedLater.length == 0;
  }

  /** The numbers that came later than their place. */
  Set<Long> moved() {
    return Set.copyOf(moved);
  }

  long gaps() {
    return gaps;
  }

  long missing() {
    return missing;
  }

  long steppedBack() {
    return steppedBack;
  }
}
