package org.mrcheck.check.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.mrcheck.check.ledger.Derivation;
import org.mrcheck.check.ledger.DerivedFunction;
import org.mrcheck.check.ledger.DerivedValue;
import org.mrcheck.check.ledger.Instance;
import org.mrcheck.check.ledger.Ledger;
import org.mrcheck.check.ledger.ParameterValues;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.InstanceReport;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.lang.binding.Binding;
import org.mrcheck.lang.binding.BoundEvent;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.spec.SpecValue;

/**
 * What the engine's answer is defined to be, computed the slow way: every slice of a trace from the
 * first event on, alone, state by state, without a table. Event {@code i} stands on line {@code i +
 * 1}.
 */
final class BruteForce {
  private BruteForce() {}

  /** The violations of a result: binding and instance with the line of the refused event. */
  static Map<String, Long> violations(CheckResult result) {
    Map<String, Long> found = new LinkedHashMap<>();
    for (InstanceReport report : result.details()) {
      if (report.verdict().kind() == Verdict.Kind.VIOLATION) {
        found.put(report.binding() + " " + report.instance(), report.at().orElseThrow().line());
      }
    }
    return found;
  }

  /**
   * Where a binding that replays nothing rejects each of its slices: the first line that leaves no
   * state.
   */
  static Map<String, Long> rejected(
      ContractCatalogue.Entry entry, TraceHeader header, List<TraceEvent> events) {
    Map<String, Long> rejected = new HashMap<>();
    for (ParameterValues slice : slices(entry.binding(), header, events)) {
      Optional<Instance> instance = Optional.of(Instance.of(slice));
      Ledger ledger = new Ledger(header);
      // One belief for each way in which the unknown values may have been.
      Set<Set<SpecValue>> beliefs = Set.of(closure(entry, entry.automaton().start()));
      for (int index = 0; index < events.size() && !beliefs.isEmpty(); index++) {
        TraceEvent event = events.get(index);
        Optional<BoundEvent> bound = entry.binding().event(event.name());
        if (bound.isPresent()
            && ledger.binds(event, bound.get().by()).stream()
                .anyMatch(values -> slice.agrees(values, bound.get().by()))) {
          Set<Set<SpecValue>> after = new LinkedHashSet<>();
          for (StepRecord record : records(ledger, instance, event, bound.get())) {
            for (Set<SpecValue> belief : beliefs) {
              Set<SpecValue> next = new LinkedHashSet<>();
              for (SpecValue state : belief) {
                next.addAll(entry.automaton().step(state, record));
              }
              if (!next.isEmpty()) {
                after.add(closure(entry, next));
              }
            }
          }
          beliefs = after;
          if (beliefs.isEmpty()) {
            rejected.put(entry.binding().name() + " " + slice, index + 1L);
          }
        }
        ledger.record(event);
      }
    }
    return rejected;
  }

  /**
   * Where a binding with {@code replays key} rejects its slices. An instance exists from the event
   * that creates it until it is as good as new; it has taken every event of its key from the
   * beginning of the trace, each with the facts of that time.
   */
  static Map<String, Long> rejectedWithReplay(
      ContractCatalogue.Entry entry, TraceHeader header, List<TraceEvent> events) {
    Map<String, Long> rejected = new HashMap<>();
    for (ParameterValues slice : slices(entry.binding(), header, events)) {
      int from = 0;
      while (from < events.size()) {
        int begins = nextCreation(entry.binding(), header, events, slice, from);
        if (begins == events.size()) {
          break;
        }
        from = live(entry, header, events, slice, begins, rejected);
      }
    }
    return rejected;
  }

  private static int nextCreation(
      Binding binding,
      TraceHeader header,
      List<TraceEvent> events,
      ParameterValues slice,
      int from) {
    Ledger ledger = new Ledger(header);
    for (int index = 0; index < events.size(); index++) {
      TraceEvent event = events.get(index);
      if (index >= from
          && binding
              .event(event.name())
              .filter(bound -> bound.by().containsAll(binding.slice()))
              .map(bound -> ledger.binds(event, bound.by()).contains(slice))
              .orElse(false)) {
        return index;
      }
      ledger.record(event);
    }
    return events.size();
  }

