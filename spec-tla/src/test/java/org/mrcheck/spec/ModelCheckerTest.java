package org.mrcheck.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mrcheck.spec.ModelResult.Outcome;

class ModelCheckerTest {

  private static ModelRun run(String module, String config) {
    return ModelRun.of(TestSpecs.library(), module, config).withLimit(Duration.ofMinutes(2));
  }

  private static ModelResult check(ModelRun run) throws Exception {
    return Quiet.quietly(() -> ModelChecker.check(run, ProgressSink.none()));
  }

  @Test
  void check_ofAModelThatHolds_countsStatesDepthAndCoverage() throws Exception {
    ModelResult result = check(run("Counter", "CounterHolds.cfg").withCoverage(true));
    assertThat(result.outcome()).isEqualTo(Outcome.HOLDS);
    assertThat(result.counts()).isEqualTo(new ModelProgress(5, 12, 7, 0));
    assertThat(result.violated()).isEmpty();
    assertThat(result.counterexample()).isEmpty();
    assertThat(result.coverage())
        .extracting(
            action ->
                "%s %s %s %d/%d"
                    .formatted(
                        action.action(),
                        action.location().orElseThrow(),
                        action.initial(),
                        action.distinct(),
                        action.generated()))
        .containsExactly(
            "Init Counter.tla:10:1 true 1/1",
            "Up Counter.tla:11:1 false 3/6",
            "Down Counter.tla:12:1 false 3/5");
  }

  @Test
  void check_ofAViolatedInvariant_givesTheShortestWayThere() throws Exception {
    ModelResult result = check(run("Counter", "CounterInvariant.cfg"));
    assertThat(result.outcome()).isEqualTo(Outcome.INVARIANT_VIOLATED);
    assertThat(result.violated()).contains("StaysBelow");
    assertThat(result.coverage()).isEmpty();
    Counterexample behaviour = result.counterexample().orElseThrow();
    assertThat(behaviour.shortest()).isTrue();
    assertThat(behaviour.actions()).containsExactly("Up", "Up", "Up");
    assertThat(behaviour.states())
        .extracting(state -> state.number() + " " + state.action() + " " + state.changed())
        .containsExactly(
            "1 Initial predicate {count=0, last=\"none\"}",
            "2 Up {count=1, last=\"up\"}",
            "3 Up {count=2}",
            "4 Up {count=3}");
    assertThat(behaviour.states().get(3).variables())
        .isEqualTo(new TreeMap<>(Map.of("count", SpecValue.of(3), "last", SpecValue.of("up"))));
    assertThat(behaviour.states().get(3).location().orElseThrow()).hasToString("Counter.tla:11:7");
    assertThat(result.counts().depth()).isEqualTo(4);
  }

  @Test
  void check_withTwoWorkers_claimsNoShortestWay() throws Exception {
    ModelResult result = check(run("Counter", "CounterInvariant.cfg").withWorkers(2));
    assertThat(result.violated()).contains("StaysBelow");
    assertThat(result.counterexample().orElseThrow().shortest()).isFalse();
  }

  @Test
  void check_ofAnInvariantThatTheInitialStateViolates_givesThatState() throws Exception {
    ModelResult result = check(run("Counter", "CounterInitial.cfg"));
    assertThat(result.outcome()).isEqualTo(Outcome.INVARIANT_VIOLATED);
    assertThat(result.violated()).contains("NeverStarts");
    assertThat(result.counterexample().orElseThrow().states())
        .singleElement()
        .satisfies(state -> assertThat(state.variables()).containsEntry("count", SpecValue.of(0)));
  }

  @Test
  void check_ofAViolatedActionProperty_namesIt() throws Exception {
    ModelResult result = check(run("Counter", "CounterAction.cfg"));
    assertThat(result.outcome()).isEqualTo(Outcome.PROPERTY_VIOLATED);
    assertThat(result.violated()).contains("NeverDown");
    assertThat(result.counterexample().orElseThrow().actions()).containsExactly("Up", "Down");
  }

  @Test
  void check_ofAViolatedLivenessProperty_givesTheLoopOrTheEnd() throws Exception {
    ModelResult loop = check(run("Counter", "CounterLiveness.cfg"));
    assertThat(loop.outcome()).isEqualTo(Outcome.PROPERTY_VIOLATED);
    assertThat(loop.violated()).contains("ReachesTop");
    assertThat(loop.counterexample().orElseThrow().backTo()).isPresent();
    assertThat(loop.counterexample().orElseThrow().shortest()).isFalse();

    ModelResult stutter = check(run("Counter", "CounterStutter.cfg"));
    assertThat(stutter.violated()).contains("ReachesTop");
    assertThat(stutter.counterexample().orElseThrow().stutters()).isTrue();
    assertThat(stutter.counterexample().orElseThrow().backTo()).isEmpty();
  }

