package org.mrcheck.spec;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A behaviour that is wrong.
 *
 * @param states the states from an initial one on
 * @param backTo for a liveness property: the number of the state to which the last one leads back,
 *     so that what lies between repeats for ever
 * @param stutters for a liveness property: whether the last state stays for ever
 * @param shortest whether no shorter counterexample to this property exists; true only for safety
 *     with one worker
 */
public record Counterexample(
    List<State> states, OptionalInt backTo, boolean stutters, boolean shortest) {
  public Counterexample {
    states = List.copyOf(states);
    Objects.requireNonNull(backTo, "backTo");
  }

  /**
   * One state.
   *
   * @param number from 1
   * @param action the action that led here; {@code Initial predicate} for the first
   * @param location where that action is written, when TLC tells
   * @param variables all variables; a value that is not finite appears as a model value of its text
   * @param changed those that the previous state had differently; all in the first state
   */
  public record State(
      int number,
      String action,
      Optional<SourceLocation> location,
      SortedMap<String, SpecValue> variables,
      SortedMap<String, SpecValue> changed) {
    public State {
      Objects.requireNonNull(action, "action");
      Objects.requireNonNull(location, "location");
      variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
      changed = Collections.unmodifiableSortedMap(new TreeMap<>(changed));
    }

    /** The state that follows {@code previous}; what changed is worked out. */
    static State after(
        Optional<State> previous,
        int number,
        String action,
        Optional<SourceLocation> location,
        SortedMap<String, SpecValue> variables) {
      TreeMap<String, SpecValue> changed = new TreeMap<>(variables);
      previous.ifPresent(
          before ->
              changed
                  .entrySet()
                  .removeIf(
                      entry -> entry.getValue().equals(before.variables().get(entry.getKey()))));
      return new State(number, action, location, variables, changed);
    }
  }

  /** The names of the actions taken, in order, without the initial predicate. */
  public List<String> actions() {
    List<String> names = new ArrayList<>();
    states.stream().skip(1).forEach(state -> names.add(state.action()));
    return List.copyOf(names);
  }
}
