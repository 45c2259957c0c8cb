package org.mrcheck.check.verdict;

import java.util.EnumMap;
import java.util.Map;

/**
 * How many instances came to which verdict.
 *
 * @param byKind a number for every kind, 0 where there is none
 * @param idle instances that no event could have contradicted: they say nothing and are not decided
 */
public record VerdictCounts(Map<Verdict.Kind, Long> byKind, long idle) {
  /** Takes a copy and fills in the missing kinds. */
  public VerdictCounts {
    Map<Verdict.Kind, Long> complete = new EnumMap<>(Verdict.Kind.class);
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      complete.put(kind, byKind.getOrDefault(kind, 0L));
    }
    byKind = java.util.Collections.unmodifiableMap(complete);
  }

  /** No instance at all. */
  public static VerdictCounts none() {
    return new VerdictCounts(Map.of(), 0);
  }

  /** Instances of that verdict. */
  public long of(Verdict.Kind kind) {
    return byKind.get(kind);
  }

  /** Instances with a verdict that the recording decides. */
  public long decided() {
    return of(Verdict.Kind.CONFORMANT)
        + of(Verdict.Kind.SURPRISING)
        + of(Verdict.Kind.HAZARD)
        + of(Verdict.Kind.VIOLATION);
  }

  /** Instances without one, the idle ones left out. */
  public long undecided() {
    return of(Verdict.Kind.INCONCLUSIVE) + of(Verdict.Kind.GAVE_UP);
  }

  /** Both together. */
  public VerdictCounts plus(VerdictCounts other) {
    Map<Verdict.Kind, Long> sum = new EnumMap<>(Verdict.Kind.class);
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      sum.put(kind, of(kind) + other.of(kind));
    }
    return new VerdictCounts(sum, idle + other.idle);
  }
}
