package org.mrcheck.lang.trace;

/** Takes the events of one trace in order. Implementations say whether threads may share one. */
@FunctionalInterface
public interface TraceSink {
  /** Takes the next event. */
  void accept(TraceEvent event);
}
