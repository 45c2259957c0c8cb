package org.mrcheck.rnic;

import java.util.Optional;

/**
 * A known wrong behaviour that can be switched on in a device, so that a checker can show that it
 * sees it. The names are those of the model's mutants; rows are those of the facts.
 */
public enum Defect {
  /** Deregistration returns while accesses are under way. */
  DEREG_DOES_NOT_DRAIN("DeregDoesNotDrain"),

  /** Deregistration returns while a message still holds the region (D5). */
  DEREG_RETURNS_WITH_REFERENCES("DeregReturnsWithReferences"),

  /** One deregistration returns success twice (L26). */
  DOUBLE_RETURN("DoubleReturn"),

  /** A live registration's number is given out again. */
  REUSE_OF_NUMBER("ReuseOfNumber"),

  /** The table entry stays when deregistration returns. */
  KEY_OUTLIVES_DEREG("KeyOutlivesDereg"),

  /** A live entry disappears from the table. */
  FORGETS_KEY("ForgetsKey"),

  /** Pages are released while the key works (D3). */
  UNPIN_BEFORE_REVOKE("UnpinBeforeRevoke"),

  /** Pages are released while accesses are under way (NoFence). */
  UNPIN_BEFORE_DRAIN("UnpinBeforeDrain"),

  /** Pages are released twice. */
  DOUBLE_UNPIN("DoubleUnpin"),

  /** The tag starts again when a region goes (K8). */
  SEQUENCE_RESET_ON_UNMAP("SequenceResetOnUnmap"),

  /** Every key of an index is the same (K6). */
  CONSTANT_TAG("ConstantTag", Policies.TagPolicy.CONSTANT0),

  /** A region gets an index that belongs to windows (K18). */
  INDEX_OVERFLOW("IndexOverflow"),

  /** The byte after the end counts as inside. */
  RANGE_OFF_BY_ONE("RangeOffByOne"),

  /** Address plus length wraps around (C17). */
  RANGE_WRAPS("RangeWraps"),

  /** The protection domain is not compared. */
  SKIPS_PD("SkipsPd"),

  /** The right is not compared (C16). */
  SKIPS_RIGHT("SkipsRight"),

  /** A type 2 window works for every queue pair (W1). */
  SKIPS_QUEUE_PAIR("SkipsQueuePair"),

  /** The access uses whatever holds the index by then. */
  DMA_ELSEWHERE("DmaElsewhere"),

  /** The access is longer than what was checked. */
  DMA_TOO_LONG("DmaTooLong"),

  /** A key is accepted after its deregistration returned. */
  ACCEPTS_DEAD_KEY("AcceptsDeadKey"),

  /** A live key, rightly used, is refused. */
  REFUSES_GOOD_KEY("RefusesGoodKey"),

  /** Later packets take whatever has the key by then (L31). */
  RECHECKS_BY_KEY_VALUE("RechecksByKeyValue", Policies.RecheckBy.KEY_VALUE),

  /** Later packets use what the first one found (C7). */
  SKIPS_RECHECK("SkipsRecheck", Policies.RecheckDepth.NONE),

  /** Later checks look at key and state only (R3). */
  LITE_RECHECK("LiteRecheck", Policies.RecheckDepth.LITE),

  /** A fill brings a dead entry back (L46). */
  FILL_AFTER_INVALIDATE("FillAfterInvalidate", Policies.CacheFillGuard.NONE),

  /** The key cache never hears of a deregistration (L45). */
  SKIPS_KEY_CACHE("SkipsKeyCache"),

  /** The translation cache never hears of it. */
  SKIPS_TRANSLATION_CACHE("SkipsTranslationCache"),

  /** A refused key is reported as invalid request. */
  REPORTS_CAUSE("ReportsCause"),

  /** A refused key is reported with a reserved NAK code. */
  RESERVED_CODE("ReservedCode"),

  /** The key is checked before the PSN gate. */
  NAKS_OUT_OF_ORDER("NaksOutOfOrder"),

  /** A sequence NAK names another PSN than the missing one. */
  NAKS_WRONG_GAP("NaksWrongGap"),

  /** A duplicate WRITE is refused instead of acknowledged. */
  REFUSES_DUPLICATE("RefusesDuplicate"),

  /** The refused request is acknowledged after its NAK. */
  GOES_ON_AFTER_NAK("GoesOnAfterNak"),

  /** Another fatal NAK follows the first. */
  SECOND_FATAL_NAK("SecondFatalNak"),

  /** The queue pair serves again without a reset. */
  REVIVES_QUEUE_PAIR("RevivesQueuePair"),

  /** A request that arrived in ERR is acknowledged. */
  ANSWERS_IN_ERROR("AnswersInError"),

  /** A request that arrived in ERR is checked and executed. */
  SERVES_IN_ERROR("ServesInError"),

