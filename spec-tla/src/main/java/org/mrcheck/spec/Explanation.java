package org.mrcheck.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How {@code Step(s, e)} came to its set of successors: the arm of {@code CASE} that was taken and
 * the conditions that were met on the way, each taken apart into conjuncts. Operators that the
 * module defines are opened, so the texts are those of the innermost comparisons.
 *
 * @param arm the guard of the arm that was taken, as written, such as {@code e.name = "check"};
 *     {@code OTHER} for the last arm; empty when there is no CASE
 * @param location where the arm (without CASE: the operator's body) stands
 * @param decisions the conditions of {@code IF} on the way to the result, outermost first
 * @param result the value: for {@code Step} a set, empty when the event is refused
 */
public record Explanation(
    String arm, SourceLocation location, List<Decision> decisions, SpecValue result) {
  public Explanation {
    Objects.requireNonNull(arm, "arm");
    Objects.requireNonNull(location, "location");
    decisions = List.copyOf(decisions);
    Objects.requireNonNull(result, "result");
  }

  /** Whether a proposition holds. */
  public enum Truth {
    /** It holds. */
    TRUE,
    /** It does not hold. */
    FALSE,
    /**
     * It cannot be evaluated here. TLC would have stopped at an earlier conjunct; an explanation
     * evaluates every conjunct, and what an earlier one guards may have no value.
     */
    UNDEFINED
  }

  /**
   * One condition.
   *
   * @param text the condition as written
   * @param holds its value
   * @param location where it stands
   * @param conjuncts the condition taken apart; never empty
   */
  public record Decision(
      String text, boolean holds, SourceLocation location, List<Conjunct> conjuncts) {
    public Decision {
      Objects.requireNonNull(text, "text");
      Objects.requireNonNull(location, "location");
      conjuncts = List.copyOf(conjuncts);
    }
  }

  /**
   * One conjunct, evaluated whatever the others are.
   *
   * @param text as written in the file, white space collapsed
   * @param truth whether it holds
   * @param location where it stands
   * @param comment what the author wrote behind it, from {@code \*} to the end of the line, such as
   *     a reference to the fact row it rests on; "" when there is nothing
   * @param terms the values that decide it: both sides of a comparison or membership, the sets of a
   *     quantifier and the element for which a {@code \A} fails
   * @param parts of a disjunction, implication, equivalence or negation: what it joins
   */
  public record Conjunct(
      String text,
      Truth truth,
      SourceLocation location,
      String comment,
      List<Term> terms,
      List<Conjunct> parts) {
    public Conjunct {
      Objects.requireNonNull(text, "text");
      Objects.requireNonNull(truth, "truth");
      Objects.requireNonNull(location, "location");
      Objects.requireNonNull(comment, "comment");
      terms = List.copyOf(terms);
      parts = List.copyOf(parts);
    }

    /** Whether it holds for certain. */
    public boolean holds() {
      return truth == Truth.TRUE;
    }
  }

  /**
   * An expression with its value.
   *
   * @param text as written in the file, white space collapsed
   * @param value its value; empty when it has none here or is infinite
   */
  public record Term(String text, Optional<SpecValue> value) {
    public Term {
      Objects.requireNonNull(text, "text");
      Objects.requireNonNull(value, "value");
    }
  }

  /** The conjuncts of all decisions, outermost first. */
  public List<Conjunct> conjuncts() {
    List<Conjunct> all = new ArrayList<>();
    decisions.forEach(decision -> all.addAll(decision.conjuncts()));
    return List.copyOf(all);
  }

  /** The conjuncts that do not hold, of the decisions that do not hold, outermost first. */
  public List<Conjunct> failing() {
    List<Conjunct> failing = new ArrayList<>();
    for (Decision decision : decisions) {
      if (!decision.holds()) {
        decision.conjuncts().stream().filter(c -> !c.holds()).forEach(failing::add);
      }
    }
    return List.copyOf(failing);
  }
}
