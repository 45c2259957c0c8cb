package org.mrcheck.check.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mrcheck.check.verdict.Verdict.Kind;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.TraceHeader;

class VerdictPolicyTest {

  @ParameterizedTest
  @CsvSource({
    // conformant, surprising, inconclusive, hazard, violation, gave up -> default exit code
    "0, 0, 0, 0, 0, false, 5",
    "1, 0, 0, 0, 0, false, 0",
    "0, 1, 0, 0, 0, false, 0",
    "0, 0, 1, 0, 0, false, 5",
    "1, 0, 1, 0, 0, false, 0",
    "1, 0, 0, 1, 0, false, 3",
    "1, 0, 0, 0, 1, false, 1",
    "1, 1, 1, 1, 1, true, 1",
    "1, 0, 0, 1, 0, true, 3",
    "1, 0, 0, 0, 0, true, 6",
    "0, 0, 1, 0, 0, true, 6",
  })
  void exitCode_defaultPolicy_followsThePrecedence(
      long conformant,
      long surprising,
      long inconclusive,
      long hazard,
      long violation,
      boolean gaveUp,
      int expected) {
    CheckResult result =
        result(contract("C", conformant, surprising, inconclusive, hazard, violation, gaveUp));

    assertThat(VerdictPolicy.DEFAULT.exitCode(result).code()).isEqualTo(expected);
  }

  @Test
  void exitCode_requiredContractNotFullyDecided_isFour() {
    VerdictPolicy policy = requiring("Needed");
    CheckResult undecided =
        result(contract("Other", 5, 0, 0, 0, 0, false), contract("Needed", 1, 0, 1, 0, 0, false));
    CheckResult unobserved =
        result(contract("Other", 5, 0, 0, 0, 0, false), contract("Needed", 0, 0, 0, 0, 0, false));
    CheckResult absent = result(contract("Other", 5, 0, 0, 0, 0, false));
    CheckResult decided = result(contract("Needed", 1, 1, 0, 0, 0, false));
    CheckResult violated = result(contract("Needed", 1, 0, 1, 0, 1, false));

    assertThat(policy.exitCode(undecided)).isEqualTo(ExitCode.REQUIRED_INCONCLUSIVE);
    assertThat(policy.exitCode(unobserved)).isEqualTo(ExitCode.REQUIRED_INCONCLUSIVE);
    assertThat(policy.exitCode(absent)).isEqualTo(ExitCode.REQUIRED_INCONCLUSIVE);
    assertThat(policy.exitCode(decided)).isEqualTo(ExitCode.OK);
    assertThat(policy.exitCode(violated)).isEqualTo(ExitCode.VIOLATION);
    assertThat(policy.unknownContracts(absent)).containsExactly("Needed");
  }

  @Test
  void exitCode_failOnSurprising_isOne() {
    VerdictPolicy strict =
        new VerdictPolicy(
            Set.of(), EnumSet.of(Kind.VIOLATION, Kind.HAZARD, Kind.SURPRISING), Optional.empty());
    CheckResult surprising = result(contract("C", 1, 1, 0, 0, 0, false));

    assertThat(strict.exitCode(surprising)).isEqualTo(ExitCode.VIOLATION);
    assertThat(VerdictPolicy.DEFAULT.exitCode(surprising)).isEqualTo(ExitCode.OK);
  }

  @Test
  void exitCode_failOnNothing_letsViolationsPass() {
    VerdictPolicy lenient = new VerdictPolicy(Set.of(), Set.of(), Optional.empty());

    assertThat(lenient.exitCode(result(contract("C", 0, 0, 0, 0, 1, false))))
        .isEqualTo(ExitCode.OK);
  }

  @Test
  void exitCode_expectation_isMetOrNot() {
    CheckResult violated =
        result(contract("A", 1, 0, 0, 0, 1, false), contract("B", 1, 0, 0, 0, 0, false));
    CheckResult nothing = result(contract("A", 0, 0, 0, 0, 0, false));

    assertThat(expecting("VIOLATION:A").exitCode(violated)).isEqualTo(ExitCode.OK);
    assertThat(expecting("violation").exitCode(violated)).isEqualTo(ExitCode.OK);
    assertThat(expecting("violation:B").exitCode(violated)).isEqualTo(ExitCode.VIOLATION);
    assertThat(expecting("conformant:B").exitCode(violated)).isEqualTo(ExitCode.OK);
    assertThat(expecting("conformant").exitCode(violated)).isEqualTo(ExitCode.VIOLATION);
    assertThat(expecting("violation").exitCode(nothing)).isEqualTo(ExitCode.NOTHING_DECIDED);
  }

