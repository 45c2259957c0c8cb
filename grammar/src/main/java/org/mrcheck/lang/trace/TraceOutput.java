package org.mrcheck.lang.trace;

import java.io.Closeable;
import java.io.IOException;

/** Where a trace is written to, in any of its encodings. Not safe for use by several threads. */
public interface TraceOutput extends TraceSink, Closeable {
  /** Hands all events so far to the operating system. */
  void flush() throws IOException;

  /** Writes what is left and, for a file, gives it its name. Further calls do nothing. */
  @Override
  void close() throws IOException;

  /** Stops without giving the file its name; what was written under the temporary name is gone. */
  void discard() throws IOException;
}
