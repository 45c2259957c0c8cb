package org.mrcheck.check.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The lazily determinised state space of one contract, shared by all its instances.
 *
 * <p><b>What is interned.</b> Contract states, <em>beliefs</em> (sets of states closed under hidden
 * steps), step records, <em>observations</em> (sets of step records of which one happened; more
 * than one where a derived value is unknown) and <em>knowledge</em> (a set of beliefs, one for each
 * way the unknown values seen so far may have been; nearly always a single belief). An instance is
 * one knowledge number.
 *
 * <p><b>The table.</b> (knowledge, observation) → knowledge in a flat {@code int} array that fills
 * on demand; 0 means not filled yet. A filled cell holds the next knowledge times two, plus one if
 * some alternative refuses the event. An alternative that refuses is dropped from the next
 * knowledge; {@link #NOTHING} is left when every alternative refuses, which is a rejection whatever
 * the unknown values were.
 *
 * <p><b>Concurrency.</b> Lookups take no lock: the array and its stride are published together
 * through one volatile field, a cell seen before its fill reads 0 and is only a miss, and what a
 * filled cell points to is read under the lock or from the same array. Misses, and every other
 * method, take the one lock of the table; the automaton is called under it only.
 *
 * @param <S> states of the contract
 */
public final class BeliefTable<S> {
  /** The knowledge without any alternative left. */
  public static final int NOTHING = 1;

  private static final int EMPTY_BELIEF = 0;

  private record Cells(int[] values, int stride) {}

  private record IntSet(int[] members) {
    @Override
    public boolean equals(Object other) {
      return other instanceof IntSet set && Arrays.equals(members, set.members);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(members);
    }

    static IntSet of(Iterable<Integer> members, int size) {
      int[] array = new int[size];
      int count = 0;
      for (int member : members) {
        array[count++] = member;
      }
      return new IntSet(array);
    }
  }

  /** Numbers things from 0 in the order of their first appearance. */
  private static final class Interner<T> {
    private final Map<T, Integer> numbers = new HashMap<>();
    private final List<T> things = new ArrayList<>();

    int number(T thing) {
      Integer known = numbers.get(thing);
      if (known != null) {
        return known;
      }
      numbers.put(thing, things.size());
      things.add(thing);
      return things.size() - 1;
    }

    T thing(int number) {
      return things.get(number);
    }

    int size() {
      return things.size();
    }
  }

  private final ContractAutomaton<S> automaton;
  private final Budget budget;
  private final Interner<S> states = new Interner<>();
  private final Interner<IntSet> beliefs = new Interner<>();
  private final Interner<IntSet> knowledges = new Interner<>();
  private final Interner<StepRecord> records = new Interner<>();
  private final Interner<IntSet> observations = new Interner<>();
  private final Map<Long, int[]> successors = new HashMap<>();
  private final Map<Long, Integer> beliefSteps = new HashMap<>();
  private final Map<Integer, String> remarks = new HashMap<>();
  private final Map<Integer, Boolean> opens = new HashMap<>();
  private final int initial;
  private volatile Cells cells = new Cells(new int[16 * 16], 16);
  private long misses;

  /**
   * A table with its first belief, the closure of the contract's start.
   *
   * @throws BudgetExceededException if that alone is too large
   */
  public BeliefTable(ContractAutomaton<S> automaton, Budget budget) {
    this.automaton = automaton;
    this.budget = budget;
    beliefs.number(new IntSet(new int[0]));
    knowledges.number(new IntSet(new int[] {-1}));
    knowledges.number(new IntSet(new int[0]));
    int start = belief(numbers(automaton.start()));
    this.initial =
        start == EMPTY_BELIEF ? NOTHING : knowledges.number(new IntSet(new int[] {start}));
  }

  /** The knowledge of an instance before its first event. */
  public int initial() {
    return initial;
  }

  /**
   * The number of an observation.
   *
   * @param alternatives the step records of which one happened, at least one
   */
  public synchronized int observation(List<StepRecord> alternatives) {
    if (alternatives.isEmpty()) {
      throw new IllegalArgumentException("an observation needs a step record");
    }
    Set<Integer> numbers = new TreeSet<>();
    for (StepRecord alternative : alternatives) {
      numbers.add(records.number(alternative));
    }
    return observations.number(IntSet.of(numbers, numbers.size()));
  }

  /**
   * The knowledge after an observation, as a cell: read it with {@link #next} and {@link
   * #anyRefused}.
   *
   * @throws BudgetExceededException if the contract grows beyond its budget
   */
  public int step(int knowledge, int observation) {
    Cells seen = cells;
    if (observation < seen.stride) {
      int index = knowledge * seen.stride + observation;
      if (index < seen.values.length) {
        int cell = seen.values[index];
        if (cell != 0) {
          return cell;
        }
      }
    }
    return fill(knowledge, observation);
  }

  /** The knowledge that a cell leads to. */
  public static int next(int cell) {
    return cell >>> 1;
  }

  /** Whether some alternative refuses the event of this cell. */
  public static boolean anyRefused(int cell) {
    return (cell & 1) != 0;
  }

  private synchronized int fill(int knowledge, int observation) {
    misses++;
    Set<Integer> next = new TreeSet<>();
    boolean refused = false;
    for (int belief : knowledges.thing(knowledge).members) {
      for (int record : observations.thing(observation).members) {
        int after = beliefStep(belief, record);
        if (after == EMPTY_BELIEF) {
          refused = true;
        } else {
          next.add(after);
        }
      }
    }
    if (next.size() > budget.alternatives()) {
      // United, the alternatives accept more than each alone: the instance must stay inconclusive.
      next = Set.of(union(next));
      refused = true;
    }
    int cell = knowledge(next) << 1 | (refused ? 1 : 0);
    store(knowledge, observation, cell);
    return cell;
  }

  private void store(int knowledge, int observation, int cell) {
    Cells current = cells;
    int stride = current.stride;
    while (stride <= observation) {
      stride *= 2;
    }
    int rows = Math.max(knowledge + 1, current.values.length / current.stride);
    if (stride != current.stride || rows * stride > current.values.length) {
      rows = Integer.highestOneBit(Math.max(rows, 16) - 1) << 1;
      if ((long) rows * stride > budget.cells()) {
        throw new BudgetExceededException(
            "its table would need more than "
                + budget.cells()
                + " cells ("
                + knowledges.size()
                + " belief sets, "
                + observations.size()
                + " kinds of step)");
      }
      int[] values = new int[rows * stride];
      for (int row = 0; row * current.stride < current.values.length; row++) {
        System.arraycopy(
            current.values, row * current.stride, values, row * stride, current.stride);
      }
      current = new Cells(values, stride);
      cells = current;
    }
    current.values[knowledge * stride + observation] = cell;
  }

  private int knowledge(Set<Integer> alternatives) {
    return alternatives.isEmpty()
        ? NOTHING
        : knowledges.number(IntSet.of(alternatives, alternatives.size()));
  }

  private int union(Set<Integer> alternatives) {
    Set<Integer> members = new TreeSet<>();
    for (int alternative : alternatives) {
      for (int state : beliefs.thing(alternative).members) {
        members.add(state);
      }
    }
    checkSize(members.size());
    return beliefs.number(IntSet.of(members, members.size()));
  }

  private int beliefStep(int belief, int record) {
    long key = (long) belief << 32 | record;
    Integer known = beliefSteps.get(key);
    if (known != null) {
      return known;
    }
    Set<Integer> next = new LinkedHashSet<>();
    for (int state : beliefs.thing(belief).members) {
      for (int successor : successors(state, record)) {
        next.add(successor);
      }
    }
    int after = belief(next);
    beliefSteps.put(key, after);
    return after;
  }

  private int[] successors(int state, int record) {
    long key = (long) state << 32 | record;
    int[] known = successors.get(key);
    if (known == null) {
      known =
          numbers(automaton.step(states.thing(state), records.thing(record))).stream()
              .mapToInt(Integer::intValue)
              .toArray();
      successors.put(key, known);
    }
    return known;
  }

  private Set<Integer> numbers(Set<S> found) {
    Set<Integer> numbers = new LinkedHashSet<>();
    for (S state : found) {
      numbers.add(states.number(state));
    }
    if (states.size() > budget.states()) {
      throw new BudgetExceededException("it has more than " + budget.states() + " states");
    }
    return numbers;
  }

  /** The number of the closure of these states under hidden steps; a cycle of them ends. */
  private int belief(Set<Integer> from) {
    Set<Integer> closed = new TreeSet<>(from);
    ArrayDeque<Integer> unexplored = new ArrayDeque<>(from);
    while (!unexplored.isEmpty()) {
      for (int successor : numbers(automaton.hidden(states.thing(unexplored.remove())))) {
        if (closed.add(successor)) {
          unexplored.add(successor);
        }
      }
      checkSize(closed.size());
    }
    return beliefs.number(IntSet.of(closed, closed.size()));
  }

  private void checkSize(int size) {
    if (size > budget.beliefSize()) {
      throw new BudgetExceededException(
          "a belief set has more than "
              + budget.beliefSize()
              + " states; look for a hidden step over a large set");
    }
  }

  /**
   * The knowledge after events that nobody recorded: any of the given observations, up to {@code
   * count} times, or none of them.
   *
   * @param count how many events may be missing; 0 where nobody can say
   */
  public synchronized int afterLoss(int knowledge, List<Integer> possible, long count) {
    Set<Integer> reached = new TreeSet<>();
    for (int belief : knowledges.thing(knowledge).members) {
      reached.add(belief);
    }
    Set<Integer> frontier = reached;
    for (long lost = 0; (count == 0 || lost < count) && !frontier.isEmpty(); lost++) {
      Set<Integer> found = new TreeSet<>();
      for (int belief : frontier) {
        for (int observation : possible) {
          for (int record : observations.thing(observation).members) {
            int after = beliefStep(belief, record);
            if (after != EMPTY_BELIEF && !reached.contains(after)) {
              found.add(after);
            }
          }
        }
      }
      Set<Integer> all = new TreeSet<>(reached);
      all.addAll(found);
      reached = all;
      frontier = found;
      if (reached.size() > budget.alternatives()) {
        // More accepting than the alternatives apart, which is the safe side for a doubtful
        // instance: it can only be rejected if all of them reject.
        int united = union(reached);
        if (reached.contains(united) && frontier.size() == 1 && frontier.contains(united)) {
          return knowledge(Set.of(united));
        }
        reached = new TreeSet<>(Set.of(united));
        frontier = reached;
        if (unitedIsClosed(united, possible)) {
          return knowledge(reached);
        }
      }
    }
    return knowledge(reached);
  }

  private boolean unitedIsClosed(int united, List<Integer> possible) {
    Set<Integer> members = new TreeSet<>();
    for (int state : beliefs.thing(united).members) {
      members.add(state);
    }
    for (int observation : possible) {
      for (int record : observations.thing(observation).members) {
        for (int state : beliefs.thing(beliefStep(united, record)).members) {
          if (!members.contains(state)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /** Whether some alternative of this knowledge refuses one of the observations. */
  public synchronized boolean canRefuse(int knowledge, List<Integer> possible) {
    for (int observation : possible) {
      for (int belief : knowledges.thing(knowledge).members) {
        for (int record : observations.thing(observation).members) {
          if (beliefStep(belief, record) == EMPTY_BELIEF) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Whether some alternative leaves only states in which something is still owed. */
  public synchronized boolean open(int knowledge) {
    return opens.computeIfAbsent(
        knowledge,
        number -> {
          for (int belief : knowledges.thing(number).members) {
            if (Arrays.stream(beliefs.thing(belief).members)
                .mapToObj(states::thing)
                .allMatch(automaton::open)) {
              return true;
            }
          }
          return false;
        });
  }

  /** Why this knowledge is surprising: the remarks of its states if every state has one. */
  public synchronized Optional<String> remark(int knowledge) {
    String remark = remarks.get(knowledge);
    if (remark == null) {
      Set<String> found = new TreeSet<>();
      for (int belief : knowledges.thing(knowledge).members) {
        for (int state : beliefs.thing(belief).members) {
          found.add(automaton.remark(states.thing(state)));
        }
      }
      remark = found.contains("") ? "" : String.join("; ", found);
      remarks.put(knowledge, remark);
    }
    return remark.isEmpty() ? Optional.empty() : Optional.of(remark);
  }

  /** The beliefs of this knowledge, as states. */
  public synchronized List<List<S>> alternatives(int knowledge) {
    List<List<S>> found = new ArrayList<>();
    for (int belief : knowledges.thing(knowledge).members) {
      List<S> members = new ArrayList<>();
      for (int state : beliefs.thing(belief).members) {
        members.add(states.thing(state));
      }
      found.add(members);
    }
    return found;
  }

  /** The step records of an observation. */
  public synchronized List<StepRecord> records(int observation) {
    List<StepRecord> found = new ArrayList<>();
    for (int record : observations.thing(observation).members) {
      found.add(records.thing(record));
    }
    return found;
  }

  /** Sizes for a report. */
  public synchronized Size size() {
    return new Size(
        states.size(), beliefs.size() - 1, knowledges.size() - 2, observations.size(), misses);
  }

  /**
   * How much of the contract's state space a check has seen.
   *
   * @param states contract states
   * @param beliefs nonempty belief sets
   * @param knowledges sets of alternative belief sets
   * @param observations kinds of step
   * @param misses table cells filled
   */
  public record Size(int states, int beliefs, int knowledges, int observations, long misses) {}
}
