package org.mrcheck.rnic;

import java.util.Optional;

/**
 * A known wrong behaviour that can be switched on in a device, so that a checker can show that it
 * sees it. The names are those of the model's mutants.
 */
public enum Defect {
  /**
   * Deregistration makes the key invalid and returns at once, without waiting for packets that have
   * passed their key check and wait for the DMA stage. Memory is then accessed after the owner was
   * told that nobody can access it any more (rows D5, D6).
   */
  DEREG_DOES_NOT_DRAIN("DeregDoesNotDrain"),

  /** One deregistration returns twice (L26). */
  DOUBLE_RETURN("DoubleReturn"),

  /** A live registration's number is given out again. */
  REUSE_OF_NUMBER("ReuseOfNumber"),

  /** The table entry stays valid when deregistration has returned. */
  KEY_OUTLIVES_DEREG("KeyOutlivesDereg"),

  /** A live entry disappears from the table. */
  FORGETS_KEY("ForgetsKey"),

  /** The byte after the end counts as inside. */
  RANGE_OFF_BY_ONE("RangeOffByOne"),

  /** The end of a range is computed modulo 2^64 (row C17). */
  RANGE_WRAPS("RangeWraps"),

  /** The protection domain is not compared. */
  SKIPS_PD("SkipsPd"),

  /** The right is not compared (row C16). */
  SKIPS_RIGHT("SkipsRight"),

  /** The access uses whatever holds the index by then. */
  DMA_ELSEWHERE("DmaElsewhere"),

  /** The access is one byte longer than what was checked. */
  DMA_TOO_LONG("DmaTooLong"),

  /** The key is still accepted for some time after deregistration has returned. */
  ACCEPTS_DEAD_KEY("AcceptsDeadKey"),

  /** A live key, rightly used, is refused now and then. */
  REFUSES_GOOD_KEY("RefusesGoodKey"),

  /** A refused key is reported as an invalid request. */
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

  /** The requester sends on after a fatal NAK has reached it. */
  RETRIES_AFTER_FATAL_NAK("RetriesAfterFatalNak"),

  /** A request that arrived in ERR is acknowledged. */
  ANSWERS_IN_ERROR("AnswersInError"),

  /** A request that arrived in ERR is checked and executed. */
  SERVES_IN_ERROR("ServesInError"),

  /** What has not arrived is acknowledged. */
  ACKS_PAST_GAP("AcksPastGap"),

  /** A READ response is left out. */
  SKIPS_RESPONSE("SkipsResponse"),

  /** A duplicate WRITE is written again. */
  EXECUTES_DUPLICATE("ExecutesDuplicate"),

  /** A duplicate atomic operation is executed again. */
  RECOMPUTES_ATOMIC("RecomputesAtomic"),

  /** A refused packet is written. */
  WRITES_REFUSED("WritesRefused"),

  /** A refused request completes with success. */
  COMPLETES_REFUSED("CompletesRefused"),

  /** A refused request completes with another error. */
  REPORTS_WRONG_STATUS("ReportsWrongStatus"),

  /** A request is flushed without an error. */
  FLUSHES_EARLY("FlushesEarly");

  private final String text;

  Defect(String text) {
    this.text = text;
  }

  /** The name, as mutants and the command line write it. */
  public String text() {
    return text;
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
