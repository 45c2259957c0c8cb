package org.mrcheck.check.verdict;

import java.util.Optional;
import org.mrcheck.lang.trace.EventClass;

/** What was found about one contract instance, one contract or one run. Immutable. */
public sealed interface Verdict {

  /** The kinds, from harmless to worst. */
  enum Kind {
    /** Every event was allowed. */
    CONFORMANT("conformant"),
    /** Allowed, and worth knowing. */
    SURPRISING("surprising"),
    /** The recording does not say enough. */
    INCONCLUSIVE("inconclusive"),
    /** The engine's budget did not suffice. */
    GAVE_UP("gave up"),
    /** The device is right, its user is not. */
    HAZARD("hazard"),
    /** The contract forbids what happened. */
    VIOLATION("violation");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** In words. */
    public String text() {
      return text;
    }
  }

  /** Which kind this is. */
  Kind kind();

  /** One line for people, beginning with the kind in capitals. */
  String title();

  /** Every event was allowed. */
  record Conformant() implements Verdict {
    @Override
    public Kind kind() {
      return Kind.CONFORMANT;
    }

    @Override
    public String title() {
      return "CONFORMANT";
    }
  }

  /**
   * Every event was allowed, and the contract remarks on it.
   *
   * @param remark the contract's words
   */
  record Surprising(String remark) implements Verdict {
    @Override
    public Kind kind() {
      return Kind.SURPRISING;
    }

    @Override
    public String title() {
      return "SURPRISING " + remark;
    }
  }

  /**
   * The contract forbids what happened.
   *
   * @param contract the contract's name
   */
  record Violation(String contract) implements Verdict {
    @Override
    public Kind kind() {
      return Kind.VIOLATION;
    }

    @Override
    public String title() {
      return "VIOLATION " + contract;
    }
  }

  /**
   * The device is right, its user is not.
   *
   * @param rule which rule of use was broken
   */
  record Hazard(Rule rule) implements Verdict {
    /** The rules of use (facts, public reports A1 to A3). */
    public enum Rule {
      /** Buffer ownership: freed or reused before every operation on it had ended. */
      A1,
      /** Key hygiene: the wrong key, kind, device, generation or range was used. */
      A2,
      /** Exposure: rights wider or longer than meant. */
      A3
    }

    @Override
    public Kind kind() {
      return Kind.HAZARD;
    }

    @Override
    public String title() {
      return "HAZARD " + rule;
    }
  }

  /**
   * The recording does not say enough.
   *
   * @param reason what is missing, a clause without a final stop
   * @param missing the class of events that would decide it, where there is one
   */
  record Inconclusive(String reason, Optional<EventClass> missing) implements Verdict {
    /** Undecided for want of a class of events. */
    public static Inconclusive of(String reason, EventClass missing) {
      return new Inconclusive(reason, Optional.of(missing));
    }

    /** Undecided for another reason. */
    public static Inconclusive of(String reason) {
      return new Inconclusive(reason, Optional.empty());
    }

    @Override
    public Kind kind() {
      return Kind.INCONCLUSIVE;
    }

    @Override
    public String title() {
      return "INCONCLUSIVE " + reason;
    }
  }

  /**
   * The engine's budget did not suffice, or the contract could not be evaluated.
   *
   * @param reason which limit, and where
   */
  record GaveUp(String reason) implements Verdict {
    @Override
    public Kind kind() {
      return Kind.GAVE_UP;
    }

    @Override
    public String title() {
      return "GAVE UP " + reason;
    }
  }
}