  @Test
  void check_ofADeadEnd_isADeadlockOnlyWhenAskedFor() throws Exception {
    ModelResult result = check(run("Counter", "CounterDeadlock.cfg"));
    assertThat(result.outcome()).isEqualTo(Outcome.DEADLOCK);
    assertThat(result.counterexample().orElseThrow().states()).hasSize(4);
    assertThat(check(run("Counter", "CounterDeadlock.cfg").withDeadlockCheck(false)).outcome())
        .isEqualTo(Outcome.HOLDS);
  }

  @Test
  void check_ofEveryKindOfValue_givesValues() throws Exception {
    ModelResult result = check(run("Values", "Values.cfg"));
    assertThat(result.violated()).contains("Positive");
    Counterexample.State first = result.counterexample().orElseThrow().states().get(0);
    assertThat(first.variables())
        .hasToString(
            "{entry=[held |-> TRUE, name |-> \"c\"], function=(0 :> \"x\" @@ 7 :> \"y\"),"
                + " number=0, sequence=<<1, \"b\">>, set={1, 2}, text=\"a\", who=Nobody}");
    assertThat(result.counterexample().orElseThrow().states().get(1).changed())
        .containsOnlyKeys("number");
  }

  @Test
  void check_ofAFalseAssumption_givesItsPlace() throws Exception {
    ModelResult result = check(run("Values", "ValuesAssumption.cfg"));
    assertThat(result.outcome()).isEqualTo(Outcome.ASSUMPTION_FALSE);
    assertThat(result.location().orElseThrow()).hasToString("Values.tla:5:8");
  }

  @Test
  void check_ofAnInvariantThatCannotBeEvaluated_givesThePlaceAndTheStates() throws Exception {
    ModelResult result = check(run("Counter", "CounterFaulty.cfg"));
    assertThat(result.outcome()).isEqualTo(Outcome.SPEC_ERROR);
    assertThat(result.location().orElseThrow()).hasToString("Counter.tla:23:29");
    assertThat(result.message())
        .isEqualTo(
            "cannot evaluate invariant Faulty: Attempted to check if the value: 2 is an element of"
                + " the string \"two\"");
    assertThat(result.counterexample().orElseThrow().states()).hasSize(3);
  }

  @Test
  void check_ofMalformedSpecs_saysWhatIsWrongAndWhere() throws Exception {
    ModelResult syntax = check(run("Malformed", "Malformed.cfg"));
    assertThat(syntax.outcome()).isEqualTo(Outcome.SPEC_ERROR);
    assertThat(syntax.location().orElseThrow()).hasToString("Malformed.tla:6:1");
    assertThat(syntax.message()).startsWith("Encountered \"====\"");

    ModelResult missing = check(run("ImportsMissing", "ImportsMissing.cfg"));
    assertThat(missing.outcome()).isEqualTo(Outcome.SPEC_ERROR);
    assertThat(missing.location().orElseThrow()).hasToString("ImportsMissing.tla");
    assertThat(missing.message()).contains("NotThere");

    ModelResult config = check(run("Counter", "CounterBadConfig.cfg"));
    assertThat(config.outcome()).isEqualTo(Outcome.SPEC_ERROR);
    assertThat(config.location().orElseThrow()).hasToString("CounterBadConfig.cfg:3");
    assertThat(config.message())
        .isEqualTo(
            "TLC found an error in the configuration file at line 3 It was expecting a keyword, but"
                + " did not find it.");

    ModelResult unknown = check(run("Values", "ValuesUnknown.cfg"));
    assertThat(unknown.outcome()).isEqualTo(Outcome.SPEC_ERROR);
    assertThat(unknown.message()).contains("NoSuchThing");
  }

  @Test
  void check_ofAMissingModuleOrConfiguration_isRefused() {
    assertThatThrownBy(() -> ModelChecker.check(run("Counter", "None.cfg"), ProgressSink.none()))
        .isInstanceOf(SpecException.class)
        .hasMessageStartingWith("None.cfg: no such file");
    assertThatThrownBy(
            () -> ModelChecker.check(run("None", "CounterHolds.cfg"), ProgressSink.none()))
        .isInstanceOf(SpecException.class)
        .hasMessageStartingWith("None.tla: no such module");
  }

