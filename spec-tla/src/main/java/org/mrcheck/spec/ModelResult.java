package org.mrcheck.spec;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a run of TLC found.
 *
 * @param outcome the verdict
 * @param violated the violated invariant or property by its name in the configuration file; empty
 *     for other outcomes, and for a liveness property when the file names several (TLC does not
 *     tell which)
 * @param location where the assumption or the error in the spec is, when that is the outcome
 * @param message one line for a person
 * @param counts states and depth; for a counterexample the depth is its number of states; 0 when
 *     TLC did not come to count
 * @param coverage how often each action was taken, in order of place; empty unless asked for
 * @param counterexample the behaviour that is wrong, if there is one
 * @param elapsed wall-clock time, the start of TLC's process included
 * @param warnings what makes the verdict less trustworthy, such as symmetry with liveness
 */
public record ModelResult(
    Outcome outcome,
    Optional<String> violated,
    Optional<SourceLocation> location,
    String message,
    ModelProgress counts,
    List<ActionCoverage> coverage,
    Optional<Counterexample> counterexample,
    Duration elapsed,
    List<String> warnings) {
  public ModelResult {
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(violated, "violated");
    Objects.requireNonNull(location, "location");
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(counts, "counts");
    coverage = List.copyOf(coverage);
    Objects.requireNonNull(counterexample, "counterexample");
    Objects.requireNonNull(elapsed, "elapsed");
    warnings = List.copyOf(warnings);
  }

  /** The verdict of a run. */
  public enum Outcome {
    /** Every state within the model's bounds was explored and nothing is wrong. */
    HOLDS,
    /** An invariant is false in a reachable state. */
    INVARIANT_VIOLATED,
    /** A temporal or action property is false in a behaviour. */
    PROPERTY_VIOLATED,
    /** A reachable state has no successor. */
    DEADLOCK,
    /** An ASSUME is false. */
    ASSUMPTION_FALSE,
    /** The module or its configuration is malformed, or cannot be evaluated in some state. */
    SPEC_ERROR,
    /** The search did not end within its limits of time and memory. */
    GAVE_UP
  }

  /**
   * How often an action was taken.
   *
   * @param action the action's name; {@code Init} or such for the initial predicate
   * @param location where it is defined, when TLC tells
   * @param initial whether it is the initial predicate
   * @param distinct states that it was the first to find
   * @param generated states that it led to, known ones included; 0 means never taken
   */
  public record ActionCoverage(
      String action,
      Optional<SourceLocation> location,
      boolean initial,
      long distinct,
      long generated) {}

  /** The verdict as a line: the outcome's name and what was violated. */
  @Override
  public String toString() {
    return outcome + violated.map(name -> " " + name).orElse("") + ": " + message;
  }
}
