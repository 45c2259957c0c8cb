package org.mrcheck.check.verdict;

import java.util.List;

/**
 * One remote access error and why the device answered with it.
 *
 * @param at the NAK
 * @param queuePair the responder
 * @param cause what is wrong with the access, in numbers
 * @param kind the sort of the first cause, a few words for counting
 * @param justice whether the refusal was right
 * @param message what became of the refused message, one fact a line, the first names it; empty if
 *     its beginning is not in the recording
 * @param cutShort whether part of the message had been carried out
 */
public record RefusalReport(
    EventPlace at,
    String queuePair,
    String cause,
    String kind,
    Justice justice,
    List<String> message,
    boolean cutShort) {

  /** Takes a copy. */
  public RefusalReport {
    message = List.copyOf(message);
  }

  /** Whether a refusal was right. */
  public enum Justice {
    /** A fact in the recording forbids the access. */
    JUSTIFIED("justified"),
    /** The key is being taken away: a refusal is right, and an acceptance would be, too. */
    ALLOWED("allowed, as an acceptance would be"),
    /** Everything is known, and nothing is wrong with the access. */
    UNJUSTIFIED("not justified"),
    /** What was recorded does not tell. */
    UNKNOWN("not known to be justified");

    private final String text;

    Justice(String text) {
      this.text = text;
    }

    /** For people. */
    public String text() {
      return text;
    }
  }
}
