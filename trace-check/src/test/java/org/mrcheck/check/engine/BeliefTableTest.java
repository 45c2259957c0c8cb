package org.mrcheck.check.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class BeliefTableTest {
  private static final int STATES = 4;

  @Provide
  Arbitrary<MaskAutomaton> automata() {
    Arbitrary<Integer> masks = Arbitraries.integers().between(0, (1 << STATES) - 1);
    Arbitrary<int[]> row = masks.array(int[].class).ofSize(MaskAutomaton.LABELS.size());
    return Combinators.combine(
            Arbitraries.integers().between(1, (1 << STATES) - 1),
            row.array(int[][].class).ofSize(STATES),
            Arbitraries.frequencyOf(
                    net.jqwik.api.Tuple.of(3, Arbitraries.just(0)),
                    net.jqwik.api.Tuple.of(1, masks))
                .array(int[].class)
                .ofSize(STATES),
            masks)
        .as(MaskAutomaton::new);
  }

  /** Words of observations; an observation is a nonempty set of labels as a mask. */
  @Provide
  Arbitrary<List<Integer>> words() {
    return Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(4, Arbitraries.of(1, 2, 4)),
            net.jqwik.api.Tuple.of(1, Arbitraries.integers().between(1, 7)))
        .list()
        .ofMaxSize(7);
  }

  @Property(tries = 2000)
  void step_anyWord_agreesWithDirectEvaluation(
      @ForAll("automata") MaskAutomaton automaton, @ForAll("words") List<Integer> word) {
    BeliefTable<Integer> table = new BeliefTable<>(automaton, Budget.DEFAULT);
    int knowledge = table.initial();
    boolean someRefused = false;
    for (int observation : word) {
      int cell = table.step(knowledge, table.observation(records(observation)));
      someRefused |= BeliefTable.anyRefused(cell);
      knowledge = BeliefTable.next(cell);
    }

    Set<Set<Integer>> expected = new HashSet<>();
    boolean expectedRefused = false;
    for (int[] choice : choices(word)) {
      int mask = automaton.after(choice);
      if (mask == 0) {
        expectedRefused = true;
      } else {
        expected.add(MaskAutomaton.states(mask));
      }
    }
    Set<Set<Integer>> found = new HashSet<>();
    table.alternatives(knowledge).forEach(belief -> found.add(new HashSet<>(belief)));
    assertThat(found).isEqualTo(expected);
    assertThat(someRefused).isEqualTo(expectedRefused);
    assertThat(knowledge == BeliefTable.NOTHING).isEqualTo(expected.isEmpty());
  }

  @Property(tries = 500)
  void step_repeated_answersFromTheTable(
      @ForAll("automata") MaskAutomaton automaton, @ForAll("words") List<Integer> word) {
    BeliefTable<Integer> table = new BeliefTable<>(automaton, Budget.DEFAULT);
    int first = walk(table, word);
    long misses = table.size().misses();

    assertThat(walk(table, word)).isEqualTo(first);
    assertThat(table.size().misses()).isEqualTo(misses);
  }

  @Property(tries = 500)
  void afterLoss_boundedCount_isEveryShorterContinuation(
      @ForAll("automata") MaskAutomaton automaton, @ForAll("words") List<Integer> word) {
    BeliefTable<Integer> table = new BeliefTable<>(automaton, Budget.DEFAULT);
    List<Integer> everything = new ArrayList<>();
    for (int label = 0; label < MaskAutomaton.LABELS.size(); label++) {
      everything.add(table.observation(List.of(MaskAutomaton.label(label))));
    }
    List<Integer> plain = word.stream().map(Integer::lowestOneBit).toList();
    int widened = table.afterLoss(walk(table, plain), everything, 2);

    Set<Set<Integer>> expected = new HashSet<>();
    int[] prefix = plain.stream().mapToInt(Integer::numberOfTrailingZeros).toArray();
    for (int[] lost : continuations(2)) {
      int[] whole = java.util.Arrays.copyOf(prefix, prefix.length + lost.length);
      System.arraycopy(lost, 0, whole, prefix.length, lost.length);
      int mask = automaton.after(whole);
      if (mask != 0) {
        expected.add(MaskAutomaton.states(mask));
      }
    }
    Set<Set<Integer>> found = new HashSet<>();
    table.alternatives(widened).forEach(belief -> found.add(new HashSet<>(belief)));
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void step_hiddenCycle_ends() {
    MaskAutomaton automaton =
        new MaskAutomaton(1, new int[][] {{2, 0, 0}, {2, 0, 0}, {4, 0, 0}}, new int[] {2, 4, 1}, 0);
    BeliefTable<Integer> table = new BeliefTable<>(automaton, Budget.DEFAULT);

    assertThat(table.alternatives(table.initial())).containsExactly(List.of(0, 1, 2));
  }

  @Test
  void step_hiddenStepOverLargeSet_exceedsBudgetAndSaysSo() {
    ContractAutomaton<Integer> unbounded =
        new ContractAutomaton<>() {
          @Override
          public Set<Integer> start() {
            return Set.of(0);
          }

          @Override
          public Set<Integer> step(Integer state, StepRecord event) {
            return Set.of(state);
          }

          @Override
          public Set<Integer> hidden(Integer state) {
            return Set.of(state + 1);
          }

          @Override
          public boolean open(Integer state) {
            return false;
          }

          @Override
          public String remark(Integer state) {
            return "";
          }
        };

    assertThatThrownBy(() -> new BeliefTable<>(unbounded, new Budget(1000, 50, 1024, 8)))
        .isInstanceOf(BudgetExceededException.class)
        .hasMessageContaining("50 states")
        .hasMessageContaining("hidden step");
  }

  @Test
  void step_moreAlternativesThanBudget_unitesAndReportsRefusal() {
    // Label a keeps the state apart from label b's; two alternatives exceed a budget of one.
    MaskAutomaton automaton =
        new MaskAutomaton(1, new int[][] {{1, 2, 0}, {0, 2, 0}}, new int[] {0, 0}, 0);
    BeliefTable<Integer> table = new BeliefTable<>(automaton, new Budget(100, 100, 1024, 1));

    int cell = table.step(table.initial(), table.observation(records(3)));

    assertThat(BeliefTable.anyRefused(cell)).isTrue();
    assertThat(table.alternatives(BeliefTable.next(cell))).containsExactly(List.of(0, 1));
  }

  @Test
  void remark_onlySomeStatesRemarkable_isNone() {
    MaskAutomaton automaton =
        new MaskAutomaton(1, new int[][] {{3, 2, 0}, {0, 0, 0}}, new int[] {0, 0}, 2);
    BeliefTable<Integer> table = new BeliefTable<>(automaton, Budget.DEFAULT);
    int both = BeliefTable.next(table.step(table.initial(), table.observation(records(1))));
    int one = BeliefTable.next(table.step(table.initial(), table.observation(records(2))));

    assertThat(table.remark(both)).isEmpty();
    assertThat(table.open(both)).isFalse();
    assertThat(table.remark(one)).contains("state 1");
    assertThat(table.open(one)).isTrue();
  }

  @Test
  void stepRecord_valueOfAnotherType_isRejected() {
    TreeMap<String, Object> values = new TreeMap<>();
    values.put("psn", 7);

    assertThatThrownBy(() -> new StepRecord("check", values))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("value of psn is 7");
  }

  private static int walk(BeliefTable<Integer> table, List<Integer> word) {
    int knowledge = table.initial();
    for (int observation : word) {
      knowledge = BeliefTable.next(table.step(knowledge, table.observation(records(observation))));
    }
    return knowledge;
  }

  private static List<StepRecord> records(int mask) {
    return MaskAutomaton.states(mask).stream().map(MaskAutomaton::label).toList();
  }

  private static List<int[]> choices(List<Integer> word) {
    List<int[]> found = new ArrayList<>(List.of(new int[0]));
    for (int observation : word) {
      List<int[]> longer = new ArrayList<>();
      for (int[] prefix : found) {
        for (int label : MaskAutomaton.states(observation)) {
          int[] next = java.util.Arrays.copyOf(prefix, prefix.length + 1);
          next[prefix.length] = label;
          longer.add(next);
        }
      }
      found = longer;
    }
    return found;
  }

  private static List<int[]> continuations(int longest) {
    List<int[]> found = new ArrayList<>(List.of(new int[0]));
    List<int[]> frontier = found;
    for (int length = 0; length < longest; length++) {
      List<int[]> longer = new ArrayList<>();
      for (int[] prefix : frontier) {
        for (int label = 0; label < MaskAutomaton.LABELS.size(); label++) {
          int[] next = java.util.Arrays.copyOf(prefix, prefix.length + 1);
          next[prefix.length] = label;
          longer.add(next);
        }
      }
      frontier = longer;
      found = new ArrayList<>(found);
      found.addAll(longer);
    }
    return found;
  }
}
