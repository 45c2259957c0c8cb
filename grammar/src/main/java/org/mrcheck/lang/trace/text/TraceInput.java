package org.mrcheck.lang.trace.text;

import java.io.Closeable;
import java.io.IOException;
import org.mrcheck.lang.trace.TraceHeader;

/** A trace that is being read, in any of its encodings. Not safe for use by several threads. */
public interface TraceInput extends Closeable {
  /** What the trace says about itself. */
  TraceHeader header();

  /**
   * Reads the next event.
   *
   * @return the event and its place, or null at the end of the trace
   * @throws TraceSyntaxException if the trace is malformed there; nothing can be read after that
   * @throws IOException if the trace cannot be read
   */
  TraceLine next() throws IOException, TraceSyntaxException;

  /** How many events were read so far; extensions are not counted. */
  long events();

  /** How many extension events, those whose name begins with {@code x.}, were skipped so far. */
  long skippedExtensions();

  /** How many warnings were given so far. */
  long warnings();
}
