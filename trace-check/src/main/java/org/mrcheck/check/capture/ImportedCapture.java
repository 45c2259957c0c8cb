package org.mrcheck.check.capture;

import java.util.List;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.TraceSink;

/**
 * A capture as a trace.
 *
 * @param header what the trace says about itself
 * @param events the events in their order, numbered from 1
 * @param report what became of every frame and every log line
 */
public record ImportedCapture(TraceHeader header, List<TraceEvent> events, ImportReport report) {
  /** Copies the list. */
  public ImportedCapture {
    events = List.copyOf(events);
  }

  /** Gives every event to a sink, in order. */
  public void writeTo(TraceSink sink) {
    events.forEach(sink::accept);
  }
}
