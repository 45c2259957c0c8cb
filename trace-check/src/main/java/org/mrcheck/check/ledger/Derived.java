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
      (l, i, e) -> WireValues.fatalNakArrived(l, e)),
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
  BUSY("busy", "the call was refused for the time being", (l, i, e) -> RegistrationValues.busy(e)),
  ENDS(
      "ends",
      "the instance's key is taken away by a bind or a re-registration",
      RegistrationValues::ends),
  FITS(
      "fits",
      "the window's region, domain, rights and owner allow the bind",
      (l, i, e) -> RegistrationValues.bindFits(l, e)),
  BOUND("bound", "a window under the key is bound to the region", RegistrationValues::bound),
  TYPE_ONE(
      "typeOne",
      "the key is that of a type 1 window",
      (l, i, e) -> RegistrationValues.typeOne(l, e)),
  ORPHAN(
      "orphan",
      "the key is that of a window whose region is gone",
      (l, i, e) -> RegistrationValues.orphan(l, e)),
  AUTHORISED(
      "authorised",
      "the queue pair may invalidate the key",
      (l, i, e) -> RegistrationValues.authorised(l, e)),
  PINNED("pinned", "the memory is pinned", (l, i, e) -> RegistrationValues.pinned(l, e)),
  LAST(
      "last",
      "nothing of the registration stays pinned",
      (l, i, e) -> RegistrationValues.last(l, e)),
  EARLY(
      "early",
      "memory is released whose registration lives and is not being ended",
      (l, i, e) -> RegistrationValues.early(l, e)),
  PERMITTED_NEW(
      "permittedNew",
      "the attributes that a re-registration asks for permit the access",
      (l, i, e) -> RegistrationValues.permittedNew(l, e)),
  MAPPED(
      "mapped",
      "the access goes where the pages of its region are",
      (l, i, e) -> RegistrationValues.mapped(l, e)),
  WHOLE_OLD(
      "wholeOld",
      "range, right and pages are those before the re-registration",
      (l, i, e) -> RegistrationValues.wholeOld(l, e)),
  WHOLE_NEW(
      "wholeNew",
      "range, right and pages are those that the re-registration asks for",
      (l, i, e) -> RegistrationValues.wholeNew(l, e)),
  PD_GONE(
      "pdGone",
      "the protection domain was deallocated before",
      (l, i, e) -> RegistrationValues.pdGone(l, e)),
  AGAIN("again", "the object was torn down before", (l, i, e) -> RegistrationValues.again(l, e)),
  IN_USE(
      "inUse",
      "a region, window or queue pair of the protection domain is left",
      (l, i, e) -> RegistrationValues.inUse(l, e)),
  CHECKED("checked", "an accepted check covers the access", (l, i, e) -> WireValues.checked(l, e)),
  MEANT(
      "meant",
      "whether the access acts on the registration that had the key when its request was posted",
      words("same", "other", "unknown"),
      (l, i, e) -> WireValues.meant(l, e)),
  SAME_REGISTRATION(
      "sameRegistration",
      "the access acts on the registration of its message's first access",
      (l, i, e) -> WireValues.sameRegistration(l, e)),
  LOCAL_FAULT(
      "localFault",
      "the check of a local key at this PSN was refused",
      (l, i, e) -> WireValues.localFault(l, e)),
  BY_DEVICE(
      "byDevice",
      "the device moved the queue pair of its own accord",
      (l, i, e) -> WireValues.byDevice(e)),
  PEER_FAULT(
      "peerFault",
      "a check of a local key was refused at the other end",
      (l, i, e) -> WireValues.peerFault(l, e)),
  OWN_CAUSE(
      "ownCause",
      "the queue pair has a cause of its own to go to ERR",
      (l, i, e) -> WireValues.ownCause(l, e)),
  OWES(
      "owes",
      "the work request's success is to be reported",
      (l, i, e) -> CompletionValues.owes(e)),
  QUEUE(
      "queue",
      "the work queue that the completion is of",
      words("send", "receive", "shared"),
      (l, i, e) -> CompletionValues.queue(l, e)),
  OUTSTANDING(
      "outstanding",
      "the work request was posted and has not completed",
      (l, i, e) -> CompletionValues.outstanding(l, e)),
  UNSIGNALED(
      "unsignaled",
      "only an error of the work request is to be reported",
      (l, i, e) -> CompletionValues.unsignaled(l, e)),
  SETTLED(
      "settled",
      "no other work request of the send queue owes a completion",
      (l, i, e) -> CompletionValues.settled(l, e)),
  FIRST(
      "first",
      "no older work request of the queue is outstanding",
      (l, i, e) -> CompletionValues.first(l, e)),
  SILENT_BEFORE(
      "silentBefore",
      "no older work request of the queue is outstanding that reports its success",
      (l, i, e) -> CompletionValues.silentBefore(l, e)),
  OWED(
      "owed",
      "a NAK ended a request of the queue pair, so an error comes first",
      (l, i, e) -> CompletionValues.owed(l, e)),
  DONE(
      "done",
      "whether every byte of the request was accessed while that was allowed",
      words("yes", "no", "unknown"),
      (l, i, e) -> CompletionValues.done(l, e)),
  REPORTS(
      "reports",
      "the completion says that a key is invalid",
      (l, i, e) -> CompletionValues.reports(l, e)),
  NAMED("named", "the key was named for invalidation", (l, i, e) -> CompletionValues.named(l, e)),
  EXECUTED(
      "executed",
      "the invalidation that the completion reports was carried out",
      (l, i, e) -> CompletionValues.executed(l, e)),
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
              CompletionValues.LOCAL,
              CompletionValues.YES,
              CompletionValues.NO,
              CompletionValues.UNKNOWN,
              WireValues.SAME,
              CompletionValues.Queue.SEND.word(),
              CompletionValues.Queue.RECEIVE.word(),
              CompletionValues.Queue.SHARED.word())
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
