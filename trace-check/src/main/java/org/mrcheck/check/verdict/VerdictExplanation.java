package org.mrcheck.check.verdict;

import java.util.List;
import java.util.Optional;

/**
 * Why an instance got its verdict. All texts are ready for people; numbers are exact.
 *
 * @param event the event explained
 * @param sourceLine the event's line as it stands in the trace
 * @param steps the step records the event became: one, or several where a value is unknown
 * @param refusals for a rejection: what failed, in each state the contract could have been in, the
 *     nearest miss first
 * @param comparisons what the derived values compare, in exact numbers
 * @param cause the earlier event that made the failing conjunct false, where there is one
 * @param causeNote what that event changed, or why there is no such event
 * @param prefix the instance's last events before and with the one explained
 * @param omitted how many earlier events of the instance are not in the prefix
 * @param specification place in the contract, {@code file:line:column}
 * @param hint where to look first
 * @param notes further findings about the message or queue pair
 * @param command the command that shows this again
 */
public record VerdictExplanation(
    EventPlace event,
    String sourceLine,
    List<String> steps,
    List<Refusal> refusals,
    List<Comparison> comparisons,
    Optional<EventPlace> cause,
    String causeNote,
    List<PrefixRow> prefix,
    long omitted,
    String specification,
    String hint,
    List<String> notes,
    String command) {

  /** Takes copies. */
  public VerdictExplanation {
    steps = List.copyOf(steps);
    refusals = List.copyOf(refusals);
    comparisons = List.copyOf(comparisons);
    prefix = List.copyOf(prefix);
    notes = List.copyOf(notes);
  }

  /**
   * Why the contract refuses the event in one of its states.
   *
   * @param state the state, in TLA+
   * @param arm the arm of {@code Step}, in TLA+
   * @param conjuncts those that do not hold
   */
  public record Refusal(String state, String arm, List<FailedConjunct> conjuncts) {
    /** Takes a copy. */
    public Refusal {
      conjuncts = List.copyOf(conjuncts);
    }
  }

  /**
   * A condition that does not hold.
   *
   * @param text as the contract writes it
   * @param terms both sides with their values, {@code phase = "none"}
   * @param location {@code file:line:column}
   * @param undefined it has no value here, because an earlier condition guards it
   * @param parts of a disjunction or implication: what it joins, and whether that holds
   */
  public record FailedConjunct(
      String text, List<String> terms, String location, boolean undefined, List<String> parts) {
    /** Takes copies. */
    public FailedConjunct {
      terms = List.copyOf(terms);
      parts = List.copyOf(parts);
    }
  }

  /**
   * A derived value with what it compares.
   *
   * @param name the value's name
   * @param value its value here
   * @param meaning what it means
   * @param numbers both sides in exact numbers, or empty
   */
  public record Comparison(String name, String value, String meaning, String numbers) {}

  /**
   * One row of the interleaving table.
   *
   * @param event the event
   * @param belief the states the contract may be in after it, in TLA+
   * @param explained whether this is the event explained
   * @param cause whether this is the event that made the failing conjunct false
   */
  public record PrefixRow(EventPlace event, String belief, boolean explained, boolean cause) {}
}
