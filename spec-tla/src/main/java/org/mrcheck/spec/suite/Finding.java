package org.mrcheck.spec.suite;

import java.util.List;
import java.util.Objects;

/**
 * A contract that a choice breaks, or a situation that it reaches.
 *
 * @param name the contract, liveness property or probe
 * @param choice under which choice
 * @param actions the machine's actions on the way there; for a safety contract no shorter way
 *     exists
 */
public record Finding(String name, Choice choice, List<String> actions) {
  public Finding {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(choice, "choice");
    actions = List.copyOf(actions);
  }

  /** How many steps the way has. */
  public int steps() {
    return actions.size();
  }
}