  /** Follows an instance; returns the index after its last event. */
  private static int live(
      ContractCatalogue.Entry entry,
      TraceHeader header,
      List<TraceEvent> events,
      ParameterValues slice,
      int begins,
      Map<String, Long> rejected) {
    Ledger before = new Ledger(header);
    events.subList(0, begins).forEach(before::record);
    Optional<Instance> instance = Optional.of(before.open(slice, events.get(begins)));
    Ledger ledger = new Ledger(header);
    Set<SpecValue> initial = closure(entry, entry.automaton().start());
    Set<SpecValue> belief = initial;
    for (int index = 0; index < events.size(); index++) {
      TraceEvent event = events.get(index);
      Optional<BoundEvent> bound = entry.binding().event(event.name());
      if (bound.isPresent()
          && (index >= begins || bound.get().by().contains(entry.binding().replays().orElseThrow()))
          && (index >= begins || !bound.get().by().containsAll(entry.binding().slice()))
          && ledger.binds(event, bound.get().by()).stream()
              .anyMatch(values -> slice.agrees(values, bound.get().by()))) {
        Set<SpecValue> next = new LinkedHashSet<>();
        for (StepRecord record : records(ledger, instance, event, bound.get())) {
          for (SpecValue state : belief) {
            next.addAll(entry.automaton().step(state, record));
          }
        }
        belief = closure(entry, next);
        if (belief.isEmpty()) {
          rejected.put(entry.binding().name() + " " + slice, index + 1L);
          return events.size();
        }
        if (index >= begins && belief.equals(initial)) {
          return index + 1;
        }
      }
      ledger.record(event);
    }
    return events.size();
  }

  private static Set<ParameterValues> slices(
      Binding binding, TraceHeader header, List<TraceEvent> events) {
    Set<ParameterValues> slices = new LinkedHashSet<>();
    Ledger ledger = new Ledger(header);
    for (TraceEvent event : events) {
      binding
          .event(event.name())
          .filter(bound -> bound.by().containsAll(binding.slice()))
          .ifPresent(bound -> slices.addAll(ledger.binds(event, bound.by())));
      ledger.record(event);
    }
    return slices;
  }

  private static List<StepRecord> records(
      Ledger ledger, Optional<Instance> instance, TraceEvent event, BoundEvent bound) {
    List<TreeMap<String, Object>> found = List.of(new TreeMap<>());
    for (String name : bound.with()) {
      DerivedFunction function = Derivation.named(name).orElseThrow();
      DerivedValue value = function.derive(ledger, instance, event);
      List<DerivedValue> possible =
          value instanceof DerivedValue.Unknown ? function.domain() : List.of(value);
      List<TreeMap<String, Object>> longer = new ArrayList<>();
      for (TreeMap<String, Object> values : found) {
        for (DerivedValue one : possible) {
          TreeMap<String, Object> more = new TreeMap<>(values);
          more.put(
              name,
              one instanceof DerivedValue.Known known
                  ? (Object) known.value()
                  : ((DerivedValue.Word) one).value());
          longer.add(more);
        }
      }
      found = longer;
    }
    return found.stream().map(values -> new StepRecord(event.name().text(), values)).toList();
  }

  private static Set<SpecValue> closure(ContractCatalogue.Entry entry, Set<SpecValue> states) {
    Set<SpecValue> closed = new LinkedHashSet<>(states);
    List<SpecValue> rest = new ArrayList<>(states);
    while (!rest.isEmpty()) {
      for (SpecValue next : entry.automaton().hidden(rest.remove(rest.size() - 1))) {
        if (closed.add(next)) {
          rest.add(next);
        }
      }
    }
    return closed;
  }
}
