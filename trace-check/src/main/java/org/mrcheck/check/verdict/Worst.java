package org.mrcheck.check.verdict;

import java.util.Collection;
import java.util.Optional;

/** Picks the verdict of a contract or binding from the counts of its instances. */
final class Worst {
  private Worst() {}

  /**
   * The worst that was decided; where nothing was decided, why not.
   *
   * @return empty if nothing was observed
   */
  static Optional<Verdict> of(
      String contract,
      VerdictCounts counts,
      Optional<String> gaveUp,
      Optional<Verdict.Inconclusive> reason,
      Collection<String> remarks) {
    if (counts.of(Verdict.Kind.VIOLATION) > 0) {
      return Optional.of(new Verdict.Violation(contract));
    }
    if (gaveUp.isPresent()) {
      return Optional.of(new Verdict.GaveUp(gaveUp.get()));
    }
    if (counts.of(Verdict.Kind.SURPRISING) > 0) {
      return Optional.of(
          new Verdict.Surprising(remarks.stream().findFirst().orElse("see the instances")));
    }
    if (counts.of(Verdict.Kind.CONFORMANT) > 0) {
      return Optional.of(new Verdict.Conformant());
    }
    if (counts.of(Verdict.Kind.INCONCLUSIVE) > 0) {
      return Optional.of(reason.orElseGet(() -> Verdict.Inconclusive.of("see the instances")));
    }
    return Optional.empty();
  }
}
