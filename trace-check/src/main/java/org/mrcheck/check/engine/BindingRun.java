package org.mrcheck.check.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.agrona.collections.LongHashSet;
import org.mrcheck.check.ledger.Derivation;
import org.mrcheck.check.ledger.DerivedFunction;
import org.mrcheck.check.ledger.DerivedValue;
import org.mrcheck.check.ledger.Instance;
import org.mrcheck.check.ledger.Ledger;
import org.mrcheck.check.ledger.ParameterValues;
import org.mrcheck.check.verdict.BindingResult;
import org.mrcheck.check.verdict.InstanceReport;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.check.verdict.VerdictCounts;
import org.mrcheck.lang.binding.Binding;
import org.mrcheck.lang.binding.BoundEvent;
import org.mrcheck.lang.binding.Parameter;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;

/**
 * One binding's instances during one pass over one trace: creates, steps and drops them and counts
 * their verdicts. Used by one thread; the {@link BeliefTable} behind it may be shared.
 *
 * <p><b>Unknown values.</b> An event with an unknown value is stepped with every value; an instance
 * is refused only if every alternative refuses, and inconclusive if some do.
 *
 * <p><b>Lost events.</b> After a loss an instance carries a second knowledge, {@link
 * TrackedInstance#widened}: what is possible if any events of its binding happened in the gap. It
 * is refused only if that refuses as well. The two meet again when the instance's own events leave
 * one possibility; an instance that lived across the gap stays inconclusive all the same, because
 * the lost event itself may have been the violation.
 */
final class BindingRun {
  private static final int MOST_REFUSED_KEPT = 100_000;
  private static final int MOST_CLOSED_KEPT = 1 << 18;
  private static final int MOST_LOSSES_KEPT = 64;
  private static final int MOST_REASONS = 1000;

  /** Sees every step of every instance; for the explaining pass. */
  interface Observer {
    /** An instance took a step. */
    void stepped(ParameterValues instance, Step step);

    /** An instance came to a verdict, other than conformant, or is as good as new. */
    void finished(ParameterValues instance, Verdict verdict, EventReference at);
  }

  /**
   * One step of one instance.
   *
   * @param bound how the event is bound
   * @param at the event
   * @param code its derived values
   * @param before the knowledge before
   * @param after the knowledge after, {@link BeliefTable#NOTHING} if the event is refused
   * @param replayed whether a new instance takes it from its key's history
   * @param facts what is known of the instance
   */
  record Step(
      BoundStep bound,
      EventReference at,
      int code,
      int before,
      int after,
      boolean replayed,
      Optional<Instance> facts) {}

  /** The event that decided about an instance, and the facts about that instance. */
  record Deciding(EventReference at, Optional<Instance> facts) {}

  private record HostNeeds(
      Optional<Verdict.Inconclusive> missing, List<EventClass> partial, boolean leftToSibling) {}

  private final Binding binding;
  private final List<Binding> siblings;
  private final BeliefTable<?> table;
  private final Ledger ledger;
  private final TraceHeader header;
  private final int detailLimit;
  private final BoundStep[] steps = new BoundStep[EventName.values().length];
  private final int[] subsetOf = new int[EventName.values().length];
  private final InstanceIndex index;
  private final boolean slicedByRegistration;
  private final List<Integer> everything = new ArrayList<>();
  private final Map<String, HostNeeds> needsByHost = new HashMap<>();
  private final Map<String, NumberIntervals> goneRegistrations = new HashMap<>();
  private final Set<ParameterValues> closedSinceLoss = new HashSet<>();
  private final List<Loss> losses = new ArrayList<>();
  private final Map<DerivedValue.Unknown, Verdict.Inconclusive> unknowns = new HashMap<>();
  private final Map<Integer, Optional<Verdict.Surprising>> remarks = new HashMap<>();
  private byte[] remarkable = new byte[64];
  private Optional<ParameterValues> only = Optional.empty();
  private Observer observer;

