package org.mrcheck.check.engine;

import java.util.List;
import java.util.Optional;
import org.mrcheck.lang.diagnostic.DiagnosticSink;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.text.TraceLine;
import org.mrcheck.lang.trace.text.TracePrinter;

/** A trace in memory; event {@code i} stands on line {@code i + 1}. */
record ListTrace(String name, TraceHeader header, List<TraceEvent> events) implements TraceSource {
  @Override
  public long size() {
    return events.size();
  }

  @Override
  public Pass open(DiagnosticSink warnings) {
    return new Pass() {
      private int next;

      @Override
      public TraceHeader header() {
        return header;
      }

      @Override
      public TraceLine next() {
        if (next == events.size()) {
          return null;
        }
        next++;
        return new TraceLine(events.get(next - 1), next, next);
      }

      @Override
      public long extensions() {
        return 0;
      }

      @Override
      public void close() {
        next = events.size();
      }
    };
  }

  @Override
  public Optional<String> sourceLine(TraceLine line) {
    return Optional.of(TracePrinter.print(line.event()));
  }
}
