package org.mrcheck.lang.trace.text;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.mrcheck.lang.file.WholeFile;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.TraceOutput;

/**
 * Writes a trace as text, whole lines at a time. Sequence numbers are written as the events carry
 * them. Values that the language cannot express are refused with an {@link
 * IllegalArgumentException}, and nothing of that event is written.
 *
 * <p>Not safe for use by several threads at once: order of lines is order of events, so whoever
 * records with several threads orders their events first.
 */
public final class TraceWriter implements TraceOutput {
  private static final int FLUSH_BYTES = 64 * 1024;

  private final OutputStream out;

  /** Absent for a stream. */
  private final WholeFile file;

  private final LineBuffer buffer = new LineBuffer(2 * FLUSH_BYTES);
  private final TracePrinter printer = new TracePrinter(buffer);
  private boolean open = true;

  private TraceWriter(OutputStream out, WholeFile file, TraceHeader header) {
    this.out = out;
    this.file = file;
    printer.lines(header);
  }

  /**
   * A writer to a stream, which it closes in the end. It buffers by itself and writes whole lines.
   */
  public static TraceWriter to(OutputStream out, TraceHeader header) {
    return new TraceWriter(out, null, header);
  }

  /**
   * A writer to a file that bears its name only when {@link #close} has made it whole.
   *
   * @throws IOException if the file cannot be made
   * @see WholeFile
   */
  public static TraceWriter create(Path file, TraceHeader header) throws IOException {
    WholeFile whole = WholeFile.create(file);
    boolean opened = false;
    try {
      TraceWriter writer = new TraceWriter(whole.out(), whole, header);
      opened = true;
      return writer;
    } finally {
      if (!opened) {
        whole.discard();
      }
    }
  }

  /**
   * Writes the event.
   *
   * @throws UncheckedIOException if the file cannot be written
   * @throws IllegalArgumentException if a value cannot be expressed
   */
  @Override
  public void accept(TraceEvent event) {
    int before = buffer.size();
    try {
      printer.line(event);
    } catch (IllegalArgumentException refused) {
      buffer.truncate(before);
      throw refused;
    }
    if (buffer.size() >= FLUSH_BYTES) {
      try {
        drain();
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }

  @Override
  public void flush() throws IOException {
    drain();
    out.flush();
  }

  /** Writes what is left and gives the file its name. Further calls do nothing. */
  @Override
  public void close() throws IOException {
    if (!open) {
      return;
    }
    open = false;
    boolean whole = false;
    try {
      flush();
      whole = true;
    } finally {
      end(whole);
    }
  }

  @Override
  public void discard() throws IOException {
    if (open) {
      open = false;
      end(false);
    }
  }

  private void end(boolean whole) throws IOException {
    if (file == null) {
      out.close();
    } else if (whole) {
      file.close();
    } else {
      file.discard();
    }
  }

  private void drain() throws IOException {
    out.write(buffer.bytes(), 0, buffer.size());
    buffer.clear();
  }
}