  private final Map<Verdict.Kind, Long> counts = new EnumMap<>(Verdict.Kind.class);
  private final Map<Verdict.Inconclusive, Long> reasons = new LinkedHashMap<>();
  private final Map<String, Long> remarkCounts = new TreeMap<>();
  private final List<InstanceReport> violations = new ArrayList<>();
  private final List<InstanceReport> surprises = new ArrayList<>();
  private final List<List<InstanceReport>> undecidedByRank =
      List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  private final Map<InstanceReport, Deciding> deciding = new IdentityHashMap<>();
  private long created;

  /** Fingerprints of the instances that came into being, as far as they are kept. */
  private final LongHashSet distinct = new LongHashSet();

  private long dropped;
  private long idle;
  private String gaveUp;

  /**
   * A run without instances.
   *
   * @param siblings all bindings of the same contract; where this one lacks a class of events and
   *     another does not, the other speaks for the contract
   * @throws CatalogueException if the binding names a derived value that does not exist
   */
  BindingRun(
      Binding binding,
      List<Binding> siblings,
      BeliefTable<?> table,
      Ledger ledger,
      TraceHeader header,
      int detailLimit)
      throws CatalogueException {
    this.binding = binding;
    this.siblings = siblings;
    this.table = table;
    this.ledger = ledger;
    this.header = header;
    this.detailLimit = detailLimit;
    List<List<Parameter>> subsets = new ArrayList<>();
    Arrays.fill(subsetOf, -1);
    for (BoundEvent event : binding.events()) {
      BoundStep step = new BoundStep(binding, event, functions(binding, event), table);
      steps[event.name().ordinal()] = step;
      if (!step.creates()) {
        List<Parameter> by = event.by().stream().sorted().toList();
        if (!subsets.contains(by)) {
          subsets.add(by);
        }
        subsetOf[event.name().ordinal()] = subsets.indexOf(by);
      }
    }
    this.index = new InstanceIndex(subsets);
    this.slicedByRegistration =
        Set.copyOf(binding.slice()).equals(Set.of(Parameter.HOST, Parameter.MR));
  }

  private static List<DerivedFunction> functions(Binding binding, BoundEvent event)
      throws CatalogueException {
    List<DerivedFunction> functions = new ArrayList<>();
    for (String name : event.with()) {
      functions.add(
          Derivation.named(name)
              .orElseThrow(
                  () ->
                      CatalogueException.unknownDerivedValue(
                          binding, event, name, Derivation.names())));
    }
    return functions;
  }

  /** Steps only this instance from now on, if one is given, and tells the observer. */
  void watch(Optional<ParameterValues> instance, Observer newObserver) {
    this.only = instance;
    this.observer = newObserver;
  }

  /** How the event is bound, if it is. */
  Optional<BoundStep> step(EventName name) {
    return Optional.ofNullable(steps[name.ordinal()]);
  }

  Binding binding() {
    return binding;
  }

  /** Whether events of this name mean something here. */
  boolean listensTo(EventName name) {
    return steps[name.ordinal()] != null;
  }

  /** Takes the next event; call before the ledger records it. */
  void accept(TraceEvent event, long line) {
    BoundStep step = steps[event.name().ordinal()];
    if (step == null || gaveUp != null) {
      return;
    }
    try {
      for (ParameterValues bound : ledger.binds(event, step.event().by())) {
        if (only.isPresent() && !only.get().agrees(bound, step.event().by())) {
          continue;
        }
        EventReference at = new EventReference(event, line);
        if (step.creates()) {
          TrackedInstance instance = index.find(bound);
          if (instance == null) {
            if (needs(bound.host()).leftToSibling()) {
              continue;
            }
            instance = create(bound, at);
          }
          advance(bound, instance, step, at);
        } else {
          List<TrackedInstance> agreeing = index.find(subsetOf[event.name().ordinal()], bound);
          for (int position = agreeing.size() - 1; position >= 0; position--) {
            TrackedInstance instance = agreeing.get(position);
            advance(instance.facts.orElseThrow().values(), instance, step, at);
          }
        }
      }
    } catch (BudgetExceededException exceeded) {
      giveUp(exceeded.getMessage(), event);
    } catch (org.mrcheck.spec.SpecException failure) {
      giveUp("the contract cannot be evaluated: " + failure.getMessage(), event);
    }
  }

