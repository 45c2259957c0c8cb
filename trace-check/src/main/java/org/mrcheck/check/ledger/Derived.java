package org.mrcheck.check.ledger;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.TraceEvent;

/** The table of derived values: each row a name, what it means, and the method that computes it. */
enum Derived {
  SUCCEEDED("succeeded", "the call's status is ok", (l, i, e) -> RegistrationValues.succeeded(e)),
  ACCEPTED(
      "accepted", "the check's verdict is accept", (l, i, e) -> RegistrationValues.accepted(e)),
  CURRENT(
      "current",
      "the event concerns the newest holder of the key, or nobody holds it",
      RegistrationValues::current),
  BUSY("busy", "the call's status is busy", (l, i, e) -> RegistrationValues.busy(e)),
  ENDS("ends", "the event takes the key away", (l, i, e) -> DerivedValue.FALSE),
  CHECKED("checked", "an accepted check covers the access", (l, i, e) -> DerivedValue.TRUE),
  PERMITTED(
      "permitted",
      "key, protection domain, right and range all hold",
      RegistrationValues::permitted),
  OVERRUNS(
      "overruns",
      "the packet is inside the registration, its message runs past the end",
      RegistrationValues::overruns),
  EMPTY("empty", "the message has length 0 and needs no key", RegistrationValues::empty),
  READ("read", "the request is a READ", (l, i, e) -> RegistrationValues.read(e)),
  OWN_KEY(
      "ownKey",
      "the registration that the access names bears the access's key",
      (l, i, e) -> RegistrationValues.ownKey(l, e)),
  FRESH("fresh", "the request has not been answered before", (l, i, e) -> WireValues.fresh(l, e)),
  DAMAGED(
      "damaged",
      "the frame's ICRC was wrong, so it may have been dropped",
      (l, i, e) -> WireValues.damaged(e)),
  IS_REQUEST("isRequest", "the packet is a request", (l, i, e) -> WireValues.isRequest(e)),
  FATAL_NAK_ARRIVED(
      "fatalNakArrived",
      "a NAK that ends the connection reached the requester",
      (l, i, e) -> WireValues.fatalNakArrived(e)),
  ANSWER(
      "answer",
      "what kind of answer the syndrome is",
      words("ack", "rnr", "sequence", "invalid", "access", "operational", "other"),
      (l, i, e) -> WireValues.answer(e)),
  COVERS("covers", "the answer acknowledges the packet", WireValues::covers),
  EXACT("exact", "the NAK names the packet", WireValues::exact),
  ANSWERS("answers", "the response is one to the packet", WireValues::answers),
  COMPLETES("completes", "the response is the last to the packet", WireValues::completes),
  RECEIVED(
      "received",
      "everything that is acknowledged has arrived",
      (l, i, e) -> WireValues.received(l, e)),
  IN_ORDER(
      "inOrder",
      "the READ response is the next of its READ or a repetition",
      (l, i, e) -> WireValues.inOrder(l, e)),
  AT_EXPECTED(
      "atExpected",
      "the NAK names a PSN that was received and not answered, or for a sequence error one that"
          + " was missing",
      (l, i, e) -> WireValues.atExpected(l, e)),
  INSIDE_READ(
      "insideRead",
      "the NAK stands in the place of a READ response",
      (l, i, e) -> WireValues.insideRead(l, e)),
  AT_REPLAY(
      "atReplay",
      "the NAK refuses a READ that arrived again after its answer",
      (l, i, e) -> WireValues.atReplay(l, e)),
  INVALID_REQUEST_POSSIBLE(
      "invalidRequestPossible",
      "the request shows a cause for an invalid request error",
      (l, i, e) -> WireValues.invalidRequestPossible(l, e)),
  ACCESS_ERROR_POSSIBLE(
      "accessErrorPossible",
      "the request names a key, which could be refused",
      (l, i, e) -> WireValues.accessErrorPossible(l, e)),
  REPEATED("repeated", "the same NAK was sent before", (l, i, e) -> WireValues.repeated(l, e)),
  BEYOND_FATAL(
      "beyondFatal",
      "the answer is for the PSN of a fatal NAK or a later one",
      (l, i, e) -> WireValues.beyondFatal(l, e)),
  LATE(
      "late",
      "the request arrived after the queue pair sent a fatal NAK or went to ERR",
      (l, i, e) -> WireValues.late(l, e)),
  DUPLICATE(
      "duplicate",
      "the access executes a request that had been answered before",
      (l, i, e) -> WireValues.duplicate(l, e)),
  SAME_ORIGINAL(
      "sameOriginal",
      "a repeated atomic acknowledgement carries the value first returned",
      (l, i, e) -> WireValues.sameOriginal(l, e)),
  AFTER_REFUSAL(
      "afterRefusal",
      "a check at this PSN or an earlier one was refused",
      (l, i, e) -> WireValues.afterRefusal(l, e)),
  REACH(
      "reach",
      "how much of the message the answer acknowledges",
      words("none", "some", "all"),
      WireValues::reach),
  INSIDE("inside", "the NAK names a packet of the message", WireValues::inside),
  TO_ERR(
      "toErr",
      "the queue pair entered ERR",
      (l, i, e) -> WireValues.entered(e, QueuePairState.ERR)),
  TO_RESET(
      "toReset",
      "the queue pair entered RESET",
      (l, i, e) -> WireValues.entered(e, QueuePairState.RESET)),
  TO_READY(
      "toReady",
      "the queue pair entered RTR, RTS or SQD",
      (l, i, e) ->
          WireValues.entered(e, QueuePairState.RTR, QueuePairState.RTS, QueuePairState.SQD)),
  STATUS(
      "status",
      "the group of the completion's status",
      words(
          "success", "access", "invalid", "operational", "rnr", "retry", "flush", "local", "other"),
      (l, i, e) -> CompletionValues.status(e)),
  ANSWERED(
      "answered",
      "what the wire showed for the work request",
      words("acked", "access", "invalid", "operational", "rnr", "none", "local"),
      (l, i, e) -> CompletionValues.answered(l, e)),
  AFTER_ERROR(
      "afterError",
      "an earlier completion was an error, or the queue pair went to ERR",
      (l, i, e) -> CompletionValues.afterError(l, e));

