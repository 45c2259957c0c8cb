package org.mrcheck.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import org.mrcheck.spec.Counterexample;
import org.mrcheck.spec.SpecValue;

/** The steps of a counterexample as people read them: who did what, and what changed. */
final class StorySteps {
  /** Variables that watch or name the choice, and are no part of the machine. */
  private static final Set<String> NOT_MACHINE =
      Set.of("policy", "defect", "event", "ledger", "belief", "beliefs", "broken", "reached");

  /** Fields of an event that say where it happened rather than what. */
  private static final Set<String> PLACE = Set.of("name", "host", "actor");

  private StorySteps() {}

  /**
   * One step.
   *
   * @param number from 1
   * @param action the machine's action
   * @param host where the event happened; empty for a silent step
   * @param name the event's name; empty for a silent step
   * @param fields the event's other fields, {@code key=value}
   * @param changes what changed in the machine, a line each
   * @param broken the contracts that this step breaks
   * @param reached the situations that this step reaches
   */
  record Step(
      int number,
      String action,
      String host,
      String name,
      String fields,
      List<String> changes,
      List<String> broken,
      List<String> reached) {
    boolean silent() {
      return name.isEmpty();
    }

    /** Who acts: the program that calls verbs, or the device; silent steps are the device's. */
    String lane() {
      String where = host.isEmpty() ? "" : host + " ";
      if (silent()) {
        return "device";
      }
      return where + (isVerb(name) ? "app" : "nic");
    }
  }

  /** Whether an event is a call of the verbs interface or its return. */
  static boolean isVerb(String name) {
    return name.equals("post")
        || name.equals("wc")
        || name.startsWith("reg")
        || name.startsWith("dereg")
        || name.startsWith("rereg")
        || name.startsWith("bind")
        || name.startsWith("mw.")
        || name.startsWith("pd.")
        || name.startsWith("inv");
  }

  /** The steps, the initial state left out. */
  static List<Step> of(Counterexample behaviour) {
    List<Step> steps = new ArrayList<>();
    for (int index = 1; index < behaviour.states().size(); index++) {
      Counterexample.State before = behaviour.states().get(index - 1);
      Counterexample.State after = behaviour.states().get(index);
      String host = "";
      String name = "";
      StringJoiner fields = new StringJoiner(" ");
      if (after.variables().get("event") instanceof SpecValue.Rec event) {
        name = text(event.fields().get("name"));
        if (name.equals("none")) {
          name = "";
        } else {
          host = event.fields().containsKey("host") ? text(event.fields().get("host")) : "";
          event
              .fields()
              .forEach(
                  (field, value) -> {
                    if (!PLACE.contains(field)) {
                      fields.add(field + "=" + text(value));
                    }
                  });
        }
      }
      List<String> changes = new ArrayList<>();
      after
          .changed()
          .forEach(
              (variable, value) -> {
                if (!NOT_MACHINE.contains(variable)) {
                  changes.addAll(
                      ValueChanges.between(variable, before.variables().get(variable), value));
                }
              });
      steps.add(
          new Step(
              index,
              after.action(),
              host,
              name,
              fields.toString(),
              List.copyOf(changes),
              newly("broken", before, after),
              newly("reached", before, after)));
    }
    return steps;
  }

  private static List<String> newly(
      String variable, Counterexample.State before, Counterexample.State after) {
    List<String> names = new ArrayList<>();
    if (after.variables().get(variable) instanceof SpecValue.SetOf now
        && before.variables().get(variable) instanceof SpecValue.SetOf then) {
      now.elements().stream()
          .filter(each -> !then.contains(each))
          .forEach(each -> names.add(text(each)));
    }
    return List.copyOf(names);
  }

  private static String text(SpecValue value) {
    if (value instanceof SpecValue.Str string) {
      return string.value();
    }
    if (value instanceof SpecValue.SetOf set) {
      StringJoiner joined = new StringJoiner("|");
      set.elements().forEach(each -> joined.add(text(each)));
      return joined.toString();
    }
    return value.toString().replace("\"", "").replace(" |-> ", "=").replace(", ", ",");
  }

  /**
   * {@code CallDeregister} becomes {@code call deregister}. TLC names a step by the whole relation
   * where an observer is conjoined; what changed says more then.
   */
  static String words(String action) {
    if (action.endsWith("Next")) {
      return "inside the device";
    }
    return action.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
  }
}