  private void giveUp(String reason, TraceEvent event) {
    gaveUp = reason + ", at " + event.name().text() + " seq " + event.stamp().seq();
  }

  private TrackedInstance create(ParameterValues values, EventReference at) {
    Instance facts = ledger.open(values, at.event());
    TrackedInstance instance = new TrackedInstance(facts, index.subsets(), table.initial());
    index.add(values, instance);
    created++;
    if (distinct.size() < BindingResult.MOST_INSTANCES_COUNTED) {
      distinct.add(values.fingerprint());
    }
    HostNeeds needs = needs(values.host());
    needs.missing().ifPresent(missing -> instance.undecided = missing);
    boolean doubtful = !losses.isEmpty() && !isKnownClosed(values);
    if (isKnownClosed(values)) {
      for (EventClass partial : needs.partial()) {
        instance.saw(partial);
      }
    }
    int lossesApplied = doubtful ? 0 : losses.size();
    if (binding.replays().isPresent()) {
      for (Ledger.Recorded past : ledger.history(values.host(), values.key().orElseThrow())) {
        BoundStep step = steps[past.event().name().ordinal()];
        if (step != null) {
          lossesApplied = applyLosses(instance, lossesApplied, past.event().stamp().seq());
          move(values, instance, step, new EventReference(past.event(), past.line()), true);
        }
      }
    }
    applyLosses(instance, lossesApplied, Long.MAX_VALUE);
    return instance;
  }

  private int applyLosses(TrackedInstance instance, int applied, long before) {
    int next = applied;
    while (next < losses.size() && losses.get(next).before() <= before) {
      doubt(instance, losses.get(next), false);
      next++;
    }
    return next;
  }

  private boolean isKnownClosed(ParameterValues values) {
    if (slicedByRegistration) {
      NumberIntervals gone = goneRegistrations.get(values.host());
      return gone != null && gone.contains(values.mr().orElseThrow());
    }
    return closedSinceLoss.contains(values);
  }

  private HostNeeds needs(String host) {
    HostNeeds known = needsByHost.get(host);
    return known != null ? known : newNeeds(host);
  }

  private HostNeeds newNeeds(String host) {
    return needsByHost.computeIfAbsent(
        host,
        name -> {
          List<EventClass> missing = new ArrayList<>();
          List<EventClass> partial = new ArrayList<>();
          for (EventClass needed : binding.needs()) {
            Optional<TraceHeader.Completeness> seen = header.completeness(needed, name);
            if (seen.isEmpty()) {
              missing.add(needed);
            } else if (seen.get() == TraceHeader.Completeness.PARTIAL) {
              partial.add(needed);
            }
          }
          return new HostNeeds(
              missing.stream()
                  .findFirst()
                  .map(
                      first ->
                          Verdict.Inconclusive.of(
                              "no events of class "
                                  + String.join(
                                      ", ", missing.stream().map(EventClass::text).toList())
                                  + " were recorded on "
                                  + name,
                              first)),
              partial,
              !missing.isEmpty() && siblings.stream().anyMatch(sibling -> observed(sibling, name)));
        });
  }

  private boolean observed(Binding other, String host) {
    return other.needs().stream().allMatch(needed -> header.completeness(needed, host).isPresent());
  }

  private void advance(
      ParameterValues values, TrackedInstance instance, BoundStep step, EventReference at) {
    if (instance.dead) {
      return;
    }
    if (instance.first == null) {
      instance.first = at;
    }
    move(values, instance, step, at, false);
    if (instance.dead) {
      return;
    }
    instance.last = at;
    if (instance.knowledge == table.initial() && instance.widened == 0) {
      drop(values, instance, at);
    }
  }

