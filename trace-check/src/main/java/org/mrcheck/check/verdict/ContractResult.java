package org.mrcheck.check.verdict;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What was found about one contract through all of its bindings.
 *
 * @param contract the contract's name
 * @param bindings one result for each binding, at least one
 */
public record ContractResult(String contract, List<BindingResult> bindings) {
  /** Takes a copy. */
  public ContractResult {
    bindings = List.copyOf(bindings);
  }

  /** Instances by verdict, over all bindings. */
  public VerdictCounts counts() {
    return bindings.stream()
        .map(BindingResult::counts)
        .reduce(VerdictCounts.none(), VerdictCounts::plus);
  }

  /** Whether there may be more instances than {@link #instances} tells apart. */
  public boolean hasMoreInstances() {
    return bindings.stream()
        .anyMatch(binding -> binding.instances() >= BindingResult.MOST_INSTANCES_COUNTED);
  }

  /** Different instances, over all bindings. */
  public long instances() {
    return bindings.stream().mapToLong(BindingResult::instances).sum();
  }

  /** Whether no event could have contradicted the contract through any binding. */
  public boolean nothingObserved() {
    return bindings.stream().allMatch(BindingResult::nothingObserved);
  }

  /** The worst verdict that was decided, else why not; empty if nothing was observed. */
  public Optional<Verdict> verdict() {
    Optional<Verdict.Inconclusive> reason =
        bindings.stream()
            .flatMap(binding -> binding.reasons().entrySet().stream())
            .max(Comparator.comparingLong(java.util.Map.Entry::getValue))
            .map(java.util.Map.Entry::getKey);
    Set<String> remarks = new LinkedHashSet<>();
    bindings.forEach(binding -> remarks.addAll(binding.remarks().keySet()));
    return Worst.of(
        contract,
        counts(),
        bindings.stream().flatMap(binding -> binding.gaveUp().stream()).findFirst(),
        reason,
        remarks);
  }

  /** Whether every instance was decided and there was one. */
  public boolean fullyDecided() {
    return counts().decided() > 0
        && counts().undecided() == 0
        && bindings.stream().allMatch(binding -> binding.gaveUp().isEmpty());
  }
}