  /** What has not arrived is acknowledged. */
  ACKS_PAST_GAP("AcksPastGap"),

  /** A READ response is left out. */
  SKIPS_RESPONSE("SkipsResponse"),

  /** A duplicate WRITE is written again (L67). */
  EXECUTES_DUPLICATE("ExecutesDuplicate"),

  /** A duplicate atomic operation is executed again. */
  RECOMPUTES_ATOMIC("RecomputesAtomic"),

  /** A duplicate READ is served from the saved request (R4). */
  SAVED_REQUEST_REPLAY("SavedRequestReplay", Policies.DuplicateRead.SAVED_REQUEST_ONLY),

  /** A refused packet is written. */
  WRITES_REFUSED("WritesRefused"),

  /** A WRITE is acknowledged before its bytes are in memory. */
  ACKS_BEFORE_DMA("AcksBeforeDma"),

  /** A refused packet is acknowledged instead. */
  ACKS_REFUSED("AcksRefused"),

  /** The requester sends on after a fatal NAK has reached it. */
  RETRIES_AFTER_FATAL_NAK("RetriesAfterFatalNak"),

  /** A refused request completes with success. */
  COMPLETES_REFUSED("CompletesRefused"),

  /** A refused request completes with another error. */
  REPORTS_WRONG_STATUS("ReportsWrongStatus"),

  /** A request is flushed without an error. */
  FLUSHES_EARLY("FlushesEarly"),

  /** A request completes twice. */
  COMPLETES_TWICE("CompletesTwice"),

  /** A later request completes first. */
  COMPLETES_OUT_OF_ORDER("CompletesOutOfOrder"),

  /** A failed request does not complete. */
  LOSES_COMPLETION("LosesCompletion"),

  /** An unsignalled success completes. */
  COMPLETES_UNSIGNALED("CompletesUnsignaled"),

  /** After the first error a request completes with success. */
  SUCCESS_AFTER_ERROR("SuccessAfterError"),

  /** A request completes with success before its answer came. */
  COMPLETES_UNANSWERED("CompletesUnanswered"),

  /** A bad lkey moves the peer's queue pair to error. */
  PEER_ERROR_ON_LOCAL_FAULT("PeerErrorOnLocalFault"),

  /** The lkey is not checked. */
  SKIPS_LOCAL_CHECK("SkipsLocalCheck"),

  /** Another key than the named one is invalidated. */
  INVALIDATES_ANOTHER("InvalidatesAnother"),

  /** A SEND ends a key of another domain (D17). */
  SKIPS_DOMAIN_ON_INVALIDATE("SkipsDomainOnInvalidate", Policies.InvalidateScope.KEY_ONLY),

  /** The named key goes on working. */
  INVALIDATE_DOES_NOTHING("InvalidateDoesNothing"),

  /** The completion comes before the key is dead. */
  COMPLETES_BEFORE_INVALIDATE(
      "CompletesBeforeInvalidate", Policies.InvalidateWhen.AFTER_COMPLETION),

  /** A window is bound beyond its region (W2). */
  WINDOW_OUTSIDE_REGION("WindowOutsideRegion"),

  /** A window allows what its region does not (W2). */
  WINDOW_MORE_RIGHTS("WindowMoreRights"),

  /** A bound type 2 window is bound again (W1). */
  REBINDS_BOUND_WINDOW("RebindsBoundWindow"),

  /** A region goes while a window is on it (D1). */
  DEREG_WITH_WINDOW("DeregWithWindow"),

  /** Old attributes are used with new pages. */
  REREG_MIXES("ReregMixes"),

  /** The old attributes work after {@code ibv_rereg_mr} returned. */
  REREG_KEEPS_OLD("ReregKeepsOld"),

  /** Old pages are released before the key is told (D3). */
  REREG_UNPINS_FIRST("ReregUnpinsFirst", Policies.ReregOrder.UNPIN_FIRST),

  /** A protection domain goes before its regions. */
  DESTROYS_DOMAIN_IN_USE("DestroysDomainInUse");

  private final String text;
  private final Policies.Value policy;

  Defect(String text) {
    this(text, null);
  }

  Defect(String text, Policies.Value policy) {
    this.text = text;
    this.policy = policy;
  }

  /** The name, as mutants and the command line write it. */
  public String text() {
    return text;
  }

  /** The policy value that is all of the defect; empty if it is more than that. */
  public Optional<Policies.Value> policy() {
    return Optional.ofNullable(policy);
  }

  /** The defect of that name; empty if there is none. */
  public static Optional<Defect> named(String text) {
    for (Defect defect : values()) {
      if (defect.text.equals(text)) {
        return Optional.of(defect);
      }
    }
    return Optional.empty();
  }
}