  /** One step of one instance; leaves it refused, inconclusive or with new knowledge. */
  private void move(
      ParameterValues values,
      TrackedInstance instance,
      BoundStep step,
      EventReference at,
      boolean replayed) {
    if (instance.dead) {
      return;
    }
    int code = step.code(ledger, instance.facts, at.event());
    int observation = step.observation(code);
    int before = instance.knowledge;
    int cell = table.step(before, observation);
    int next = BeliefTable.next(cell);
    if (observer != null) {
      observer.stepped(values, new Step(step, at, code, before, next, replayed, instance.facts));
    }
    if (next != before) {
      instance.saw(at.event().name().eventClass());
    }
    if (!instance.exercised && (next != before || step.refusable(before))) {
      instance.exercised = true;
    }
    boolean refusedBySome = BeliefTable.anyRefused(cell);
    if (!step.isKnown(code)) {
      noteUnknown(instance, step, at);
    }
    if (instance.widened != 0) {
      int widened = BeliefTable.next(table.step(instance.widened, observation));
      if (widened == BeliefTable.NOTHING) {
        refuse(values, instance, at);
        return;
      }
      if (next == BeliefTable.NOTHING) {
        instance.undecided = instance.doubt;
        instance.affectedByLoss = true;
        next = widened;
      } else if (refusedBySome) {
        becomeUndecided(instance, instance.unknown != null ? instance.unknown : instance.doubt);
      }
      instance.widened = widened == next ? 0 : widened;
    } else if (next == BeliefTable.NOTHING) {
      refuse(values, instance, at);
      return;
    } else if (refusedBySome) {
      becomeUndecided(instance, instance.unknown);
    }
    instance.knowledge = next;
    remark(instance, next, at);
  }

  private void noteUnknown(TrackedInstance instance, BoundStep step, EventReference at) {
    List<DerivedValue.Unknown> found = step.unknowns(ledger, instance.facts, at.event());
    if (!found.isEmpty()) {
      if (unknowns.size() > MOST_REASONS) {
        unknowns.clear();
      }
      instance.unknown =
          unknowns.computeIfAbsent(
              found.get(0),
              unknown -> Verdict.Inconclusive.of(unknown.reason(), unknown.missing()));
    }
  }

  private static void becomeUndecided(TrackedInstance instance, Verdict.Inconclusive reason) {
    if (instance.undecided == null) {
      instance.undecided =
          reason != null ? reason : Verdict.Inconclusive.of("an earlier value is not known");
    }
  }

  private void remark(TrackedInstance instance, int knowledge, EventReference at) {
    if (knowledge >= remarkable.length) {
      remarkable = Arrays.copyOf(remarkable, Math.max(knowledge + 1, remarkable.length * 2));
    }
    if (remarkable[knowledge] == 0) {
      Optional<Verdict.Surprising> found = table.remark(knowledge).map(Verdict.Surprising::new);
      remarks.put(knowledge, found);
      remarkable[knowledge] = (byte) (found.isPresent() ? 2 : 1);
    }
    if (remarkable[knowledge] == 2 && instance.surprising == null) {
      instance.surprising = remarks.get(knowledge).orElseThrow();
      instance.surprisingAt = at;
    }
  }

