package org.mrcheck.check.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
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
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.spec.SpecValue;

/** The engine against brute force: every slice of a random trace, taken alone, without a table. */
class SlicingTest {
  private static final TraceHeader HEADER =
      new TraceHeader(
          1,
          List.of(
              new TraceHeader.Host("h", 0, 1, "c", "little"),
              new TraceHeader.Host("g", 0, 1, "c", "little")),
          Optional.empty(),
          Optional.empty(),
          java.util.Arrays.stream(EventClass.values())
              .map(
                  eventClass ->
                      new TraceHeader.Observation(
                          eventClass, "*", TraceHeader.Completeness.COMPLETE))
              .toList(),
          Map.of());

  private record Draft(int kind, int host, int mr, int key, int detail) {}

  @Provide
  Arbitrary<List<Draft>> drafts() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 6),
            Arbitraries.integers().between(0, 1),
            Arbitraries.integers().between(1, 3),
            Arbitraries.integers().between(1, 2),
            Arbitraries.integers().between(0, 7))
        .as(Draft::new)
        .list()
        .ofMaxSize(25);
  }

  @Property(tries = 60)
  void check_randomTrace_rejectsTheSlicesThatBruteForceRejectsAtTheSameEvents(
      @ForAll("drafts") List<Draft> drafts) throws Exception {
    List<TraceEvent> events = new ArrayList<>();
    for (Draft draft : drafts) {
      events.add(event(draft, events.size() + 1));
    }
    ContractCatalogue catalogue =
        Contracts.bundled().only(List.of("NoAccessAfterReturn", "SoundCheck"));
    CheckResult result =
        new TraceChecker(catalogue)
            .check(
                new ListTrace("random", HEADER, events),
                CheckOptions.DEFAULT.withDetails(1000).withExplanations(0),
                CheckProgress.silent());

    Map<String, Long> found = new LinkedHashMap<>();
    for (InstanceReport report : result.details()) {
      if (report.verdict().kind() == Verdict.Kind.VIOLATION) {
        found.put(report.binding() + " " + report.instance(), report.at().orElseThrow().line());
      }
    }
    Map<String, Long> expected = new HashMap<>();
    for (ContractCatalogue.Entry entry : catalogue.entries()) {
      if (entry.binding().replays().isEmpty()) {
        expected.putAll(bruteForce(entry, events));
      }
    }
    assertThat(found).isEqualTo(expected);
  }

  private static Map<String, Long> bruteForce(
      ContractCatalogue.Entry entry, List<TraceEvent> events) {
    Map<String, Long> rejected = new HashMap<>();
    for (ParameterValues slice : slices(entry.binding(), events)) {
      Optional<Instance> instance = Optional.of(Instance.of(slice));
      Ledger ledger = new Ledger(HEADER);
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

  private static Set<ParameterValues> slices(Binding binding, List<TraceEvent> events) {
    Set<ParameterValues> slices = new LinkedHashSet<>();
    Ledger ledger = new Ledger(HEADER);
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

  private static TraceEvent event(Draft draft, int seq) {
    Stamp stamp = new Stamp(seq, seq, new Actor(draft.host() == 0 ? "h" : "g", "owner"));
    QueuePairId qp = new QueuePairId(17, 1);
    MemoryKey key = MemoryKey.of(draft.key(), 0);
    long va = 0x1000 + (draft.detail() & 3) * 8L;
    TraceEvent.CallStatus status =
        draft.detail() == 0 ? TraceEvent.CallStatus.BUSY : TraceEvent.CallStatus.OK;
    return switch (draft.kind()) {
      case 0 -> new TraceEvent.RegCall(stamp, draft.mr(), key);
      case 1 ->
          new TraceEvent.Reg(
              stamp,
              draft.mr(),
              1,
              key,
              key,
              0x1000,
              16,
              AccessFlags.of(AccessFlags.Flag.LOCAL_WRITE, AccessFlags.Flag.REMOTE_WRITE),
              Optional.empty());
      case 2 -> new TraceEvent.DeregCall(stamp, draft.mr(), key);
      case 3 -> new TraceEvent.DeregReturn(stamp, draft.mr(), key, status);
      case 4 -> new TraceEvent.DmaWrite(stamp, qp, 7, draft.mr(), key, va, 8);
      case 5 -> new TraceEvent.InvReturn(stamp, key, status);
      default ->
          new TraceEvent.Check(
              stamp,
              qp,
              7,
              AccessKind.LOCAL_WRITE,
              key,
              va,
              8,
              8,
              draft.detail() < 4 ? TraceEvent.CheckVerdict.ACCEPT : TraceEvent.CheckVerdict.REFUSE,
              Optional.empty(),
              java.util.OptionalLong.empty());
    };
  }
}
