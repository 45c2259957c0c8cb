package org.mrcheck.check.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;

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

    Map<String, Long> found = BruteForce.violations(result);
    Map<String, Long> expected = new HashMap<>();
    for (ContractCatalogue.Entry entry : catalogue.entries()) {
      if (entry.binding().replays().isEmpty()) {
        expected.putAll(BruteForce.rejected(entry, HEADER, events));
      }
    }
    assertThat(found).isEqualTo(expected);
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
