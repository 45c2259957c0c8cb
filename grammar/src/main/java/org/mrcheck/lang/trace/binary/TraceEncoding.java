package org.mrcheck.lang.trace.binary;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.mrcheck.lang.diagnostic.DiagnosticSink;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.TraceOutput;
import org.mrcheck.lang.trace.text.TraceInput;
import org.mrcheck.lang.trace.text.TraceReader;
import org.mrcheck.lang.trace.text.TraceSyntaxException;
import org.mrcheck.lang.trace.text.TraceWriter;

/** The two encodings of a trace. Files are written by their suffix and read by their content. */
public enum TraceEncoding {
  /** The text language, {@code .mrtrace}. */
  TEXT(".mrtrace"),

  /** The binary encoding of the same records, {@code .mrbin}. */
  BINARY(".mrbin");

  private static final int MAGIC_BYTES = BinaryLayout.magic().length;

  private final String suffix;

  TraceEncoding(String suffix) {
    this.suffix = suffix;
  }

  /** How names of files in this encoding end. */
  public String suffix() {
    return suffix;
  }

  /** The encoding to write a file of that name in: binary if it ends so, and else text. */
  public static TraceEncoding ofName(Path file) {
    Path name = file.getFileName();
    return name != null && name.toString().toLowerCase(Locale.ROOT).endsWith(BINARY.suffix)
        ? BINARY
        : TEXT;
  }

  /**
   * A writer to a file that bears its name only when it is closed.
   *
   * @throws IOException if the file cannot be made
   */
  public TraceOutput create(Path file, TraceHeader header) throws IOException {
    return this == BINARY
        ? BinaryTraceWriter.create(file, header)
        : TraceWriter.create(file, header);
  }

  /** A writer to a stream, which it closes in the end. */
  public TraceOutput to(OutputStream out, TraceHeader header) {
    return this == BINARY ? BinaryTraceWriter.to(out, header) : TraceWriter.to(out, header);
  }

  /**
   * Opens a trace in either encoding, told apart by its first bytes.
   *
   * @throws TraceSyntaxException if it is no trace, or one of another version
   * @throws IOException if it cannot be read
   */
  public static TraceInput open(Path path, DiagnosticSink warnings)
      throws IOException, TraceSyntaxException {
    return Files.isDirectory(path)
        ? TraceReader.open(path, warnings)
        : open(Files.newInputStream(path), path.toString(), warnings);
  }

  /**
   * Reads the header of a trace in either encoding from a stream, which is closed with the input or
   * when this fails.
   *
   * @param in the trace
   * @param name its name, for diagnostics
   * @param warnings takes what was dropped or looks wrong
   * @throws TraceSyntaxException if it is no trace, or one of another version
   * @throws IOException if it cannot be read
   */
  public static TraceInput open(InputStream in, String name, DiagnosticSink warnings)
      throws IOException, TraceSyntaxException {
    PushbackInputStream whole = new PushbackInputStream(in, MAGIC_BYTES);
    boolean peeked = false;
    byte[] first;
    try {
      first = whole.readNBytes(MAGIC_BYTES);
      whole.unread(first);
      peeked = true;
    } finally {
      if (!peeked) {
        in.close();
      }
    }
    return BinaryLayout.begins(first, first.length)
        ? BinaryTraceReader.open(whole, name, warnings)
        : TraceReader.open(whole, name, warnings);
  }
}
