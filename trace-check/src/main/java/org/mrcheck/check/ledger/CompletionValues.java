package org.mrcheck.check.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.WcStatus;

/** The derived values about work requests and completions. Sources: rows E2, E5, E12. */
final class CompletionValues {
  private static final DerivedValue NOT_POSTED =
      new DerivedValue.Unknown("the work request's post was not recorded", EventClass.POSTING);
  private static final DerivedValue NOT_MATCHED =
      new DerivedValue.Unknown(
          "the packets of the work request could not be told from others", EventClass.WIRE);
  private static final DerivedValue NO_STATES =
      new DerivedValue.Unknown(
          "the states of the queue pair were not recorded", EventClass.QUEUE_PAIR);

  /** {@code answered} of a completion that concerns nobody else. */
  static final DerivedValue.Word LOCAL = new DerivedValue.Word("local");

  static final DerivedValue.Word NONE = WireValues.NOTHING;

  /** Words of {@code done}. */
  static final DerivedValue.Word YES = new DerivedValue.Word("yes");

  static final DerivedValue.Word NO = new DerivedValue.Word("no");
  static final DerivedValue.Word UNKNOWN = new DerivedValue.Word("unknown");

  private static final DerivedValue PARTIAL_POSTING =
      new DerivedValue.Unknown(
          "not every work request and completion was recorded", EventClass.POSTING);
  private static final DerivedValue WHICH_QUEUE =
      new DerivedValue.Unknown(
          "neither the completion nor a post says which queue it is of", EventClass.POSTING);
  private static final DerivedValue PARTIAL_WIRE =
      new DerivedValue.Unknown(
          "not every request was recorded that may have named the key", EventClass.WIRE);
  private static final DerivedValue INVALIDATED_BY_WHOM =
      new DerivedValue.Unknown(
          "it was not recorded which queue pair invalidated the key", EventClass.REGISTRATION);

  /** The work queues of a queue pair; {@code queue} takes their words. */
  enum Queue {
    SEND("send"),
    RECEIVE("receive"),
    /** A shared receive queue, whose completions are in no order (C10-106). */
    SHARED("shared");

    private final DerivedValue.Word word;

    Queue(String text) {
      this.word = new DerivedValue.Word(text);
    }

    DerivedValue.Word word() {
      return word;
    }
  }

  private CompletionValues() {}

