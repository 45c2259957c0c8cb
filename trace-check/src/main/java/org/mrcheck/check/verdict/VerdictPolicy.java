package org.mrcheck.check.verdict;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * How verdicts become an exit code.
 *
 * @param require contracts that must be fully decided
 * @param failOn kinds that end with exit code 1 (or 3 for hazards); by default violations and
 *     hazards
 * @param expect the verdict a negative test expects instead
 */
public record VerdictPolicy(
    Set<String> require, Set<Verdict.Kind> failOn, Optional<Expectation> expect) {

  /** Violations and hazards fail, nothing is required, nothing is expected. */
  public static final VerdictPolicy DEFAULT =
      new VerdictPolicy(
          Set.of(), EnumSet.of(Verdict.Kind.VIOLATION, Verdict.Kind.HAZARD), Optional.empty());

  /** Takes copies. */
  public VerdictPolicy {
    require = Set.copyOf(new LinkedHashSet<>(require));
    failOn = Set.copyOf(failOn);
  }

  /**
   * What a negative test expects: {@code VIOLATION:NoAccessAfterReturn}, {@code surprising}.
   *
   * @param kind the kind of verdict
   * @param contract of this contract; of the whole run where absent
   */
  public record Expectation(Verdict.Kind kind, Optional<String> contract) {
    /**
     * Reads {@code VERDICT[:CONTRACT]}.
     *
     * @throws IllegalArgumentException if there is no such verdict; the message names them all
     */
    public static Expectation parse(String text) {
      int colon = text.indexOf(':');
      String contract = colon < 0 ? "" : text.substring(colon + 1).trim();
      return new Expectation(
          VerdictPolicy.kind(colon < 0 ? text : text.substring(0, colon)),
          contract.isEmpty() ? Optional.empty() : Optional.of(contract));
    }

    /** Whether the result is as expected. */
    public boolean isMet(CheckResult result) {
      Optional<Verdict> found =
          contract.isPresent()
              ? result.contract(contract.get()).flatMap(ContractResult::verdict)
              : result.verdict();
      return found.isPresent() && found.get().kind() == kind;
    }

    @Override
    public String toString() {
      return kind.name() + contract.map(name -> ":" + name).orElse("");
    }
  }

  /**
   * The kind of that name; capitals, dashes and underscores do not matter.
   *
   * @throws IllegalArgumentException if there is none; the message names them all
   */
  public static Verdict.Kind kind(String text) {
    String wanted = text.trim().toUpperCase(Locale.ROOT).replace('-', '_').replace(' ', '_');
    return Arrays.stream(Verdict.Kind.values())
        .filter(kind -> kind.name().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no verdict \""
                        + text.trim()
                        + "\"; the verdicts are "
                        + String.join(
                            ", ",
                            Arrays.stream(Verdict.Kind.values())
                                .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                                .toList())));
  }

  /** The exit code of one checked input. */
  public ExitCode exitCode(CheckResult result) {
    if (expect.isPresent()) {
      return expect.get().isMet(result)
          ? ExitCode.OK
          : result.verdict().isEmpty() ? ExitCode.NOTHING_DECIDED : ExitCode.VIOLATION;
    }
    VerdictCounts counts = result.counts();
    boolean gaveUp =
        result.contracts().stream()
            .flatMap(contract -> contract.bindings().stream())
            .anyMatch(binding -> binding.gaveUp().isPresent());
    for (Verdict.Kind kind :
        List.of(
            Verdict.Kind.VIOLATION,
            Verdict.Kind.SURPRISING,
            Verdict.Kind.INCONCLUSIVE,
            Verdict.Kind.GAVE_UP,
            Verdict.Kind.CONFORMANT)) {
      boolean found = counts.of(kind) > 0 || kind == Verdict.Kind.GAVE_UP && gaveUp;
      if (failOn.contains(kind) && found) {
        return ExitCode.VIOLATION;
      }
    }
    if (failOn.contains(Verdict.Kind.HAZARD) && counts.of(Verdict.Kind.HAZARD) > 0) {
      return ExitCode.HAZARD;
    }
    for (String contract : require) {
      if (result.contract(contract).filter(ContractResult::fullyDecided).isEmpty()) {
        return ExitCode.REQUIRED_INCONCLUSIVE;
      }
    }
    if (gaveUp) {
      return ExitCode.GAVE_UP;
    }
    return counts.decided() == 0 ? ExitCode.NOTHING_DECIDED : ExitCode.OK;
  }

  /** Names in {@code require} and {@code expect} that no contract of the result has. */
  public List<String> unknownContracts(CheckResult result) {
    Set<String> names = new LinkedHashSet<>(require);
    expect.flatMap(Expectation::contract).ifPresent(names::add);
    return names.stream().filter(name -> result.contract(name).isEmpty()).sorted().toList();
  }
}
