package org.mrcheck.spec.suite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The verdicts of a run of a focused model: who breaks which contract after how many steps.
 *
 * @param red for each contract that somebody breaks, who
 * @param reached for each probe that is reached, after how many steps
 */
public record Verdicts(SortedMap<String, Breakers> red, SortedMap<String, Integer> reached) {
  /**
   * Who breaks a contract.
   *
   * @param profiles for each profile the steps of the shortest counterexample
   * @param mutants for each defect the steps of the shortest counterexample
   * @param choices how many choices of policies break it, those of mutants not counted
   */
  public record Breakers(
      SortedMap<String, Integer> profiles, SortedMap<String, Integer> mutants, int choices) {
    public Breakers {
      profiles = Collections.unmodifiableSortedMap(new TreeMap<>(profiles));
      mutants = Collections.unmodifiableSortedMap(new TreeMap<>(mutants));
    }
  }

  public Verdicts {
    red = Collections.unmodifiableSortedMap(new TreeMap<>(red));
    reached = Collections.unmodifiableSortedMap(new TreeMap<>(reached));
  }

  /** The verdicts of a run. */
  public static Verdicts of(ModelFindings findings, ProfileTable profiles) {
    TreeMap<String, Integer> reached = new TreeMap<>();
    findings.reached().forEach(probe -> reached.put(probe.name(), probe.steps()));
    return new Verdicts(
        breakers(findings.broken(), findings.settings().profiles(), profiles), reached);
  }

  private static SortedMap<String, Breakers> breakers(
      List<Finding> broken, SortedSet<String> names, ProfileTable profiles) {
    TreeMap<String, Breakers> red = new TreeMap<>();
    for (Finding finding : broken) {
      Breakers before =
          red.getOrDefault(finding.name(), new Breakers(new TreeMap<>(), new TreeMap<>(), 0));
      TreeMap<String, Integer> byProfile = new TreeMap<>(before.profiles());
      TreeMap<String, Integer> byMutant = new TreeMap<>(before.mutants());
      boolean mutant = finding.choice().isMutant();
      if (mutant) {
        byMutant.merge(finding.choice().defect(), finding.steps(), Math::min);
      }
      for (String profile : names) {
        if (profiles.belongs(finding.choice(), profile)) {
          byProfile.merge(profile, finding.steps(), Math::min);
        }
      }
      red.put(
          finding.name(), new Breakers(byProfile, byMutant, before.choices() + (mutant ? 0 : 1)));
    }
    return red;
  }

  /**
   * What differs from these, a line each.
   *
   * @param found what a run showed
   * @param exactly whether numbers of steps and of choices are compared too
   */
  public List<String> differences(Verdicts found, boolean exactly) {
    return differences(found, exactly, false);
  }

  /**
   * What is missing at wider bounds, a line each: whatever is broken or reached within these bounds
   * is broken or reached within wider ones. A mutant may break more there; a profile that does is a
   * verdict that was not expected.
   *
   * @param found what a run at wider bounds showed
   */
  public List<String> differencesAtWiderBounds(Verdicts found) {
    return differences(found, false, true);
  }

  private List<String> differences(Verdicts found, boolean exactly, boolean wider) {
    List<String> differences = new ArrayList<>();
    Breakers nobody = new Breakers(new TreeMap<>(), new TreeMap<>(), 0);
    for (String contract : union(red.keySet(), found.red.keySet())) {
      Breakers expected = red.getOrDefault(contract, nobody);
      Breakers got = found.red.getOrDefault(contract, nobody);
      compare("profile ", contract, expected.profiles(), got.profiles(), exactly, differences);
      SortedMap<String, Integer> mutants = new TreeMap<>(got.mutants());
      if (wider) {
        mutants.keySet().retainAll(expected.mutants().keySet());
      }
      compare("mutant ", contract, expected.mutants(), mutants, exactly, differences);
      if (exactly && differences.isEmpty() && expected.choices() != got.choices()) {
        differences.add(
            "%d choices of policies break %s, expected %d"
                .formatted(got.choices(), contract, expected.choices()));
      }
    }
    for (String probe : union(reached.keySet(), found.reached.keySet())) {
      Integer expected = reached.get(probe);
      Integer got = found.reached.get(probe);
      if (got == null) {
        differences.add(
            "situation %s is not reached, expected after %d steps".formatted(probe, expected));
      } else if (expected == null) {
        differences.add(
            "situation %s is reached after %d steps, expected never".formatted(probe, got));
      } else if (exactly && !expected.equals(got)) {
        differences.add(
            "situation %s is reached after %d steps, expected %d".formatted(probe, got, expected));
      }
    }
    return differences;
  }

  private static void compare(
      String kind,
      String contract,
      SortedMap<String, Integer> expected,
      SortedMap<String, Integer> got,
      boolean exactly,
      List<String> differences) {
    for (String who : union(expected.keySet(), got.keySet())) {
      Integer before = expected.get(who);
      Integer now = got.get(who);
      if (now == null) {
        differences.add(
            "%s%s does not break %s, expected after %d steps"
                .formatted(kind, who, contract, before));
      } else if (before == null) {
        differences.add(
            "%s%s breaks %s after %d steps, expected never".formatted(kind, who, contract, now));
      } else if (exactly && !before.equals(now)) {
        differences.add(
            "%s%s breaks %s after %d steps, expected %d"
                .formatted(kind, who, contract, now, before));
      }
    }
  }

  private static Set<String> union(Set<String> left, Set<String> right) {
    TreeSet<String> all = new TreeSet<>(left);
    all.addAll(right);
    return all;
  }
}
