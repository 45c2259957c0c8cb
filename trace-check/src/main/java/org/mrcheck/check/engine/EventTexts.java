package org.mrcheck.check.engine;

import org.mrcheck.check.verdict.EventPlace;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.text.TracePrinter;

/** Events as reports show them. */
final class EventTexts {
  private EventTexts() {}

  static EventPlace place(EventReference reference) {
    return place(reference.event(), reference.line());
  }

  static EventPlace place(TraceEvent event, long line) {
    Stamp stamp = event.stamp();
    return new EventPlace(line, stamp.seq(), stamp.frame(), stamp.actor().toString(), text(event));
  }

  /** The event without sequence number, time and actor. */
  static String text(TraceEvent event) {
    String line = TracePrinter.print(event);
    int from = 0;
    for (int word = 0; word < 3; word++) {
      from = line.indexOf(' ', from) + 1;
    }
    return line.substring(from);
  }
}
