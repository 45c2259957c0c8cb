package org.mrcheck.check.engine;

import java.util.Optional;
import org.mrcheck.check.ledger.Instance;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.lang.trace.EventClass;

/** One live instance of a contract. Mutable; belongs to one {@link BindingRun}. */
final class TrackedInstance {
  final Optional<Instance> facts;
  final int[] positions;

  /** What the events seen so far allow, if none was lost. */
  int knowledge;

  /** What they allow if events were lost; 0 where that makes no difference. */
  int widened;

  /** Why this instance cannot be decided, or null. */
  Verdict.Inconclusive undecided;

  /** What was lost before this instance or while it lived, or null. */
  Verdict.Inconclusive doubt;

  /** The unknown value that made alternatives, or null. */
  Verdict.Inconclusive unknown;

  /** What the contract remarked, or null. */
  Verdict.Surprising surprising;

  EventReference surprisingAt;
  EventReference first;
  EventReference last;
  boolean exercised;
  boolean dead;

  /** It was refused for want of a class of events: it can never be a violation. */
  boolean excused;

  /** The lost events concern this instance: without them it would have been refused. */
  boolean affectedByLoss;

  /** Bits of {@link EventClass#ordinal}: classes of events that made this instance what it is. */
  int classesSeen;

  TrackedInstance(Instance facts, int subsets, int knowledge) {
    this.facts = Optional.of(facts);
    this.positions = new int[subsets];
    this.knowledge = knowledge;
  }

  void saw(EventClass eventClass) {
    classesSeen |= 1 << eventClass.ordinal();
  }

  boolean hasSeen(EventClass eventClass) {
    return (classesSeen & 1 << eventClass.ordinal()) != 0;
  }
}
