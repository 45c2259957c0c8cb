package org.mrcheck.check.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;

/**
 * {@code replays key} against brute force: an instance that is made late and takes only what the
 * ledger kept of its key comes to the same as one that was there from the first event on, if the
 * registration events themselves are in order.
 */
class HistoryReplayTest {
  private static final QueuePairId QP = new QueuePairId(17, 1);
  private static final int FIRST = 0xff_fffe;
  private static final TraceHeader HEADER =
      new TraceHeader(
          1,
          List.of(new TraceHeader.Host("h", 0, 1, "c", "little")),
          Optional.empty(),
          Optional.empty(),
          java.util.Arrays.stream(EventClass.values())
              .map(
                  eventClass ->
                      new TraceHeader.Observation(
                          eventClass, "*", TraceHeader.Completeness.COMPLETE))
              .toList(),
          Map.of());

  private record Draft(int kind, int mr, int key, int psn, int detail) {}

  @Provide
  Arbitrary<List<Draft>> drafts() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 20),
            Arbitraries.integers().between(0, 2),
            Arbitraries.integers().between(1, 2),
            Arbitraries.integers().between(0, 3),
            Arbitraries.integers().between(0, 7))
        .as(Draft::new)
        .list()
        .ofMinSize(6)
        .ofMaxSize(40);
  }

  @Property(tries = 150)
  void check_randomTrace_rejectsWhatAnInstanceFromTheFirstEventOnRejects(
      @ForAll("drafts") List<Draft> drafts) throws Exception {
    List<TraceEvent> events = events(drafts);
    ContractCatalogue.Entry entry = entry();
    assertThat(found(events)).isEqualTo(BruteForce.rejectedWithReplay(entry, HEADER, events));
  }

  /** The property says something: many of such traces are rejected, at every kind of answer. */
  @Test
  void check_randomTraces_areRejectedAtAcknowledgementsRefusalsAndResponses() throws Exception {
    Random random = new Random(20261201);
    Map<String, Integer> rejected = new TreeMap<>();
    for (int trace = 0; trace < 400; trace++) {
      List<Draft> drafts = new ArrayList<>();
      for (int index = 0; index < 26; index++) {
        drafts.add(
            new Draft(
                random.nextInt(21),
                1 + random.nextInt(2),
                1 + random.nextInt(2),
                random.nextInt(4),
                random.nextInt(8)));
      }
      List<TraceEvent> events = events(drafts);
      found(events)
          .values()
          .forEach(
              line -> rejected.merge(events.get((int) (line - 1)).name().text(), 1, Integer::sum));
    }
    assertThat(rejected).containsKeys("ack", "nak", "tx");
    assertThat(rejected.values()).allMatch(count -> count > 5);
  }

  private static ContractCatalogue.Entry entry() throws CatalogueException {
    return Contracts.bundled().entries().stream()
        .filter(entry -> entry.binding().name().equals("SoundCheckOnWire"))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, Long> found(List<TraceEvent> events) throws Exception {
    CheckResult result =
        new TraceChecker(Contracts.bundled().only(List.of("SoundCheck")))
            .check(
                new ListTrace("random", HEADER, events),
                CheckOptions.DEFAULT.withDetails(1000).withExplanations(0),
                CheckProgress.silent());
    Map<String, Long> found = BruteForce.violations(result);
    found.keySet().removeIf(instance -> !instance.startsWith("SoundCheckOnWire "));
    return found;
  }

  /**
   * Makes events of drafts. What an owner cannot do is left out: returns without calls, calls for
   * regions that are not there, an invalidate whose key changes hands before it returns. Keys may
   * be handed out again before the old deregistration has returned, or even without one.
   */
  private static final class Maker {
    private final List<TraceEvent> events = new ArrayList<>();
    private final Map<Long, MemoryKey> asked = new TreeMap<>();
    private final Map<Long, MemoryKey> live = new TreeMap<>();
    private final Map<Long, Integer> ending = new TreeMap<>();
    private final Map<Long, MemoryKey> changing = new TreeMap<>();
    private final Map<Long, MemoryKey> binding = new TreeMap<>();
    private final Set<MemoryKey> invalidating = new LinkedHashSet<>();
    private long objects;

    Maker() {
      events.add(new TraceEvent.QpCreate(on(), QP, 1, new AccessFlags(15)));
      events.add(
          new TraceEvent.QpConnect(
              on(),
              QP,
              Optional.empty(),
              OptionalInt.of(FIRST),
              OptionalInt.of(7),
              OptionalInt.of(1024)));
    }

    private Stamp on() {
      int seq = events.size() + 1;
      return new Stamp(seq, seq, new Actor("h", "x"));
    }

    private static <V> Optional<Map.Entry<Long, V>> one(Map<Long, V> from, int chooser) {
      return from.entrySet().stream().skip(chooser % Math.max(1, from.size())).findFirst();
    }

    void add(Draft draft) {
      MemoryKey key = MemoryKey.of(draft.key(), 0);
      int psn = (FIRST + draft.psn()) & 0xff_ffff;
      long va = 0x1000 + (draft.detail() & 1) * 16L;
      AccessFlags rights = new AccessFlags(draft.detail() == 7 ? 1 : 15);
      boolean ok = draft.detail() != 0;
      TraceEvent.CallStatus status = ok ? TraceEvent.CallStatus.OK : TraceEvent.CallStatus.BUSY;
      switch (draft.kind()) {
        case 0 -> {
          if (!invalidating.contains(key)) {
            asked.put(++objects, key);
            events.add(new TraceEvent.RegCall(on(), objects, key));
          }
        }
        case 1, 2, 3 -> {
          Optional<Map.Entry<Long, MemoryKey>> called = one(asked, draft.mr());
          MemoryKey named = called.map(Map.Entry::getValue).orElse(key);
          if (!invalidating.contains(named)) {
            long mr = called.map(Map.Entry::getKey).orElseGet(() -> ++objects);
            asked.remove(mr);
            live.put(mr, named);
            int pd = draft.detail() == 6 ? 2 : 1;
            events.add(
                new TraceEvent.Reg(on(), mr, pd, named, named, va, 16, rights, Optional.empty()));
          }
        }
        case 4 ->
            one(live, draft.mr())
                .filter(region -> !changing.containsKey(region.getKey()))
                .filter(region -> !invalidating.contains(region.getValue()))
                .ifPresent(
                    region -> {
                      ending.merge(region.getKey(), 1, Integer::sum);
                      events.add(
                          new TraceEvent.DeregCall(on(), region.getKey(), region.getValue()));
                    });
        case 5 ->
            one(ending, draft.mr())
                .ifPresent(
                    region -> {
                      long mr = region.getKey();
                      events.add(new TraceEvent.DeregReturn(on(), mr, live.get(mr), status));
                      if (ok) {
                        live.remove(mr);
                        ending.remove(mr);
                      } else if (region.getValue() == 1) {
                        ending.remove(mr);
                      } else {
                        ending.put(mr, region.getValue() - 1);
                      }
                    });
        case 6 ->
            one(live, draft.mr())
                .filter(region -> !ending.containsKey(region.getKey()))
                .filter(region -> !changing.containsKey(region.getKey()))
                .filter(region -> !invalidating.contains(region.getValue()))
                .ifPresent(
                    region -> {
                      changing.put(region.getKey(), region.getValue());
                      events.add(
                          new TraceEvent.ReregCall(
                              on(), region.getKey(), region.getValue(), 1, va, 16, rights));
                    });
        case 7 ->
            one(changing, draft.mr())
                .ifPresent(
                    region -> {
                      changing.remove(region.getKey());
                      events.add(
                          new TraceEvent.ReregReturn(
                              on(), region.getKey(), region.getValue(), status));
                    });
        case 8 ->
            one(live, draft.mr())
                .filter(region -> !invalidating.contains(key))
                .ifPresent(
                    region -> {
                      long mw = 100 + ++objects;
                      binding.put(mw, key);
                      events.add(
                          new TraceEvent.BindCall(
                              on(),
                              mw,
                              1,
                              region.getKey(),
                              Optional.empty(),
                              key,
                              va,
                              8,
                              rights,
                              Optional.empty()));
                    });
        case 9 ->
            one(binding, draft.mr())
                .ifPresent(
                    window -> {
                      binding.remove(window.getKey());
                      events.add(
                          new TraceEvent.BindReturn(
                              on(), window.getKey(), window.getValue(), status));
                    });
        case 10 -> {
          if (live.containsValue(key)
              && !ending.keySet().stream().anyMatch(mr -> live.get(mr).equals(key))
              && !changing.containsValue(key)
              && !binding.containsValue(key)
              && !asked.containsValue(key)
              && invalidating.add(key)) {
            events.add(new TraceEvent.InvCall(on(), key));
          }
        }
        case 11 -> {
          if (invalidating.remove(key)) {
            events.add(new TraceEvent.InvReturn(on(), key, status));
            if (ok) {
              live.entrySet().stream()
                  .filter(region -> region.getValue().equals(key))
                  .map(Map.Entry::getKey)
                  .reduce((older, newer) -> newer)
                  .ifPresent(live::remove);
            }
          }
        }
        default -> events.add(packet(draft, key, psn));
      }
    }

    private TraceEvent packet(Draft draft, MemoryKey key, int psn) {
      return switch (draft.kind()) {
        case 12, 13, 14 -> request(on(), Opcode.RC_WRITE_ONLY, psn, key, draft.detail());
        case 15 -> request(on(), Opcode.RC_READ_REQUEST, psn, key, draft.detail());
        case 16, 17 -> new TraceEvent.Ack(on(), QP, psn, 0, new Syndrome(0x1f));
        case 18 -> new TraceEvent.Nak(on(), QP, psn, 0, Syndrome.REMOTE_ACCESS_ERROR);
        case 19 ->
            new TraceEvent.Tx(on(), QP, Packet.plain(Opcode.RC_READ_RESPONSE_ONLY, psn, false, 8));
        default ->
            draft.detail() < 2
                ? new TraceEvent.QpState(on(), QP, QueuePairState.RESET)
                : new TraceEvent.Ack(on(), QP, psn, 0, new Syndrome(0x1f));
      };
    }
  }

  private static List<TraceEvent> events(List<Draft> drafts) {
    Maker maker = new Maker();
    drafts.forEach(maker::add);
    return maker.events;
  }

  private static TraceEvent request(
      Stamp stamp, Opcode opcode, int psn, MemoryKey key, int detail) {
    int length = detail == 5 ? 0 : detail == 6 ? 24 : 8;
    Packet packet =
        Packet.plain(opcode, psn, true, opcode.isReadRequest() ? 0 : length)
            .withAccess(new RemoteAccess(key, 0x1000 + (detail & 1) * 16L, length));
    return new TraceEvent.Rx(stamp, QP, packet);
  }
}
