package org.mrcheck.spec.suite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import org.mrcheck.spec.Counterexample;
import org.mrcheck.spec.ModelChecker;
import org.mrcheck.spec.ModelProgress;
import org.mrcheck.spec.ModelResult;
import org.mrcheck.spec.ModelRun;
import org.mrcheck.spec.ProgressSink;
import org.mrcheck.spec.SpecValue;
import org.mrcheck.spec.ViolationSink;

/**
 * A liveness property under every choice of a model. TLC stops at the first behaviour that breaks
 * the property; the choice of that behaviour is set aside and the others run again, until the
 * property holds for all that are left. That is one run more than there are choices that break it.
 */
final class LivenessRun {
  private LivenessRun() {}

  /**
   * Runs the model.
   *
   * @param name the row's name
   * @param property the temporal property, a definition of the module
   * @param run module, configuration and limits
   * @param strict the strict policies
   */
  static ModelFindings run(
      String name, String property, ModelRun run, Map<String, String> strict, ProgressSink sink)
      throws InterruptedException {
    List<SpecValue> settings = new ArrayList<>();
    List<Finding> broken = new ArrayList<>();
    Duration elapsed = Duration.ZERO;
    ModelSettings about = null;
    TreeSet<Choice> left = new TreeSet<>();
    while (true) {
      ModelRun next = run.withDeadlockCheck(false);
      if (about != null) {
        Variant variant = Variant.choosing(run.library(), run.module(), run.config(), left, strict);
        next =
            new ModelRun(
                run.tools(),
                variant.library(),
                variant.module(),
                variant.config(),
                false,
                run.workers(),
                false,
                run.heapMegabytes(),
                run.brief(),
                run.limit(),
                false);
      }
      ModelResult result =
          ModelChecker.explore(
              next,
              sink,
              new ViolationSink() {
                @Override
                public void violated(String invariant, Counterexample behaviour) {}

                @Override
                public void evaluated(String operator, SpecValue value) {
                  settings.add(value);
                }
              },
              about == null ? List.of(ModelSettings.OPERATOR) : List.of());
      elapsed = elapsed.plus(result.elapsed());
      if (about == null) {
        if (settings.isEmpty()) {
          return ended(name, property, ModelSettings.UNKNOWN, broken, result, elapsed);
        }
        about = ModelSettings.of(settings.get(0));
        left.addAll(about.ran());
      }
      if (result.outcome() != ModelResult.Outcome.PROPERTY_VIOLATED
          || result.counterexample().isEmpty()) {
        return ended(name, property, about, broken, result, elapsed);
      }
      Counterexample behaviour = result.counterexample().get();
      SortedMap<String, SpecValue> first = behaviour.states().get(0).variables();
      Choice choice =
          Choice.of(first.get("policy"), Records.text(first.get("defect")), about.opened());
      if (!left.remove(choice)) {
        throw Records.unexpected("one of the remaining choices", first.get("policy"));
      }
      broken.add(new Finding(property, choice, behaviour.actions()));
      if (left.isEmpty()) {
        ModelResult none =
            new ModelResult(
                ModelResult.Outcome.HOLDS,
                Optional.empty(),
                Optional.empty(),
                "broken by every choice",
                new ModelProgress(0, 0, 0, 0),
                List.of(),
                Optional.empty(),
                Duration.ZERO,
                List.of());
        return ended(name, property, about, broken, none, elapsed);
      }
    }
  }

  private static ModelFindings ended(
      String name,
      String property,
      ModelSettings about,
      List<Finding> broken,
      ModelResult result,
      Duration elapsed) {
    ModelFindings.Kind kind =
        switch (result.outcome()) {
          case HOLDS -> ModelFindings.Kind.EXPLORED;
          case GAVE_UP -> ModelFindings.Kind.GAVE_UP;
          default -> ModelFindings.Kind.ERROR;
        };
    return new ModelFindings(
        name,
        about.watching(property),
        broken,
        List.of(),
        result.counts(),
        elapsed,
        kind == ModelFindings.Kind.EXPLORED
            ? Optional.empty()
            : Optional.of(
                result.location().map(place -> place + ": ").orElse("") + result.message()),
        kind);
  }
}
