package org.mrcheck.check.engine;

import java.util.Map;
import java.util.TreeMap;

/**
 * A set of numbers kept as intervals, so that the numbers of registrations that are gone, which
 * mostly follow one another, take little room. Not safe for several threads.
 */
final class NumberIntervals {
  private final TreeMap<Long, Long> lastByFirst = new TreeMap<>();

  boolean contains(long number) {
    Map.Entry<Long, Long> below = lastByFirst.floorEntry(number);
    return below != null && below.getValue() >= number;
  }

  void add(long number) {
    if (contains(number)) {
      return;
    }
    long first = number;
    long last = number;
    Map.Entry<Long, Long> below = lastByFirst.lowerEntry(number);
    if (below != null && below.getValue() == number - 1) {
      first = below.getKey();
    }
    Map.Entry<Long, Long> above = lastByFirst.higherEntry(number);
    if (above != null && above.getKey() == number + 1) {
      last = above.getValue();
      lastByFirst.remove(above.getKey());
    }
    lastByFirst.put(first, last);
  }

  int intervals() {
    return lastByFirst.size();
  }
}
