package org.mrcheck.check.ledger;

import java.util.Optional;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.TraceEvent;

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
      return facts.localWorkRequests.containsKey(wc.wr()) ? LOCAL : NOT_POSTED;
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
}
