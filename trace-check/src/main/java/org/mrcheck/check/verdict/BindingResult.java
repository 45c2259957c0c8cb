package org.mrcheck.check.verdict;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one binding of a contract found in a trace.
 *
 * @param binding the binding's name
 * @param contract the contract's name
 * @param module the TLA+ module
 * @param says the promise in one sentence
 * @param instances different instances, at most {@value #MOST_INSTANCES_COUNTED}: then there may be
 *     more
 * @param created episodes: an instance is forgotten when it is back in its initial state, and the
 *     next event begins another episode of it
 * @param dropped instances dropped because they were as good as new
 * @param live instances alive at the end
 * @param counts instances by verdict
 * @param reasons why instances are inconclusive, with how many, most frequent first
 * @param remarks why instances are surprising, with how many, most frequent first
 * @param details the first violations, surprises and inconclusive instances
 * @param gaveUp why the contract could not be checked to the end
 * @param table how much of the contract's state space was seen
 */
public record BindingResult(
    String binding,
    String contract,
    String module,
    String says,
    long instances,
    long created,
    long dropped,
    long live,
    VerdictCounts counts,
    Map<Verdict.Inconclusive, Long> reasons,
    Map<String, Long> remarks,
    List<InstanceReport> details,
    Optional<String> gaveUp,
    TableSize table) {

  /** How many different instances are told apart; one more costs eight to sixteen bytes. */
  public static final int MOST_INSTANCES_COUNTED = 1 << 18;

  /** Takes copies. */
  public BindingResult {
    reasons = Collections.unmodifiableMap(new LinkedHashMap<>(reasons));
    remarks = Collections.unmodifiableMap(new LinkedHashMap<>(remarks));
    details = List.copyOf(details);
  }

  /**
   * How much of a contract was seen.
   *
   * @param states contract states reached
   * @param beliefs belief sets reached
   * @param steps kinds of step seen
   * @param evaluated table entries that TLC filled
   */
  public record TableSize(int states, int beliefs, int steps, long evaluated) {}

  /** Whether no event could have contradicted the contract: there is nothing behind a green. */
  public boolean nothingObserved() {
    return gaveUp.isEmpty() && counts.decided() + counts.undecided() == 0;
  }

  /** The worst verdict; empty if nothing was observed. */
  public Optional<Verdict> verdict() {
    return Worst.of(
        contract, counts, gaveUp, reasons.keySet().stream().findFirst(), remarks.keySet());
  }

  /** The same with other details. */
  public BindingResult withDetails(List<InstanceReport> others) {
    return new BindingResult(
        binding, contract, module, says, instances, created, dropped, live, counts, reasons,
        remarks, others, gaveUp, table);
  }
}
