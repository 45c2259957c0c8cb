package org.mrcheck.check.verdict;

/**
 * An event of a trace, for people and tools.
 *
 * @param line its line in the trace, from 1; 0 where unknown
 * @param seq its sequence number
 * @param frame frame of the capture it was imported from, or 0
 * @param actor who did or saw it
 * @param text the event as the trace language writes it, without sequence number, time and actor
 */
public record EventPlace(long line, long seq, long frame, String actor, String text) {
  /** {@code line 12 (seq 9, frame 4)}. */
  public String where() {
    return "line " + line + " (seq " + seq + (frame == 0 ? "" : ", frame " + frame) + ")";
  }
}