  private void refuse(ParameterValues values, TrackedInstance instance, EventReference at) {
    HostNeeds needs = needs(values.host());
    Optional<Verdict.Inconclusive> excuse =
        instance.excused ? Optional.of(instance.undecided) : needs.missing();
    if (excuse.isEmpty()) {
      excuse =
          needs.partial().stream()
              .filter(partial -> !instance.hasSeen(partial))
              .findFirst()
              .map(
                  partial ->
                      Verdict.Inconclusive.of(
                          "events of class "
                              + partial.text()
                              + " were recorded only in part on "
                              + values.host()
                              + " and none of this instance",
                          partial));
    }
    if (excuse.isPresent()) {
      becomeUndecided(instance, excuse.get());
      // What it was before the recording is anybody's guess; from here on it is followed afresh.
      instance.excused = true;
      instance.widened = 0;
      instance.knowledge = table.initial();
      return;
    }
    Verdict verdict = new Verdict.Violation(binding.contract());
    instance.exercised = true;
    instance.dead = true;
    count(Verdict.Kind.VIOLATION);
    if (violations.size() < detailLimit) {
      violations.add(report(values, instance, verdict, Optional.of(at)));
    }
    if (observer != null) {
      observer.finished(values, verdict, at);
    }
    if (counts.get(Verdict.Kind.VIOLATION) > MOST_REFUSED_KEPT) {
      index.remove(values, instance);
    }
  }

  private void drop(ParameterValues values, TrackedInstance instance, EventReference at) {
    index.remove(values, instance);
    dropped++;
    if (instance.excused) {
      conclude(values, instance, at, false);
      return;
    }
    if (slicedByRegistration) {
      goneRegistrations
          .computeIfAbsent(values.host(), host -> new NumberIntervals())
          .add(values.mr().orElseThrow());
    } else if ((!losses.isEmpty() || !needs(values.host()).partial().isEmpty())
        && closedSinceLoss.size() < MOST_CLOSED_KEPT) {
      closedSinceLoss.add(values);
    }
    conclude(values, instance, at, false);
  }

  /** Events were lost before the next event. */
  void noteLoss(Loss loss) {
    if (losses.size() == MOST_LOSSES_KEPT) {
      Loss last = losses.remove(losses.size() - 1);
      losses.add(new Loss(last.before(), 0, last.text()));
    } else {
      losses.add(loss);
    }
    closedSinceLoss.clear();
    if (gaveUp != null) {
      return;
    }
    try {
      for (TrackedInstance instance : index.instances()) {
        if (!instance.dead) {
          doubt(instance, loss, true);
        }
      }
    } catch (BudgetExceededException exceeded) {
      gaveUp = exceeded.getMessage();
    }
  }

  private void doubt(TrackedInstance instance, Loss loss, boolean livedAcross) {
    int from = instance.widened != 0 ? instance.widened : instance.knowledge;
    int widened = table.afterLoss(from, everything(), loss.count());
    instance.widened = widened == instance.knowledge ? 0 : widened;
    instance.doubt = Verdict.Inconclusive.of(loss.text(), EventClass.RECORDING);
    if (livedAcross) {
      becomeUndecided(instance, instance.doubt);
    }
  }

  private List<Integer> everything() {
    if (everything.isEmpty()) {
      for (BoundStep step : steps) {
        if (step != null) {
          everything.addAll(step.possible());
        }
      }
    }
    return everything;
  }

  /** The trace is over: the live instances get their verdicts. */
  void finish() {
    if (gaveUp != null) {
      for (TrackedInstance instance : index.instances()) {
        if (!instance.dead) {
          count(Verdict.Kind.GAVE_UP);
        }
      }
      return;
    }
    try {
      List<TrackedInstance> rest = new ArrayList<>(index.instances());
      // Of the instances without an event since the gap, the one that was busy last is the
      // likeliest
      // to have lost its next one.
      Comparator<TrackedInstance> order =
          Comparator.comparingLong(
              instance ->
                  isSilentSinceLoss(instance)
                      ? -instance.last.line()
                      : instance.first == null ? 0 : instance.first.line());
      rest.sort(order);
      for (TrackedInstance instance : rest) {
        if (!instance.dead) {
          conclude(instance.facts.orElseThrow().values(), instance, instance.last, true);
        }
      }
    } catch (BudgetExceededException exceeded) {
      gaveUp = exceeded.getMessage();
    }
  }

