package org.mrcheck.check.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.ContractResult;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.rnic.Defect;
import org.mrcheck.rnic.Profile;
import org.mrcheck.rnic.WirePlan;
import org.mrcheck.rnic.workload.Workload;
import org.mrcheck.rnic.workload.WorkloadOptions;
import org.mrcheck.rnic.workload.WorkloadSummary;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.suite.SuiteManifest;

/**
 * The soft RNIC under its workloads, judged by every contract: strict devices keep all of them,
 * devices of other profiles break what the matrix says and nothing else, and every defect is caught
 * by a contract that the model's mutant of the same name breaks.
 */
class WorkloadsTest {
  private static final WirePlan LOSSY = WirePlan.PERFECT.withLoss(0.01);
  private static final String TABLE = "/workloads/defects.txt";

  @TempDir private Path folder;

  private static SuiteManifest manifest() {
    return SuiteManifest.read(SpecLibrary.bundled());
  }

  private Set<String> broken(Workload workload, WorkloadOptions options) throws Exception {
    Path trace = folder.resolve(workload.text() + ".mrbin");
    Files.deleteIfExists(trace);
    WorkloadSummary summary = workload.runToFile(options, trace);
    assertThat(summary.operations()).isPositive();
    CheckResult result =
        new TraceChecker(Contracts.bundled())
            .check(trace, CheckOptions.DEFAULT, CheckProgress.silent());
    return result.contracts().stream()
        .filter(contract -> contract.counts().of(Verdict.Kind.VIOLATION) > 0)
        .map(ContractResult::contract)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @EnumSource
  void run_strictDevicesOnALossyWire_breaksNoContract(Workload workload) throws Exception {
    WorkloadOptions options = WorkloadOptions.of(3, Duration.ofMillis(700), 11).withWire(LOSSY);
    assertThat(broken(workload, options)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void run_strictDevicesForThirtySeconds_breaksNoContract(Workload workload) throws Exception {
    WorkloadOptions options = WorkloadOptions.of(8, Duration.ofSeconds(30), 12).withWire(LOSSY);
    assertThat(broken(workload, options)).isEmpty();
  }

  /** Workloads that meet what the profiles differ in; the next test takes all of them. */
  @TestFactory
  @Tag("slow")
  Stream<DynamicTest> run_devicesOfAProfile_breaksOnlyWhatTheMatrixSays() {
    return profiles(
        workload ->
            workload == Workload.MID_DEREG
                || workload == Workload.INVALIDATE_RACE
                || workload == Workload.STALE_KEY,
        Duration.ofMillis(300),
        1);
  }

  @TestFactory
  @Tag("slow")
  Stream<DynamicTest> run_manyDevicesOfAProfileInEveryWorkload_breaksOnlyWhatTheMatrixSays() {
    return profiles(workload -> true, Duration.ofSeconds(1), 5);
  }

  private Stream<DynamicTest> profiles(Predicate<Workload> chosen, Duration duration, int seeds) {
    Map<Profile, Set<String>> red = red();
    return Arrays.stream(Profile.values())
        .flatMap(
            profile ->
                Arrays.stream(Workload.values())
                    .filter(chosen)
                    .map(
                        workload ->
                            DynamicTest.dynamicTest(
                                profile.text() + " " + workload.text(),
                                () -> {
                                  for (int seed = 1; seed <= seeds; seed++) {
                                    WorkloadOptions options =
                                        WorkloadOptions.of(3, duration, seed).withProfile(profile);
                                    assertThat(broken(workload, options))
                                        .as("seed %d: %s", seed, options.policies())
                                        .isSubsetOf(red.get(profile));
                                  }
                                })));
  }

  /** The contracts that each profile breaks in some model. */
  private static Map<Profile, Set<String>> red() {
    Map<Profile, Set<String>> red = new EnumMap<>(Profile.class);
    for (Profile profile : Profile.values()) {
      Set<String> contracts = new TreeSet<>();
      for (SuiteManifest.Row row : manifest().models()) {
        row.expected()
            .verdicts()
            .red()
            .forEach(
                (contract, breakers) -> {
                  if (breakers.profiles().containsKey(profile.text())) {
                    contracts.add(contract);
                  }
                });
      }
      red.put(profile, contracts);
    }
    return red;
  }

  // Defects.

  /**
   * One line of the table: which workload shows the defect, and by which contracts it is caught.
   */
  private record Shown(Defect defect, Optional<Workload> workload) {}

  private static List<Shown> table() throws IOException {
    List<Shown> table = new ArrayList<>();
    try (var stream = WorkloadsTest.class.getResourceAsStream(TABLE)) {
      String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().filter(each -> !each.startsWith("#")).toList()) {
        String[] words = line.split("\\s+");
        table.add(new Shown(Defect.named(words[0]).orElseThrow(), Workload.named(words[1])));
      }
    }
    return table;
  }

  /** The contracts that the model's mutant of that name breaks. */
  private static Set<String> caughtBy(Defect defect) {
    Set<String> contracts = new TreeSet<>();
    for (SuiteManifest.Row row : manifest().models()) {
      row.expected()
          .verdicts()
          .red()
          .forEach(
              (contract, breakers) -> {
                if (breakers.mutants().containsKey(defect.text())) {
                  contracts.add(contract);
                }
              });
    }
    return contracts;
  }

  @Test
  void defects_allOfThem_standInTheTable() throws IOException {
    assertThat(table()).extracting(Shown::defect).containsExactlyInAnyOrder(Defect.values());
    assertThat(Defect.values()).allSatisfy(defect -> assertThat(caughtBy(defect)).isNotEmpty());
  }

  @TestFactory
  @Tag("slow")
  Stream<DynamicTest> run_withADefect_isCaughtByAContractOfItsMutant() throws IOException {
    return table().stream()
        .filter(shown -> shown.workload().isPresent())
        .map(
            shown ->
                DynamicTest.dynamicTest(
                    shown.defect().text() + " " + shown.workload().get().text(),
                    () -> {
                      Set<String> caught = new TreeSet<>();
                      for (int seed = 1; seed <= 4 && caught.isEmpty(); seed++) {
                        caught.addAll(
                            broken(shown.workload().get(), defective(shown.defect(), seed)));
                        caught.retainAll(caughtBy(shown.defect()));
                      }
                      assertThat(caught).isNotEmpty();
                    }));
  }

  private static WorkloadOptions defective(Defect defect, int seed) {
    return WorkloadOptions.of(2, Duration.ofMillis(250L * seed), seed).withDefects(Set.of(defect));
  }

  /** Finds workloads for the table: {@code -Dmrcheck.defects.explore=true}. */
  @Test
  @Tag("slow")
  void explore() throws Exception {
    assumeTrue(Boolean.getBoolean("mrcheck.defects.explore"));
    for (Defect defect : Defect.values()) {
      StringBuilder line = new StringBuilder(defect.text());
      for (Workload workload : Workload.values()) {
        try {
          Set<String> caught = broken(workload, defective(defect, 2));
          Set<String> right = new TreeSet<>(caught);
          right.retainAll(caughtBy(defect));
          if (!caught.isEmpty()) {
            line.append(" | ")
                .append(workload.text())
                .append(" ")
                .append(right)
                .append(right.equals(caught) ? "" : " also " + caught);
          }
        } catch (IllegalStateException | AssertionError problem) {
          line.append(" | ").append(workload.text()).append(" !! ").append(problem.getMessage());
        }
      }
      System.out.println("EXPLORE " + line);
    }
  }
}
