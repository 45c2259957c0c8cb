package org.mrcheck.spec.suite;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeSet;
import org.mrcheck.spec.Counterexample;
import org.mrcheck.spec.ModelChecker;
import org.mrcheck.spec.ModelResult;
import org.mrcheck.spec.ModelRun;
import org.mrcheck.spec.ProgressSink;
import org.mrcheck.spec.SpecException;

/**
 * The counterexample behind a red cell, and which policy choice causes it.
 *
 * @param row the model
 * @param finding what is broken, under which choice
 * @param behaviour the counterexample, with the raw event of each step in the variable {@code
 *     event} where the model tells events
 * @param repairs the smallest sets of opened policies after whose setting to strict the property
 *     holds within the bounds of the model; empty for a mutant, a strict choice, and where more
 *     than two policies would have to change
 * @param useless the opened policies that are not strict and in none of those sets
 */
public record Story(
    SuiteManifest.Row row,
    Finding finding,
    Counterexample behaviour,
    List<List<Flip>> repairs,
    List<Flip> useless) {
  private static final int MOST_FLIPS = 2;

  public Story {
    Objects.requireNonNull(row, "row");
    Objects.requireNonNull(finding, "finding");
    Objects.requireNonNull(behaviour, "behaviour");
    repairs = repairs.stream().map(List::copyOf).toList();
    useless = List.copyOf(useless);
  }

  /**
   * One policy set to its strict value.
   *
   * @param policy the policy
   * @param from its value in the choice
   * @param to its strict value
   */
  public record Flip(String policy, String from, String to) {
    @Override
    public String toString() {
      return policy + " = " + to + " instead of " + from;
    }
  }

  /**
   * Tells the story of a finding. Runs TLC once for the counterexample and, where the findings do
   * not hold the answer, once for the flips.
   *
   * @param runner how to run
   * @param row the model that found it
   * @param found all that the model found
   * @param finding the finding
   * @throws SpecException when TLC does not show the counterexample again
   * @throws InterruptedException when the thread is interrupted
   */
  public static Story tell(
      SuiteRunner runner,
      SuiteManifest.Row row,
      ModelFindings found,
      Finding finding,
      ProgressSink sink)
      throws InterruptedException {
    ModelRun run = runner.modelRun(row);
    SortedMap<String, String> strict = runner.profiles().strict();
    boolean liveness = row.property().isPresent();
    Variant variant =
        liveness
            ? Variant.property(
                run.library(), run.module(), run.config(), finding.name(), finding.choice(), strict)
            : Variant.story(
                run.library(),
                run.module(),
                run.config(),
                finding.choice(),
                finding.name(),
                strict);
    ModelResult result = ModelChecker.check(of(run, variant), sink);
    Counterexample behaviour =
        result
            .counterexample()
            .orElseThrow(
                () ->
                    new SpecException(
                        SpecException.Kind.UNEXPECTED_VALUE,
                        null,
                        row.name() + ": " + finding.name() + " is not broken again: " + result));
    List<Flip> flips = flips(finding.choice(), strict);
    List<List<Flip>> repairs = List.of();
    for (int size = 1; size <= MOST_FLIPS && repairs.isEmpty(); size++) {
      repairs = repairs(runner, row, run, found, finding, subsets(flips, size), sink);
    }
    List<Flip> useless = new ArrayList<>(flips);
    repairs.forEach(useless::removeAll);
    return new Story(row, finding, behaviour, repairs, useless);
  }

  private static List<Flip> flips(Choice choice, Map<String, String> strict) {
    List<Flip> flips = new ArrayList<>();
    if (!choice.isMutant()) {
      choice
          .policy()
          .forEach(
              (policy, value) -> {
                if (!value.equals(strict.get(policy))) {
                  flips.add(new Flip(policy, value, strict.get(policy)));
                }
              });
    }
    return flips;
  }

  private static List<List<Flip>> subsets(List<Flip> flips, int size) {
    if (size == 0) {
      return List.of(List.of());
    }
    List<List<Flip>> subsets = new ArrayList<>();
    for (int first = 0; first < flips.size(); first++) {
      for (List<Flip> rest : subsets(flips.subList(first + 1, flips.size()), size - 1)) {
        List<Flip> subset = new ArrayList<>(List.of(flips.get(first)));
        subset.addAll(rest);
        subsets.add(subset);
      }
    }
    return subsets;
  }

  /** Those of the sets of flips that repair it; what the findings do not tell is run. */
  private static List<List<Flip>> repairs(
      SuiteRunner runner,
      SuiteManifest.Row row,
      ModelRun run,
      ModelFindings found,
      Finding finding,
      List<List<Flip>> sets,
      ProgressSink sink)
      throws InterruptedException {
    Map<List<Flip>, Choice> asked = new LinkedHashMap<>();
    for (List<Flip> set : sets) {
      Choice choice = finding.choice();
      for (Flip flip : set) {
        choice = choice.with(flip.policy(), flip.to());
      }
      asked.put(set, choice);
    }
    TreeSet<Choice> unknown = new TreeSet<>(asked.values());
    unknown.removeAll(found.settings().ran());
    Collection<Choice> alsoBroken = breakers(runner, row, run, unknown, finding.name(), sink);
    return asked.entrySet().stream()
        .filter(
            each ->
                unknown.contains(each.getValue())
                    ? !alsoBroken.contains(each.getValue())
                    : found.finding(finding.name(), each.getValue()).isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Which of these choices break the property; one run. */
  private static Collection<Choice> breakers(
      SuiteRunner runner,
      SuiteManifest.Row row,
      ModelRun run,
      Collection<Choice> choices,
      String property,
      ProgressSink sink)
      throws InterruptedException {
    if (choices.isEmpty()) {
      return List.of();
    }
    Variant variant =
        Variant.choosing(
            run.library(), run.module(), run.config(), choices, runner.profiles().strict());
    ModelFindings found =
        row.property().isPresent()
            ? LivenessRun.run(
                row.name(), property, of(run, variant), runner.profiles().strict(), sink)
            : SafetyRun.run(row.name(), of(run, variant), sink);
    if (!found.explored()) {
      throw new SpecException(
          SpecException.Kind.UNEXPECTED_VALUE,
          null,
          row.name() + ": " + found.unfinished().orElse("not explored"));
    }
    return found.broken().stream()
        .filter(each -> each.name().equals(property))
        .map(Finding::choice)
        .toList();
  }

  private static ModelRun of(ModelRun run, Variant variant) {
    return new ModelRun(
        run.tools(),
        variant.library(),
        variant.module(),
        variant.config(),
        false,
        1,
        false,
        run.heapMegabytes(),
        run.brief(),
        run.limit(),
        false);
  }
}
