package org.mrcheck.check.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mrcheck.lang.binding.Parameter;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.spec.Evaluator;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.SpecValue;
import org.mrcheck.spec.TlaTools;

/**
 * Holds {@code Derive.tla} and its Java twin together: on random recordings with small numbers,
 * every value that the TLA+ text derives for an event is the one that Java derives.
 */
class DeriveTwinTest {
  private static final String MODULE = "DeriveSmall";
  private static final List<Parameter> PACKET =
      List.of(Parameter.HOST, Parameter.QP, Parameter.PSN, Parameter.KEY);
  private static final List<Parameter> MESSAGE =
      List.of(Parameter.HOST, Parameter.QP, Parameter.MESSAGE);

  private static Evaluator evaluator;

  @BeforeAll
  static void open() {
    evaluator = Evaluator.open(TlaTools.bundled(), SpecLibrary.bundled(), List.of(MODULE));
  }

  @AfterAll
  static void close() {
    evaluator.close();
  }

  /** What Java derives; replaced to see that the comparison notices. */
  private interface Twin {
    DerivedValue derive(String name, Ledger ledger, Optional<Instance> instance, TraceEvent event);
  }

  private static final Twin TWIN =
      (name, ledger, instance, event) ->
          Derivation.named(name).orElseThrow().derive(ledger, instance, event);

  /** Outcome of a comparison. */
  private static final class Comparison {
    final List<String> differences = new ArrayList<>();
    final Map<String, Integer> values = new TreeMap<>();
    int unknown;
    int events;
  }

  private record Twins(Instance java, SpecValue tla) {}

  @Test
  void derive_onRandomRecordings_agreesWithTheTlaText() {
    Comparison comparison = compare(TWIN, 20261201, 40, 60, 5);
    assertThat(comparison.differences).isEmpty();
    assertThat(comparison.values.values().stream().mapToInt(Integer::intValue).sum())
        .isGreaterThan(10_000);
  }

  @Test
  @Tag("slow")
  void derive_onManyRandomRecordings_agreesWithTheTlaText() {
    Comparison comparison = compare(TWIN, 20261202, 250, 60, 5);
    assertThat(comparison.differences).isEmpty();
    assertThat(comparison.unknown).isLessThan(comparison.events / 10);
    // Every truth value of every name occurs, else the comparison says nothing about it.
    assertThat(comparison.values.keySet())
        .contains(
            "permitted TRUE",
            "permitted FALSE",
            "overruns TRUE",
            "ownKey FALSE",
            "current FALSE",
            "fresh FALSE",
            "late TRUE",
            "covers TRUE",
            "exact TRUE",
            "answers TRUE",
            "completes TRUE",
            "received FALSE",
            "inOrder FALSE",
            "inOrder TRUE",
            "atExpected TRUE",
            "atExpected FALSE",
            "insideRead TRUE",
            "atReplay TRUE",
            "invalidRequestPossible TRUE",
            "invalidRequestPossible FALSE",
            "accessErrorPossible TRUE",
            "accessErrorPossible FALSE",
            "repeated TRUE",
            "beyondFatal TRUE",
            "duplicate TRUE",
            "sameOriginal FALSE",
            "afterRefusal TRUE",
            "reach \"some\"",
            "inside TRUE",
            "answered \"acked\"",
            "afterError TRUE",
            "ends TRUE",
            "fits TRUE",
            "fits FALSE",
            "bound TRUE",
            "typeOne TRUE",
            "orphan TRUE",
            "authorised TRUE",
            "authorised FALSE",
            "pinned TRUE",
            "pinned FALSE",
            "last FALSE",
            "early TRUE",
            "permittedNew TRUE",
            "mapped FALSE",
            "wholeOld FALSE",
            "wholeNew TRUE",
            "pdGone TRUE",
            "again TRUE",
            "inUse TRUE",
            "checked TRUE",
            "checked FALSE",
            "meant \"same\"",
            "meant \"other\"",
            "sameRegistration FALSE",
            "localFault TRUE",
            "byDevice TRUE",
            "peerFault TRUE",
            "ownCause FALSE",
            "owes FALSE",
            "queue \"receive\"",
            "queue \"shared\"",
            "outstanding FALSE",
            "unsignaled TRUE",
            "settled FALSE",
            "first FALSE",
            "silentBefore FALSE",
            "owed TRUE",
            "done \"yes\"",
            "done \"no\"",
            "reports TRUE",
            "named TRUE",
            "named FALSE",
            "executed FALSE",
            "busy TRUE");
  }

