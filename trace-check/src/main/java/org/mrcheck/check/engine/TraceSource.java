package org.mrcheck.check.engine;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.mrcheck.lang.diagnostic.DiagnosticSink;
import org.mrcheck.lang.diagnostic.SyntaxException;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.text.TraceLine;

/** A trace that can be read from its beginning more than once. */
public interface TraceSource {
  /** The trace's name as the user gave it. */
  String name();

  /** How many bytes there are to read, or 0 where nobody knows. */
  long size();

  /**
   * Begins a pass.
   *
   * @param warnings takes findings that do not end the reading
   * @throws SyntaxException if the header is malformed
   */
  Pass open(DiagnosticSink warnings) throws IOException, SyntaxException;

  /** The text of a line as it stands in the trace, if it can be had. */
  Optional<String> sourceLine(TraceLine line) throws IOException;

  /** One reading. */
  interface Pass extends Closeable {
    /** What the trace says about itself. */
    TraceHeader header();

    /**
     * The next event, or null after the last one.
     *
     * @throws SyntaxException if the trace cannot be read any further
     */
    TraceLine next() throws IOException, SyntaxException;

    /** Extension events skipped so far. */
    long extensions();
  }
}