  /** {@code status}: the group a completion's status belongs to. */
  static DerivedValue status(TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc)) {
      return word("other");
    }
    return word(
        switch (wc.status()) {
          case SUCCESS -> "success";
          case REM_ACCESS_ERR -> "access";
          case REM_INV_REQ_ERR -> "invalid";
          case REM_OP_ERR -> "operational";
          case RNR_RETRY_EXC_ERR -> "rnr";
          case RETRY_EXC_ERR -> "retry";
          case WR_FLUSH_ERR -> "flush";
          case LOC_LEN_ERR,
              LOC_QP_OP_ERR,
              LOC_EEC_OP_ERR,
              LOC_PROT_ERR,
              LOC_ACCESS_ERR,
              LOC_RDD_VIOL_ERR,
              MW_BIND_ERR ->
              "local";
          case BAD_RESP_ERR,
              REM_INV_RD_REQ_ERR,
              REM_ABORT_ERR,
              INV_EECN_ERR,
              INV_EEC_STATE_ERR,
              FATAL_ERR,
              RESP_TIMEOUT_ERR,
              GENERAL_ERR ->
              "other";
        });
  }

  private static DerivedValue.Word word(String text) {
    return Derived.word(text);
  }

  /** {@code answered}: what the wire showed for the work request that completes. */
  static DerivedValue answered(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc)) {
      return NONE;
    }
    if (wc.operation().filter(operation -> !Ledger.sendsRequest(operation)).isPresent()) {
      return LOCAL;
    }
    QueuePairFacts facts = ledger.queuePair(wc.stamp(), wc.qp());
    Optional<QueuePairFacts.WorkRequest> request = facts.workRequest(wc.wr());
    if (request.isEmpty()) {
      return facts.sends.find(wc.wr()).isPresent() || facts.receives.find(wc.wr()).isPresent()
          ? LOCAL
          : NOT_POSTED;
    }
    Message message = request.get().message;
    if (message != null) {
      return word(message.fate.text());
    }
    return wasNeverSent(ledger, facts, request.get()) ? NONE : NOT_MATCHED;
  }

  /** Whether every request that left was seen, so that this one did not leave. */
  private static boolean wasNeverSent(
      Ledger ledger, QueuePairFacts facts, QueuePairFacts.WorkRequest request) {
    if (facts.uncertain || request.passedOver) {
      return false;
    }
    if (facts.sent.isUsed()) {
      return ledger.isComplete(EventClass.WIRE, facts.address.host());
    }
    return ledger
        .peerOf(facts)
        .filter(
            peer ->
                peer.received.low().isPresent()
                    && ledger.isComplete(EventClass.WIRE, peer.address.host()))
        .isPresent();
  }

  /** {@code afterError}: a completion on the queue pair was an error before, or it went to ERR. */
  static DerivedValue afterError(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = ledger.queuePair(wc.stamp(), wc.qp());
    if (facts.errorCompletion.isPresent()
        || facts.inError.isPresent()
        || facts.fatalNak.isPresent()) {
      return DerivedValue.TRUE;
    }
    String host = facts.address.host();
    boolean statesKnown =
        !facts.uncertain
            && ledger.isComplete(EventClass.QUEUE_PAIR, host)
            && ledger.isComplete(EventClass.POSTING, host);
    return statesKnown ? DerivedValue.FALSE : NO_STATES;
  }

  // Work queues

  private static boolean postingIsComplete(Ledger ledger, QueuePairFacts facts) {
    return !facts.uncertain && ledger.isComplete(EventClass.POSTING, facts.address.host());
  }

  /** {@code owes}: the work request is one whose success is to be reported. */
  static DerivedValue owes(TraceEvent event) {
    return DerivedValue.of(
        event instanceof TraceEvent.Post post
            && post.operation() != TraceEvent.WorkOperation.RECV
            && post.signaled());
  }

  /** {@code queue}: the work queue that the completion is of. */
  static DerivedValue queue(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc)) {
      return Queue.SEND.word();
    }
    return ledger
        .queueOf(ledger.queuePair(wc.stamp(), wc.qp()), wc)
        .<DerivedValue>map(Queue::word)
        .orElse(WHICH_QUEUE);
  }

  /** The queue of a completion, the send queue where it is not known. */
  private static WorkQueue work(Ledger ledger, QueuePairFacts facts, TraceEvent.Wc wc) {
    return ledger.workQueue(facts, ledger.queueOf(facts, wc).orElse(Queue.SEND));
  }

  /** {@code outstanding}: the work request was posted and has not completed. */
  static DerivedValue outstanding(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = ledger.queuePair(wc.stamp(), wc.qp());
    WorkQueue work = work(ledger, facts, wc);
    if (work.find(wc.wr()).isPresent() || facts.discarded.find(wc.wr()).isPresent()) {
      return DerivedValue.TRUE;
    }
    return postingIsComplete(ledger, facts)
            && !work.hasForgotten()
            && !facts.discarded.hasForgotten()
        ? DerivedValue.FALSE
        : NOT_POSTED;
  }

  /** {@code unsignaled}: only an error of the work request is to be reported. */
  static DerivedValue unsignaled(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = ledger.queuePair(wc.stamp(), wc.qp());
    return DerivedValue.of(
        work(ledger, facts, wc).find(wc.wr()).filter(entry -> !entry.signaled()).isPresent());
  }

  /** {@code settled}: no other work request of the send queue owes a completion. */
  static DerivedValue settled(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = ledger.queuePair(wc.stamp(), wc.qp());
    boolean ofSends = work(ledger, facts, wc) == facts.sends;
    return DerivedValue.of(ofSends ? facts.sends.isSettledAfter(wc.wr()) : facts.sends.isSettled());
  }

  /** {@code first}: no work request of the queue was posted before and has not completed. */
  static DerivedValue first(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = ledger.queuePair(wc.stamp(), wc.qp());
    if (work(ledger, facts, wc).before(wc.wr()) == 0) {
      return DerivedValue.TRUE;
    }
    return postingIsComplete(ledger, facts) ? DerivedValue.FALSE : PARTIAL_POSTING;
  }

  /** {@code silentBefore}: those posted before it and not completed report no success. */
  static DerivedValue silentBefore(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = ledger.queuePair(wc.stamp(), wc.qp());
    if (work(ledger, facts, wc).isSilentBefore(wc.wr())) {
      return DerivedValue.TRUE;
    }
    return postingIsComplete(ledger, facts) ? DerivedValue.FALSE : PARTIAL_POSTING;
  }

  /** {@code owed}: a NAK ended a request of the queue pair, so an error must come first. */
  static DerivedValue owed(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = ledger.queuePair(wc.stamp(), wc.qp());
    return DerivedValue.of(
        !facts.errorFromOutside
            && facts.workRequests.stream()
                .anyMatch(
                    request ->
                        request.message != null
                            && switch (request.message.fate) {
                              case ACCESS, INVALID, OPERATIONAL -> true;
                              case NONE, ACKED, RNR -> false;
                            }));
  }

  /**
   * {@code done}: of a successful WRITE, READ or atomic, whether every byte was accessed at the
   * other end while that was allowed; unknown where that was not recorded.
   */
  static DerivedValue done(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc) || wc.status() != WcStatus.SUCCESS) {
      return UNKNOWN;
    }
    QueuePairFacts facts = ledger.queuePair(wc.stamp(), wc.qp());
    Optional<QueuePairFacts.WorkRequest> request = facts.workRequest(wc.wr());
    if (request.isEmpty()
        || request.get().message == null
        || request.get().remote.isEmpty()
        || request.get().message.kind == MessageKind.SEND
        || facts.peer.isEmpty()) {
      return UNKNOWN;
    }
    Message message = request.get().message;
    QueuePairFacts peer = ledger.queuePair(facts.peer.get());
    if (isAccessed(
        ledger.widths(), peer, message, request.get().remote.get().va(), request.get().length)) {
      return YES;
    }
    String host = peer.address.host();
    boolean recorded =
        !peer.uncertain
            && !facts.uncertain
            && !peer.touches.hasForgotten()
            && facts.sent.isUsed()
            && ledger.isComplete(EventClass.DMA, host)
            && ledger.isComplete(EventClass.REGISTRATION, host)
            && ledger.isComplete(EventClass.WIRE, facts.address.host())
            && peer.pd.isPresent();
    return recorded ? NO : UNKNOWN;
  }

  /** Whether the accesses for the message cover the range. */
  private static boolean isAccessed(
      NumberWidths widths, QueuePairFacts peer, Message message, long va, long length) {
    List<QueuePairFacts.Touch> made = touches(widths, peer, message);
    made.sort((one, other) -> Long.compareUnsigned(one.va() - va, other.va() - va));
    long reached = 0;
    // Those that begin before the range come last here, for their distance wraps around.
    for (QueuePairFacts.Touch touch : made) {
      if (Long.compareUnsigned(va - touch.va(), touch.length()) < 0) {
        long to = touch.length() - (va - touch.va());
        reached = Long.compareUnsigned(to, reached) > 0 ? to : reached;
      }
    }
    for (QueuePairFacts.Touch touch : made) {
      long from = touch.va() - va;
      if (Long.compareUnsigned(from, reached) <= 0) {
        long to = from + touch.length();
        reached = Long.compareUnsigned(to, reached) > 0 ? to : reached;
      }
    }
    return Long.compareUnsigned(reached, length) >= 0;
  }

  /** How many bytes were accessed for the message, those accessed twice counted twice. */
  static long accessedBytes(NumberWidths widths, QueuePairFacts peer, Message message) {
    return touches(widths, peer, message).stream().mapToLong(QueuePairFacts.Touch::length).sum();
  }

  private static List<QueuePairFacts.Touch> touches(
      NumberWidths widths, QueuePairFacts peer, Message message) {
    boolean writes = message.kind == MessageKind.WRITE;
    boolean reads = message.kind == MessageKind.READ;
    List<QueuePairFacts.Touch> made = new ArrayList<>();
    long count = Math.max(1, message.count);
    if (count > peer.touches.size()) {
      peer.touches.forEach(
          (psn, touches) -> {
            if (widths.psnIn(psn, message.first, count)) {
              made.addAll(touches);
            }
          });
    } else {
      for (long packet = 0; packet < count; packet++) {
        made.addAll(peer.touches.getOrDefault(widths.psnPlus(message.first, packet), List.of()));
      }
    }
    // Of an atomic operation either: a compare that finds another value only reads.
    made.removeIf(touch -> touch.writes() ? reads : writes);
    return made;
  }

  // Invalidations

  private static Optional<MemoryKey> namedLocally(
      Ledger ledger, QueuePairFacts facts, TraceEvent.Wc wc) {
    return work(ledger, facts, wc) == facts.sends
        ? facts.sends.find(wc.wr()).flatMap(WorkQueue.Entry::invalidates)
        : Optional.empty();
  }

  /** {@code reports}: the completion says that a key is invalid. */
  static DerivedValue reports(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc) || wc.status() != WcStatus.SUCCESS) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = ledger.queuePair(wc.stamp(), wc.qp());
    return DerivedValue.of(
        wc.invalidated().isPresent() || namedLocally(ledger, facts, wc).isPresent());
  }

  /** {@code named}: the key was named for invalidation, by the peer or by a work request (S8). */
  static DerivedValue named(Ledger ledger, TraceEvent event) {
    if (event instanceof TraceEvent.InvReturn done) {
      return named(ledger, done);
    }
    if (!(event instanceof TraceEvent.Wc wc)
        || wc.status() != WcStatus.SUCCESS
        || wc.invalidated().isEmpty()) {
      return DerivedValue.TRUE;
    }
    QueuePairFacts facts = ledger.queuePair(wc.stamp(), wc.qp());
    MemoryKey key = wc.invalidated().get();
    boolean known =
        facts.namedKeys.keySet().stream()
            .anyMatch(named -> named.byPeer() && named.key().equals(key) && !named.reported());
    if (known) {
      return DerivedValue.TRUE;
    }
    return !facts.uncertain && ledger.isComplete(EventClass.WIRE, facts.address.host())
        ? DerivedValue.FALSE
        : PARTIAL_WIRE;
  }

  private static DerivedValue named(Ledger ledger, TraceEvent.InvReturn done) {
    if (done.qp().isEmpty()) {
      return DerivedValue.TRUE;
    }
    QueuePairFacts facts = ledger.queuePair(done.stamp(), done.qp().get());
    boolean known =
        facts.namedKeys.keySet().stream()
            .anyMatch(named -> named.key().equals(done.key()) && !named.executed());
    if (known) {
      return DerivedValue.TRUE;
    }
    String host = facts.address.host();
    return !facts.uncertain
            && ledger.isComplete(EventClass.WIRE, host)
            && ledger.isComplete(EventClass.POSTING, host)
        ? DerivedValue.FALSE
        : PARTIAL_WIRE;
  }

  /** {@code executed}: the invalidation that the completion reports was carried out (D15). */
  static DerivedValue executed(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc)) {
      return DerivedValue.TRUE;
    }
    QueuePairFacts facts = ledger.queuePair(wc.stamp(), wc.qp());
    Optional<MemoryKey> local = namedLocally(ledger, facts, wc);
    MemoryKey key;
    boolean executed;
    if (wc.status() == WcStatus.SUCCESS && wc.invalidated().isPresent()) {
      key = wc.invalidated().get();
      executed =
          facts.namedKeys.keySet().stream()
              .anyMatch(
                  named ->
                      named.byPeer()
                          && named.key().equals(key)
                          && named.executed()
                          && !named.reported());
    } else if (local.isPresent()) {
      key = local.get();
      executed =
          facts.namedKeys.keySet().stream()
              .noneMatch(named -> !named.byPeer() && named.key().equals(key));
    } else {
      return DerivedValue.TRUE;
    }
    if (executed) {
      return DerivedValue.TRUE;
    }
    String host = facts.address.host();
    if (ledger.keyTable(host).invalidatedByNobodyKnown.containsKey(key)) {
      return INVALIDATED_BY_WHOM;
    }
    return !facts.uncertain
            && ledger.isComplete(EventClass.REGISTRATION, host)
            && ledger.isComplete(EventClass.WIRE, host)
        ? DerivedValue.FALSE
        : INVALIDATED_BY_WHOM;
  }
}
