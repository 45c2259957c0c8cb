package org.mrcheck.spec.suite;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.mrcheck.spec.Evaluator;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.SpecValue;
import org.mrcheck.spec.TlaTools;

/**
 * The profiles as {@code Profiles.tla} defines them: {@code Profile}, a record of records of sets
 * of values, and {@code Strict}, a record of values.
 *
 * @param profiles for each profile the values that it allows of each policy; a value that nobody
 *     knows is the whole set
 * @param strict the strict value of each policy
 */
public record ProfileTable(
    Map<String, Map<String, SortedSet<String>>> profiles, SortedMap<String, String> strict) {
  /** The module that defines them. */
  public static final String MODULE = "Profiles";

  /** The order in which people read them; others follow in the order of their names. */
  private static final List<String> ORDER =
      List.of(
          "spec",
          "strict",
          "rxe",
          "siw",
          "rdmavt",
          "mlx5like",
          "hnslike",
          "bluelike",
          "cxilike",
          "ucxlike");

  public ProfileTable {
    profiles = Collections.unmodifiableMap(new LinkedHashMap<>(profiles));
    strict = Collections.unmodifiableSortedMap(new TreeMap<>(strict));
  }

  /**
   * Evaluates the module.
   *
   * @throws SpecException when it is missing or malformed, or its values have another shape
   */
  public static ProfileTable read(TlaTools tools, SpecLibrary library) {
    SpecValue all;
    SpecValue strict;
    try (Evaluator evaluator = Evaluator.open(tools, library, List.of(MODULE))) {
      all = evaluator.evaluate(MODULE, "Profile");
      strict = evaluator.evaluate(MODULE, "Strict");
    }
    if (!(all instanceof SpecValue.Rec names) || !(strict instanceof SpecValue.Rec values)) {
      throw Records.unexpected("records", all);
    }
    Map<String, Map<String, SortedSet<String>>> profiles = new LinkedHashMap<>();
    for (String name : ordered(names.fields().keySet())) {
      Map<String, SortedSet<String>> policies = new TreeMap<>();
      if (!(names.fields().get(name) instanceof SpecValue.Rec profile)) {
        throw Records.unexpected("a record of policies", names.fields().get(name));
      }
      profile.fields().forEach((policy, set) -> policies.put(policy, Records.texts(set)));
      profiles.put(name, Collections.unmodifiableMap(policies));
    }
    SortedMap<String, String> single = new TreeMap<>();
    values.fields().forEach((policy, value) -> single.put(policy, Records.text(value)));
    return new ProfileTable(profiles, single);
  }

  private static List<String> ordered(Set<String> names) {
    return names.stream()
        .sorted(
            java.util.Comparator.<String>comparingInt(
                    name -> ORDER.contains(name) ? ORDER.indexOf(name) : ORDER.size())
                .thenComparing(name -> name))
        .toList();
  }

  /** The names in the order in which people read them. */
  public List<String> names() {
    return List.copyOf(profiles.keySet());
  }

  /** Whether the choice is one that a device of this profile may have made. */
  public boolean belongs(Choice choice, String profile) {
    Map<String, SortedSet<String>> allowed = profiles.get(profile);
    return !choice.isMutant()
        && allowed != null
        && choice.policy().entrySet().stream()
            .allMatch(
                each -> allowed.getOrDefault(each.getKey(), empty()).contains(each.getValue()));
  }

  private static SortedSet<String> empty() {
    return Collections.emptySortedSet();
  }
}
