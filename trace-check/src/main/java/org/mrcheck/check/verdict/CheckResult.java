package org.mrcheck.check.verdict;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.mrcheck.lang.diagnostic.Diagnostic;
import org.mrcheck.lang.trace.TraceHeader;

/**
 * The result of checking one trace: the one model that every report is written from.
 *
 * @param trace the trace's name as the user gave it
 * @param header what the trace says about itself
 * @param input what was read
 * @param contracts one result for each contract, in the order of the catalogue
 * @param refusals the remote access errors in it
 * @param specification where the contracts came from
 * @param seconds wall time of the pass that decided, explanations left out
 */
public record CheckResult(
    String trace,
    TraceHeader header,
    InputSummary input,
    List<ContractResult> contracts,
    RefusalSummary refusals,
    String specification,
    double seconds) {

  /** The header attribute that counts packets of transports which no contract speaks of. */
  public static final String UNKNOWN_TRANSPORT_ATTRIBUTE = "unknown_transport_packets";

  /** Takes a copy. */
  public CheckResult {
    contracts = List.copyOf(contracts);
  }

  /**
   * What was read.
   *
   * @param events events, extensions left out
   * @param extensions events of the {@code x.} kind, which are skipped
   * @param gaps stretches of sequence numbers that are missing
   * @param missing events missing in them
   * @param declaredLost events that the recorder itself says it lost, 0 of unknown number included
   *     as 1
   * @param moved events whose sequence number goes back
   * @param warnings findings about the input, the first ones
   * @param warningCount how many findings there were
   */
  public record InputSummary(
      long events,
      long extensions,
      long gaps,
      long missing,
      long declaredLost,
      long moved,
      List<Diagnostic> warnings,
      long warningCount) {
    /** Takes a copy. */
    public InputSummary {
      warnings = List.copyOf(warnings);
    }
  }

  /** Instances by verdict, over all contracts. */
  public VerdictCounts counts() {
    return contracts.stream()
        .map(ContractResult::counts)
        .reduce(VerdictCounts.none(), VerdictCounts::plus);
  }

  /** Different contract instances, over all contracts. */
  public long instances() {
    return contracts.stream().mapToLong(ContractResult::instances).sum();
  }

  /** The contract of that name. */
  public Optional<ContractResult> contract(String name) {
    return contracts.stream().filter(result -> result.contract().equals(name)).findFirst();
  }

  /**
   * The worst verdict that was decided; where none was, what is missing; empty if nothing was
   * observed at all.
   */
  public Optional<Verdict> verdict() {
    Comparator<Verdict> bySeverity = Comparator.comparingInt(verdict -> severity(verdict.kind()));
    return contracts.stream().flatMap(result -> result.verdict().stream()).max(bySeverity);
  }

  /** What was decided outranks what was not, except giving up. */
  private static int severity(Verdict.Kind kind) {
    return switch (kind) {
      case INCONCLUSIVE -> 0;
      case CONFORMANT -> 1;
      case SURPRISING -> 2;
      case GAVE_UP -> 3;
      case HAZARD -> 4;
      case VIOLATION -> 5;
    };
  }

  /** Why nothing was observed, for a result without a verdict: one line. */
  public String nothingObserved() {
    String unknown = header.attributes().get(UNKNOWN_TRANSPORT_ATTRIBUTE);
    return "INCONCLUSIVE: NOTHING OBSERVED, no contract had anything to check"
        + (unknown == null
            ? ""
            : "; the capture holds " + unknown + " packets of an unknown transport");
  }

  /** All details, violations first, then surprises, then what is undecided. */
  public List<InstanceReport> details() {
    return contracts.stream()
        .flatMap(contract -> contract.bindings().stream())
        .flatMap(binding -> binding.details().stream())
        .sorted(
            Comparator.comparingInt(
                (InstanceReport detail) ->
                    switch (detail.verdict().kind()) {
                      case VIOLATION -> 0;
                      case HAZARD -> 1;
                      case SURPRISING -> 2;
                      case GAVE_UP -> 3;
                      case INCONCLUSIVE -> 4;
                      case CONFORMANT -> 5;
                    }))
        .toList();
  }

  /** The same with every detail replaced by another. */
  public CheckResult withDetails(UnaryOperator<InstanceReport> change) {
    return new CheckResult(
        trace,
        header,
        input,
        contracts.stream()
            .map(
                contract ->
                    new ContractResult(
                        contract.contract(),
                        contract.bindings().stream()
                            .map(
                                binding ->
                                    binding.withDetails(
                                        binding.details().stream().map(change).toList()))
                            .toList()))
            .toList(),
        refusals,
        specification,
        seconds);
  }
}
