package org.mrcheck.check.ledger;

import org.mrcheck.lang.trace.EventClass;

/** The outcome of deriving one value: it is known, or the recording cannot say. */
public sealed interface DerivedValue {
  /** True. */
  Known TRUE = new Known(true);

  /** False. */
  Known FALSE = new Known(false);

  /** A truth value. */
  record Known(boolean value) implements DerivedValue {
    @Override
    public String toString() {
      return value ? "TRUE" : "FALSE";
    }
  }

  /** A word, such as the kind of an answer. */
  record Word(String value) implements DerivedValue {
    @Override
    public String toString() {
      return '"' + value + '"';
    }
  }

  /**
   * Not decidable from this recording; the engine tries every value.
   *
   * @param reason what was not recorded, for people, a clause without a final stop
   * @param missing the class of events that would decide it
   */
  record Unknown(String reason, EventClass missing) implements DerivedValue {
    @Override
    public String toString() {
      return "unknown (" + reason + ")";
    }
  }

  /** The truth value. */
  static Known of(boolean value) {
    return value ? TRUE : FALSE;
  }
}