  @Test
  void derive_withAnOffByOneRangeCheck_disagreesWithTheTlaText() {
    Twin offByOne =
        (name, ledger, instance, event) ->
            name.equals("permitted") && event instanceof TraceEvent.Check check
                ? TWIN.derive(name, ledger, instance, longer(check, -1))
                : TWIN.derive(name, ledger, instance, event);
    assertThat(compare(offByOne, 7, 20, 60, 1).differences).isNotEmpty();
  }

  @Test
  void derive_withPsnsThatDoNotWrap_disagreesWithTheTlaText() {
    Twin noWrap =
        (name, ledger, instance, event) -> {
          if (name.equals("fresh") && event instanceof TraceEvent.Rx rx) {
            int low = ledger.queuePair(rx.stamp(), rx.qp()).received.low().orElse(0);
            return DerivedValue.of(!rx.packet().opcode().isRequest() || rx.packet().psn() >= low);
          }
          return TWIN.derive(name, ledger, instance, event);
        };
    assertThat(compare(noWrap, 8, 20, 60, 1).differences).isNotEmpty();
  }

  private static TraceEvent.Check longer(TraceEvent.Check check, int bytes) {
    return new TraceEvent.Check(
        check.stamp(),
        check.qp(),
        check.psn(),
        check.access(),
        check.key(),
        check.va(),
        Math.max(0, check.length() + bytes),
        check.remaining(),
        check.verdict(),
        check.cause(),
        check.mr());
  }

  private static Comparison compare(
      Twin twin, long seed, int recordings, int length, int differencesWanted) {
    Comparison comparison = new Comparison();
    Random seeds = new Random(seed);
    for (int i = 0; i < recordings; i++) {
      compareOne(twin, seeds.nextLong(), length, comparison);
      if (comparison.differences.size() >= differencesWanted) {
        break;
      }
    }
    return comparison;
  }

