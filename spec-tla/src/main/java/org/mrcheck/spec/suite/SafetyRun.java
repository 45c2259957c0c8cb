package org.mrcheck.spec.suite;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mrcheck.spec.Counterexample;
import org.mrcheck.spec.ModelChecker;
import org.mrcheck.spec.ModelResult;
import org.mrcheck.spec.ModelRun;
import org.mrcheck.spec.ProgressSink;
import org.mrcheck.spec.SpecValue;
import org.mrcheck.spec.ViolationSink;

/**
 * One run of a focused model with all its profiles, mutants and probes.
 *
 * <p>The model's invariant {@code NothingNew} is false in each state where a choice breaks a
 * contract, or a probe is reached, for the first time; the search goes on behind it. The last state
 * of what TLC then reports says what is broken, in the variables {@code broken} and {@code
 * reached}; the first report of a choice and a contract is a shortest one, as the search is
 * breadth-first with one worker. Any other violated invariant is a fault of the model.
 */
final class SafetyRun {
  /** The invariant that is violated on purpose. */
  static final String INVARIANT = "NothingNew";

  private static final int LONGEST_MESSAGE = 300;

  private SafetyRun() {}

  /** What a reported state said; choices are read when the settings are known. */
  private record Told(
      SpecValue policy,
      String defect,
      Set<String> broken,
      Set<String> reached,
      List<String> actions) {}

  /**
   * Runs the model.
   *
   * @param name the model's name
   * @param run module, configuration and limits
   */
  static ModelFindings run(String name, ModelRun run, ProgressSink sink)
      throws InterruptedException {
    List<Told> told = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    List<SpecValue> settings = new ArrayList<>();
    ModelResult result =
        ModelChecker.explore(
            run.withGoingOn(true).withDeadlockCheck(false),
            sink,
            new ViolationSink() {
              @Override
              public void violated(String invariant, Counterexample behaviour) {
                if (invariant.equals(INVARIANT)) {
                  told.add(read(behaviour));
                } else {
                  faults.add(
                      "invariant %s is violated after: %s"
                          .formatted(invariant, String.join(", ", behaviour.actions())));
                }
              }

              @Override
              public void evaluated(String operator, SpecValue value) {
                settings.add(value);
              }
            },
            List.of(ModelSettings.OPERATOR));
    ModelFindings.Kind kind =
        switch (result.outcome()) {
          case HOLDS, INVARIANT_VIOLATED ->
              faults.isEmpty() ? ModelFindings.Kind.EXPLORED : ModelFindings.Kind.ERROR;
          case GAVE_UP -> ModelFindings.Kind.GAVE_UP;
          default -> ModelFindings.Kind.ERROR;
        };
    if (kind == ModelFindings.Kind.EXPLORED && settings.isEmpty()) {
      kind = ModelFindings.Kind.ERROR;
      faults.add("module " + run.module() + " has no operator " + ModelSettings.OPERATOR);
    }
    Optional<String> why = Optional.empty();
    if (kind != ModelFindings.Kind.EXPLORED) {
      why =
          Optional.of(
              faults.isEmpty()
                  ? result.location().map(place -> place + ": ").orElse("")
                      + brief(result.message())
                  : faults.get(0));
    }
    ModelSettings about =
        settings.isEmpty() ? ModelSettings.UNKNOWN : ModelSettings.of(settings.get(0));
    List<Finding> broken = new ArrayList<>();
    List<Finding> reached = new ArrayList<>();
    Set<List<Object>> known = new HashSet<>();
    for (Told each : told) {
      Choice choice = Choice.of(each.policy(), each.defect(), about.opened());
      for (String contract : each.broken()) {
        if (known.add(List.of(choice, contract))) {
          broken.add(new Finding(contract, choice, each.actions()));
        }
      }
      if (!choice.isMutant()) {
        for (String probe : each.reached()) {
          if (known.add(List.of(probe))) {
            reached.add(new Finding(probe, choice, each.actions()));
          }
        }
      }
    }
    return new ModelFindings(
        name, about, broken, reached, result.counts(), result.elapsed(), why, kind);
  }

  /** TLC prints whole values; the place says more than they do. */
  private static String brief(String message) {
    return message.length() <= LONGEST_MESSAGE
        ? message
        : message.substring(0, LONGEST_MESSAGE) + " ...";
  }

  private static Told read(Counterexample behaviour) {
    var last = behaviour.states().get(behaviour.states().size() - 1).variables();
    return new Told(
        variable(last, "policy"),
        Records.text(variable(last, "defect")),
        Records.texts(variable(last, "broken")),
        Records.texts(variable(last, "reached")),
        behaviour.actions());
  }

  private static SpecValue variable(java.util.SortedMap<String, SpecValue> state, String name) {
    SpecValue value = state.get(name);
    if (value == null) {
      throw Records.unexpected("a variable " + name, SpecValue.set());
    }
    return value;
  }
}
