package org.mrcheck.check.engine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A small automaton written as bit masks, for comparison with brute force. State {@code i} under
 * label {@code j} goes to the states of {@code steps[i][j]}.
 */
record MaskAutomaton(int startMask, int[][] steps, int[] hiddenMasks, int openMask)
    implements ContractAutomaton<Integer> {

  static final List<String> LABELS = List.of("a", "b", "c");

  static StepRecord label(int label) {
    return new StepRecord(LABELS.get(label), new java.util.TreeMap<>());
  }

  @Override
  public Set<Integer> start() {
    return states(startMask);
  }

  @Override
  public Set<Integer> step(Integer state, StepRecord event) {
    return states(steps[state][LABELS.indexOf(event.event())]);
  }

  @Override
  public Set<Integer> hidden(Integer state) {
    return states(hiddenMasks[state]);
  }

  @Override
  public boolean open(Integer state) {
    return (openMask & 1 << state) != 0;
  }

  @Override
  public String remark(Integer state) {
    return state == 1 ? "state 1" : "";
  }

  /** The states after a word of labels, as a mask, computed without any table. */
  int after(int... word) {
    int mask = closure(startMask);
    for (int label : word) {
      int next = 0;
      for (int state = 0; state < steps.length; state++) {
        if ((mask & 1 << state) != 0) {
          next |= steps[state][label];
        }
      }
      mask = closure(next);
    }
    return mask;
  }

  private int closure(int mask) {
    int closed = mask;
    while (true) {
      int next = closed;
      for (int state = 0; state < steps.length; state++) {
        if ((closed & 1 << state) != 0) {
          next |= hiddenMasks[state];
        }
      }
      if (next == closed) {
        return closed;
      }
      closed = next;
    }
  }

  static Set<Integer> states(int mask) {
    Set<Integer> found = new LinkedHashSet<>();
    for (int state = 0; state < 32; state++) {
      if ((mask & 1 << state) != 0) {
        found.add(state);
      }
    }
    return found;
  }
}
