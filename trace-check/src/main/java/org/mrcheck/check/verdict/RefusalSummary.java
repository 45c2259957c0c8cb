package org.mrcheck.check.verdict;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The remote access errors of a trace.
 *
 * @param total how many there are
 * @param byKind how many of each sort of cause, in the order of their first occurrence
 * @param kept the first of them
 */
public record RefusalSummary(long total, Map<String, Long> byKind, List<RefusalReport> kept) {
  /** Takes copies. */
  public RefusalSummary {
    byKind = Collections.unmodifiableMap(new LinkedHashMap<>(byKind));
    kept = List.copyOf(kept);
  }

  /** No refusal. */
  public static RefusalSummary none() {
    return new RefusalSummary(0, Map.of(), List.of());
  }
}
