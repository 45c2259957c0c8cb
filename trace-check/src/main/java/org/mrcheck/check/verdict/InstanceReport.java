package org.mrcheck.check.verdict;

import java.util.Optional;
import org.mrcheck.check.ledger.ParameterValues;

/**
 * One contract instance worth telling about.
 *
 * @param binding the binding it belongs to
 * @param contract the contract
 * @param instance its parameters
 * @param verdict what was found
 * @param at the event that decided: refused, or remarked on; absent where there is none
 * @param first the instance's first event
 * @param last the instance's last event before the verdict
 * @param explanation why, where it was asked for
 */
public record InstanceReport(
    String binding,
    String contract,
    ParameterValues instance,
    Verdict verdict,
    Optional<EventPlace> at,
    Optional<EventPlace> first,
    Optional<EventPlace> last,
    Optional<VerdictExplanation> explanation) {

  /** The same with an explanation. */
  public InstanceReport explained(VerdictExplanation found) {
    return new InstanceReport(
        binding, contract, instance, verdict, at, first, last, Optional.of(found));
  }
}
