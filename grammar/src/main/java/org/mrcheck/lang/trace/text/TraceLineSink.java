package org.mrcheck.lang.trace.text;

/** Takes the events of one trace in order, with their places. Called by the thread that reads. */
@FunctionalInterface
public interface TraceLineSink {
  /** Takes the next event. */
  void accept(TraceLine line);
}