  /** How a value is computed. */
  private interface Computation {
    DerivedValue derive(Ledger ledger, Optional<Instance> instance, TraceEvent event);
  }

  private static final List<DerivedValue> TRUTH_VALUES =
      List.of(DerivedValue.FALSE, DerivedValue.TRUE);

  /** One object per word, so that words can be compared cheaply. */
  private static final class Words {
    private static final Map<String, DerivedValue.Word> KNOWN = new HashMap<>();

    static {
      Stream.of(
              WireValues.ACK,
              WireValues.RNR,
              WireValues.SEQUENCE,
              WireValues.INVALID,
              WireValues.ACCESS,
              WireValues.OPERATIONAL,
              WireValues.OTHER,
              WireValues.NOTHING,
              WireValues.SOME,
              WireValues.ALL,
              CompletionValues.LOCAL)
          .forEach(word -> KNOWN.put(word.value(), word));
      Stream.of("success", "retry", "flush", "acked")
          .forEach(text -> KNOWN.put(text, new DerivedValue.Word(text)));
    }
  }

  private static final Map<String, Derived> BY_NAME = new HashMap<>();

  static {
    for (Derived derived : values()) {
      BY_NAME.put(derived.name, derived);
    }
  }

  private final String name;
  private final String meaning;
  private final Optional<List<DerivedValue>> domain;
  private final Computation computation;

  Derived(String name, String meaning, Computation computation) {
    this(name, meaning, null, computation);
  }

  Derived(String name, String meaning, List<DerivedValue> domain, Computation computation) {
    this.name = name;
    this.meaning = meaning;
    this.domain = Optional.ofNullable(domain);
    this.computation = computation;
  }

  private static List<DerivedValue> words(String... texts) {
    return Stream.of(texts).<DerivedValue>map(Derived::word).toList();
  }

  /** The shared object for a word. */
  static DerivedValue.Word word(String text) {
    DerivedValue.Word known = Words.KNOWN.get(text);
    if (known == null) {
      throw new IllegalArgumentException("no derived value takes the word " + text);
    }
    return known;
  }

  /** The function of that name. */
  static Optional<DerivedFunction> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name)).map(Function::new);
  }

  /** Every name, sorted. */
  static List<String> names() {
    return BY_NAME.keySet().stream().sorted().toList();
  }

  /** A row of the table as callers see it; the name of an enum constant is not the word. */
  private record Function(Derived row) implements DerivedFunction {
    @Override
    public String name() {
      return row.name;
    }

    @Override
    public String meaning() {
      return row.meaning;
    }

    @Override
    public List<DerivedValue> domain() {
      return row.domain.orElse(TRUTH_VALUES);
    }

    @Override
    public DerivedValue derive(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
      return row.computation.derive(ledger, instance, Ledger.judged(event));
    }

    @Override
    public Optional<String> describe(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
      return Description.of(row, ledger, instance, Ledger.judged(event));
    }
  }
}
