package org.mrcheck.check.engine;

import java.util.Set;

/**
 * A contract as the engine sees it: a nondeterministic automaton whose labels are step records.
 * States are compared with {@code equals}. Called under the lock of one {@link BeliefTable} only.
 *
 * @param <S> the states
 */
public interface ContractAutomaton<S> {
  /** The states an instance may be in before its first event. */
  Set<S> start();

  /** The states after the event; empty where the contract forbids it. */
  Set<S> step(S state, StepRecord event);

  /** The states reached silently in one step. */
  Set<S> hidden(S state);

  /** Whether something is still owed in this state when a recording ends. */
  boolean open(S state);

  /** Why an end in this state is surprising; empty if it is not. */
  String remark(S state);
}
