package org.mrcheck.lang.trace;

/**
 * What every event carries.
 *
 * @param seq position in the recording's own numbering, from 1 without holes; a hole is lost events
 * @param timeNanos nanoseconds on the actor's clock; says nothing across clock domains
 * @param actor who did or saw the event
 * @param frame frame number in the capture the event was imported from, or 0
 */
public record Stamp(long seq, long timeNanos, Actor actor, long frame) {
  /** A stamp of an event that comes from no capture. */
  public Stamp(long seq, long timeNanos, Actor actor) {
    this(seq, timeNanos, actor, 0);
  }
}
