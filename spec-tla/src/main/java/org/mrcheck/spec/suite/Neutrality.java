package org.mrcheck.spec.suite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which values of a policy make a difference. Two values differ in a model when two choices that
 * are equal but for them break different properties. Every pair of values that some model compares
 * and none tells apart has to be declared neutral, and no declared pair may differ.
 */
public final class Neutrality {
  private Neutrality() {}

  /**
   * Two values of a policy.
   *
   * @param policy the policy
   * @param first the lesser value
   * @param second the greater value
   * @param compared in which models choices that differ in nothing else were compared
   * @param difference where a verdict differs: a model, and a property; empty when nowhere
   */
  public record Pair(
      String policy,
      String first,
      String second,
      SortedSet<String> compared,
      Optional<String> difference) {}

  /** Every pair of values that some model compares. */
  public static List<Pair> pairs(List<SuiteRunner.RowResult> results) {
    Map<List<String>, TreeSet<String>> compared = new TreeMap<>(Neutrality::compare);
    Map<List<String>, String> differs = new HashMap<>();
    for (SuiteRunner.RowResult result : results) {
      ModelFindings findings = result.findings();
      if (!findings.explored()) {
        continue;
      }
      Map<Choice, SortedSet<String>> broken = new HashMap<>();
      findings.settings().ran().forEach(choice -> broken.put(choice, new TreeSet<>()));
      findings.broken().forEach(each -> broken.get(each.choice()).add(each.name()));
      for (String policy : findings.settings().opened()) {
        // Choices that agree on everything else.
        Map<Choice, Map<String, SortedSet<String>>> groups = new HashMap<>();
        broken.forEach(
            (choice, contracts) -> {
              if (!choice.isMutant()) {
                groups
                    .computeIfAbsent(choice.with(policy, ""), none -> new TreeMap<>())
                    .put(choice.policy().get(policy), contracts);
              }
            });
        for (Map<String, SortedSet<String>> group : groups.values()) {
          List<String> values = List.copyOf(group.keySet());
          for (int i = 0; i < values.size(); i++) {
            for (int j = i + 1; j < values.size(); j++) {
              List<String> pair = List.of(policy, values.get(i), values.get(j));
              compared.computeIfAbsent(pair, none -> new TreeSet<>()).add(findings.model());
              TreeSet<String> only = new TreeSet<>(group.get(values.get(i)));
              TreeSet<String> both = new TreeSet<>(only);
              both.retainAll(group.get(values.get(j)));
              only.addAll(group.get(values.get(j)));
              only.removeAll(both);
              if (!only.isEmpty()) {
                differs.putIfAbsent(pair, findings.model() + ": " + only.first());
              }
            }
          }
        }
      }
    }
    List<Pair> pairs = new ArrayList<>();
    compared.forEach(
        (pair, models) ->
            pairs.add(
                new Pair(
                    pair.get(0),
                    pair.get(1),
                    pair.get(2),
                    models,
                    Optional.ofNullable(differs.get(pair)))));
    return pairs;
  }

  private static int compare(List<String> left, List<String> right) {
    return String.join(" ", left).compareTo(String.join(" ", right));
  }

  /**
   * What is wrong with the declarations, a line each.
   *
   * @param results runs of the whole suite
   * @param declared what the manifest declares
   */
  public static List<String> problems(
      List<SuiteRunner.RowResult> results, List<SuiteManifest.Neutral> declared) {
    List<String> problems = new ArrayList<>();
    List<Pair> pairs = pairs(results);
    for (Pair pair : pairs) {
      boolean neutral =
          declared.stream()
              .anyMatch(
                  each ->
                      each.policy().equals(pair.policy())
                          && (each.values().isEmpty()
                              || each.values().contains(pair.first())
                                  && each.values().contains(pair.second())));
      if (neutral && pair.difference().isPresent()) {
        problems.add(
            "%s is declared neutral between %s and %s, but they differ in %s"
                .formatted(pair.policy(), pair.first(), pair.second(), pair.difference().get()));
      } else if (!neutral && pair.difference().isEmpty()) {
        problems.add(
            "%s: no model tells %s from %s (compared in %s), and they are not declared neutral"
                .formatted(
                    pair.policy(),
                    pair.first(),
                    pair.second(),
                    String.join(", ", pair.compared())));
      }
    }
    for (SuiteManifest.Neutral each : declared) {
      if (pairs.stream().noneMatch(pair -> pair.policy().equals(each.policy()))) {
        problems.add(each.policy() + " is declared neutral, but no model compares its values");
      }
    }
    return problems;
  }
}