  private void conclude(
      ParameterValues values, TrackedInstance instance, EventReference at, boolean atEnd) {
    boolean open = atEnd && table.open(instance.knowledge);
    Verdict.Inconclusive undecided = instance.undecided;
    if (undecided == null && instance.widened != 0) {
      undecided = instance.doubt;
    }
    if (undecided == null && !instance.exercised) {
      idle++;
      return;
    }
    if (undecided == null && instance.surprising == null && open) {
      undecided = Verdict.Inconclusive.of("the recording ends before this is answered");
    }
    Verdict verdict;
    if (undecided != null) {
      verdict = undecided;
      if (reasons.size() < MOST_REASONS || reasons.containsKey(undecided)) {
        reasons.merge(undecided, 1L, Long::sum);
      }
      List<InstanceReport> rank = undecidedByRank.get(rank(instance, open));
      if (rank.size() < detailLimit) {
        rank.add(report(values, instance, verdict, Optional.empty()));
      }
    } else if (instance.surprising != null) {
      verdict = instance.surprising;
      remarkCounts.merge(instance.surprising.remark(), 1L, Long::sum);
      if (surprises.size() < detailLimit) {
        surprises.add(
            report(values, instance, verdict, Optional.ofNullable(instance.surprisingAt)));
      }
    } else {
      verdict = new Verdict.Conformant();
    }
    count(verdict.kind());
    if (observer != null) {
      observer.finished(values, verdict, at);
    }
  }

  /**
   * Which undecided instances to tell about first: those that the gap certainly concerns, those
   * that still owe something, those without any event since the gap, and the rest.
   */
  private int rank(TrackedInstance instance, boolean open) {
    if (instance.affectedByLoss) {
      return 0;
    }
    if (open) {
      return 1;
    }
    return isSilentSinceLoss(instance) ? 2 : 3;
  }

  private boolean isSilentSinceLoss(TrackedInstance instance) {
    return !losses.isEmpty()
        && instance.last != null
        && instance.last.event().stamp().seq() < losses.get(losses.size() - 1).before();
  }

  private void count(Verdict.Kind kind) {
    counts.merge(kind, 1L, Long::sum);
  }

  private InstanceReport report(
      ParameterValues values,
      TrackedInstance instance,
      Verdict verdict,
      Optional<EventReference> at) {
    InstanceReport report =
        new InstanceReport(
            binding.name(),
            binding.contract(),
            values,
            verdict,
            at.map(EventTexts::place),
            Optional.ofNullable(instance.first).map(EventTexts::place),
            Optional.ofNullable(instance.last).map(EventTexts::place),
            Optional.empty());
    at.ifPresent(event -> deciding.put(report, new Deciding(event, instance.facts)));
    return report;
  }

  /** The event that decided about an instance of {@link #result}, if one did. */
  Optional<Deciding> deciding(InstanceReport report) {
    return Optional.ofNullable(deciding.get(report));
  }

  /** What was found; call after {@link #finish}. */
  BindingResult result() {
    List<InstanceReport> details = new ArrayList<>(violations);
    details.addAll(surprises);
    undecidedByRank.stream().flatMap(List::stream).limit(detailLimit).forEach(details::add);
    BeliefTable.Size size = table.size();
    return new BindingResult(
        binding.name(),
        binding.contract(),
        binding.module(),
        binding.says(),
        distinct.size(),
        created,
        dropped,
        index.size(),
        new VerdictCounts(counts, idle),
        mostFrequentFirst(reasons),
        mostFrequentFirst(remarkCounts),
        details,
        Optional.ofNullable(gaveUp),
        new BindingResult.TableSize(
            size.states(), size.beliefs(), size.observations(), size.misses()));
  }

  private static <K> Map<K, Long> mostFrequentFirst(Map<K, Long> counts) {
    Map<K, Long> sorted = new LinkedHashMap<>();
    counts.entrySet().stream()
        .sorted(Map.Entry.<K, Long>comparingByValue().reversed())
        .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    return sorted;
  }
}