  @Test
  void check_twiceAtOnce_givesBothVerdicts() throws Exception {
    CompletableFuture<ModelResult> other =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return ModelChecker.check(
                    run("Counter", "CounterDeadlock.cfg"), ProgressSink.none());
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(check(run("Counter", "CounterHolds.cfg")).outcome()).isEqualTo(Outcome.HOLDS);
    assertThat(other.get().outcome()).isEqualTo(Outcome.DEADLOCK);
  }

  @Test
  void check_withToolsCopiedToAnotherPlace_works(@TempDir Path folder) throws Exception {
    Path copy = Files.copy(TlaTools.bundled().jar(), folder.resolve("my tools.jar"));
    ModelResult result = check(run("Counter", "CounterHolds.cfg").withTools(TlaTools.at(copy)));
    assertThat(result.outcome()).isEqualTo(Outcome.HOLDS);
  }

  @Test
  void check_withToolsThatDoNotRun_saysSo(@TempDir Path folder) throws IOException {
    Path odd = folder.resolve("odd.jar");
    try (var zip = new java.util.zip.ZipOutputStream(Files.newOutputStream(odd))) {
      zip.putNextEntry(new java.util.zip.ZipEntry("tlc2/TLC.class"));
    }
    assertThatThrownBy(
            () ->
                ModelChecker.check(
                    run("Counter", "CounterHolds.cfg").withTools(TlaTools.at(odd)),
                    ProgressSink.none()))
        .isInstanceOfSatisfying(
            SpecException.class, e -> assertThat(e.kind()).isEqualTo(SpecException.Kind.TOOLS));
  }

  @Test
  void check_beyondItsLimit_givesUpAndTellsHowFarItCame() throws Exception {
    List<ModelProgress> heard = new ArrayList<>();
    ModelResult result =
        ModelChecker.check(
            run("Wanderer", "Wanderer.cfg").withLimit(Duration.ofSeconds(3)), heard::add);
    assertThat(result.outcome()).isEqualTo(Outcome.GAVE_UP);
    assertThat(result.message()).isEqualTo("stopped after 3 s");
    // On a busy machine TLC may not even have begun by then.
    ModelProgress last =
        heard.isEmpty() ? new ModelProgress(0, 0, 0, 0) : heard.get(heard.size() - 1);
    assertThat(result.counts()).isEqualTo(last);
  }

  @Test
  void check_whileItRuns_listensOnLoopbackOnlyAndHasNoHome() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CompletableFuture<ModelResult> result = new CompletableFuture<>();
    Thread checker =
        new Thread(
            () -> {
              try {
                result.complete(
                    ModelChecker.check(
                        run("Wanderer", "Wanderer.cfg"), progress -> running.countDown()));
              } catch (Exception e) {
                result.completeExceptionally(e);
              }
            });
    checker.setDaemon(true);
    checker.start();
    assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
    ProcessHandle child =
        ProcessHandle.current()
            .children()
            .filter(each -> List.of(each.info().arguments().orElseThrow()).contains("Wanderer"))
            .findFirst()
            .orElseThrow();

    List<String> arguments = List.of(child.info().arguments().orElseThrow());
    Path folder =
        arguments.stream()
            .filter(each -> each.startsWith("-Duser.home="))
            .map(each -> Path.of(each.substring("-Duser.home=".length())))
            .findFirst()
            .orElseThrow();
    assertThat(folder).isDirectory().isNotEqualTo(Path.of(System.getProperty("user.home")));
    if (Sockets.known()) {
      // TLC does open a port; that the list is not empty shows that this test would see it.
      assertThat(Sockets.listening(child.pid())).isNotEmpty().allMatch(Sockets::isLoopback);
      assertThat(Sockets.listening(ProcessHandle.current().pid())).allMatch(Sockets::isLoopback);
    }

    checker.interrupt();
    assertThatThrownBy(() -> result.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(child.onExit().get(30, TimeUnit.SECONDS).isAlive()).isFalse();
    assertThat(folder).doesNotExist();
  }

  @Test
  void run_withImpossibleNumbers_isRefused() {
    ModelRun run = run("Counter", "CounterHolds.cfg");
    assertThatThrownBy(() -> run.withWorkers(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> run.withHeapMegabytes(8)).isInstanceOf(IllegalArgumentException.class);
  }
}