  @Test
  void kind_unknownWord_namesAllVerdicts() {
    assertThatThrownBy(() -> VerdictPolicy.kind("red"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "there is no verdict \"red\"; the verdicts are conformant, surprising, inconclusive,"
                + " gave_up, hazard, violation");
    assertThat(VerdictPolicy.kind("gave-up")).isEqualTo(Kind.GAVE_UP);
  }

  @Test
  void worst_severalInputs_followsThePrecedence() {
    assertThat(ExitCode.worst(List.of())).isEqualTo(ExitCode.NOTHING_DECIDED);
    assertThat(
            ExitCode.worst(
                List.of(
                    ExitCode.OK,
                    ExitCode.NOTHING_DECIDED,
                    ExitCode.GAVE_UP,
                    ExitCode.REQUIRED_INCONCLUSIVE,
                    ExitCode.HAZARD,
                    ExitCode.VIOLATION)))
        .isEqualTo(ExitCode.VIOLATION);
    assertThat(ExitCode.worst(List.of(ExitCode.HAZARD, ExitCode.REQUIRED_INCONCLUSIVE)))
        .isEqualTo(ExitCode.HAZARD);
    assertThat(ExitCode.worst(List.of(ExitCode.GAVE_UP, ExitCode.REQUIRED_INCONCLUSIVE)))
        .isEqualTo(ExitCode.REQUIRED_INCONCLUSIVE);
    assertThat(ExitCode.worst(List.of(ExitCode.NOTHING_DECIDED, ExitCode.GAVE_UP)))
        .isEqualTo(ExitCode.GAVE_UP);
    assertThat(ExitCode.worst(List.of(ExitCode.NOTHING_DECIDED, ExitCode.OK)))
        .isEqualTo(ExitCode.NOTHING_DECIDED);
    assertThat(ExitCode.worst(List.of(ExitCode.VIOLATION, ExitCode.MALFORMED_INPUT)))
        .isEqualTo(ExitCode.MALFORMED_INPUT);
  }

  @Test
  void verdict_nothingObserved_isEmptyAndNeverGreen() {
    CheckResult result = result(contract("C", 0, 0, 0, 0, 0, false));

    assertThat(result.verdict()).isEmpty();
    assertThat(result.contract("C").orElseThrow().nothingObserved()).isTrue();
  }

  private static VerdictPolicy requiring(String contract) {
    return new VerdictPolicy(Set.of(contract), VerdictPolicy.DEFAULT.failOn(), Optional.empty());
  }

  private static VerdictPolicy expecting(String text) {
    return new VerdictPolicy(
        Set.of(),
        VerdictPolicy.DEFAULT.failOn(),
        Optional.of(VerdictPolicy.Expectation.parse(text)));
  }

  private static CheckResult result(ContractResult... contracts) {
    return new CheckResult(
        "t.mrtrace",
        new TraceHeader(1, List.of(), Optional.empty(), Optional.empty(), List.of(), Map.of()),
        new CheckResult.InputSummary(1, 0, 0, 0, 0, 0, List.of(), 0),
        List.of(contracts),
        RefusalSummary.none(),
        "test",
        0.1);
  }

  private static ContractResult contract(
      String name,
      long conformant,
      long surprising,
      long inconclusive,
      long hazard,
      long violation,
      boolean gaveUp) {
    Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    counts.put(Kind.CONFORMANT, conformant);
    counts.put(Kind.SURPRISING, surprising);
    counts.put(Kind.INCONCLUSIVE, inconclusive);
    counts.put(Kind.HAZARD, hazard);
    counts.put(Kind.VIOLATION, violation);
    Map<Verdict.Inconclusive, Long> reasons = new LinkedHashMap<>();
    if (inconclusive > 0) {
      reasons.put(Verdict.Inconclusive.of("no wire", EventClass.WIRE), inconclusive);
    }
    return new ContractResult(
        name,
        List.of(
            new BindingResult(
                name,
                name,
                name,
                "a promise",
                0,
                0,
                0,
                0,
                new VerdictCounts(counts, 0),
                reasons,
                surprising > 0 ? Map.of("odd", surprising) : Map.of(),
                List.of(),
                gaveUp ? Optional.of("too large") : Optional.empty(),
                new BindingResult.TableSize(0, 0, 0, 0))));
  }
}