  private static void compareOne(Twin twin, long seed, int length, Comparison comparison) {
    Ledger ledger = new Ledger(RandomRecording.header(), RandomRecording.WIDTHS);
    RandomRecording recording = new RandomRecording(new Random(seed), ledger);
    SpecValue tlaLedger = evaluator.evaluate(MODULE, "EmptyLedger");
    List<Twins> instances = new ArrayList<>();
    List<String> history = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      TraceEvent event = recording.next();
      SpecValue tlaEvent = SpecEvents.of(event);
      history.add(tlaEvent.toString());
      List<Twins> looked = new ArrayList<>(instances);
      looked.addAll(created(ledger, tlaLedger, event, tlaEvent));
      if (looked.isEmpty()) {
        ParameterValues host = ParameterValues.ofHost(event.stamp().actor().host());
        looked.add(
            new Twins(Instance.of(host), SpecValue.record("host", SpecValue.of(host.host()))));
      }
      for (Twins instance : looked) {
        compareValues(
            twin,
            ledger,
            instance,
            event,
            (SpecValue.Rec)
                evaluator.evaluate(MODULE, "Derive", tlaLedger, instance.tla(), tlaEvent),
            () -> "seed " + seed + "\n" + String.join("\n", history) + "\ninstance " + instance,
            comparison);
      }
      looked.stream()
          .filter(made -> !instances.contains(made) && made.java().values().qp().isPresent())
          .forEach(instances::add);
      while (instances.size() > 3) {
        instances.remove(0);
      }
      comparison.events++;
      ledger.record(event);
      tlaLedger = evaluator.evaluate(MODULE, "Record", tlaLedger, tlaEvent);
      if (event.name().eventClass() == EventClass.REGISTRATION) {
        compareHistories(ledger, tlaLedger, seed, history, comparison);
      }
    }
  }

  /** What a new instance of a key replays. */
  private static void compareHistories(
      Ledger ledger, SpecValue tlaLedger, long seed, List<String> events, Comparison comparison) {
    for (int key = 1; key <= 4; key++) {
      String expected =
          evaluator
              .evaluate(MODULE, "History", tlaLedger, SpecValue.of("a"), SpecValue.of(key))
              .toString();
      String got =
          SpecValue.seq(
                  ledger.history("a", new MemoryKey(key)).stream()
                      .map(recorded -> SpecEvents.of(recorded.event()))
                      .toArray(SpecValue[]::new))
              .toString();
      comparison.values.merge("history", 1, Integer::sum);
      if (!got.equals(expected)) {
        comparison.differences.add(
            "history of key "
                + key
                + ": TLA+ "
                + expected
                + "\nJava "
                + got
                + "\nseed "
                + seed
                + "\n"
                + String.join("\n", events));
      }
    }
  }

  /** The packet, message and key instances that an event creates, on both sides. */
  private static List<Twins> created(
      Ledger ledger, SpecValue tlaLedger, TraceEvent event, SpecValue tlaEvent) {
    List<Twins> made = new ArrayList<>();
    if (event instanceof TraceEvent.Rx) {
      for (List<Parameter> slice : List.of(PACKET, MESSAGE)) {
        for (ParameterValues values : ledger.binds(event, slice)) {
          made.add(
              new Twins(
                  ledger.open(values, event),
                  evaluator.evaluate(MODULE, "NewInstance", tlaLedger, tlaEvent, slice(values))));
        }
      }
    } else if (event.name().eventClass() == EventClass.REGISTRATION) {
      for (ParameterValues values : ledger.binds(event, List.of(Parameter.HOST, Parameter.KEY))) {
        made.add(new Twins(Instance.of(values), slice(values)));
      }
    }
    return made;
  }

  private static SpecValue slice(ParameterValues values) {
    Map<String, SpecValue> fields = new TreeMap<>();
    fields.put("host", SpecValue.of(values.host()));
    values.key().ifPresent(key -> fields.put("key", SpecValue.of((int) key.unsigned())));
    values.qp().ifPresent(qp -> fields.put("qp", SpecValue.of(qp.toString())));
    values.psn().ifPresent(psn -> fields.put("psn", SpecValue.of(psn)));
    values.message().ifPresent(psn -> fields.put("message", SpecValue.of(psn)));
    return SpecValue.record(fields);
  }

  private static void compareValues(
      Twin twin,
      Ledger ledger,
      Twins instance,
      TraceEvent event,
      SpecValue.Rec derived,
      java.util.function.Supplier<String> story,
      Comparison comparison) {
    derived
        .fields()
        .forEach(
            (name, expected) -> {
              if (name.equals("name") || !isAsked(name, event)) {
                return;
              }
              DerivedValue got = twin.derive(name, ledger, Optional.of(instance.java()), event);
              if (got instanceof DerivedValue.Unknown) {
                comparison.unknown++;
                return;
              }
              comparison.values.merge(name + " " + expected, 1, Integer::sum);
              if (!got.toString().equals(expected.toString())) {
                comparison.differences.add(
                    name + ": TLA+ " + expected + ", Java " + got + "\n" + story.get());
              }
            });
  }

  /** No binding asks for these; the two sides leave them as they come. */
  private static boolean isAsked(String name, TraceEvent event) {
    if (event instanceof TraceEvent.Ack) {
      return !List.of(
              "atExpected",
              "insideRead",
              "atReplay",
              "invalidRequestPossible",
              "accessErrorPossible",
              "repeated",
              "localFault")
          .contains(name);
    }
    return !(event instanceof TraceEvent.Nak && name.equals("received"));
  }
}
