package org.mrcheck.lang.trace.binary;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.mrcheck.lang.diagnostic.Diagnostic;
import org.mrcheck.lang.diagnostic.DiagnosticSink;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.text.TraceInput;
import org.mrcheck.lang.trace.text.TraceLine;
import org.mrcheck.lang.trace.text.TraceReader;
import org.mrcheck.lang.trace.text.TraceSyntaxException;

/**
 * Reads a trace in the {@linkplain BinaryLayout binary encoding}: first its header, then its events
 * one at a time. Memory does not depend on the length of the trace.
 *
 * <p>Damage is treated as in text: records that are torn at the end or overwritten with zeros are
 * dropped with a warning, up to the next segment, and the hole in the sequence numbers is for the
 * consumer to judge. A value that no writer writes ends the reading.
 *
 * <p>The line of an event is its position among the records of events read, from 1. Not safe for
 * use by several threads at once.
 */
public final class BinaryTraceReader implements TraceInput {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int HEAD_BYTES = 16;
  private static final int MOST_HEADER_BYTES = 1 << 24;

  private final InputStream in;
  private final String file;
  private final DiagnosticSink warningSink;
  private final RecordDecoder decoder = new RecordDecoder();
  private final Actor[] actors = new Actor[BinaryLayout.MAX_ACTORS];
  private final Map<String, Map<String, Actor>> knownActors = new HashMap<>();
  private final TraceHeader header;
  private byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int filled;
  private boolean atEnd;

  /** Offset in the file of the buffer's first byte. */
  private long bufferOffset;

  private boolean inSegment;
  private int lastActor = -1;
  private long events;
  private long warnings;

  private BinaryTraceReader(InputStream in, String file, DiagnosticSink warningSink)
      throws IOException, TraceSyntaxException {
    this.in = in;
    this.file = file;
    this.warningSink = warningSink;
    this.header = readHead();
  }

  /** Opens a trace and reads its header. */
  public static BinaryTraceReader open(Path path, DiagnosticSink warnings)
      throws IOException, TraceSyntaxException {
    return open(Files.newInputStream(path), path.toString(), warnings);
  }

  /**
   * Reads the header of a trace from a stream, which the reader closes when it is closed or when
   * this fails. The reader buffers by itself.
   *
   * @param in the trace
   * @param name its name, for diagnostics
   * @param warnings takes what was dropped or looks wrong
   * @throws TraceSyntaxException if it is no binary trace, or one of another version
   * @throws IOException if it cannot be read
   */
  public static BinaryTraceReader open(InputStream in, String name, DiagnosticSink warnings)
      throws IOException, TraceSyntaxException {
    boolean opened = false;
    try {
      BinaryTraceReader reader = new BinaryTraceReader(in, name, warnings);
      opened = true;
      return reader;
    } finally {
      if (!opened) {
        in.close();
      }
    }
  }

  @Override
  public TraceHeader header() {
    return header;
  }

  @Override
  public long events() {
    return events;
  }

  @Override
  public long skippedExtensions() {
    return 0;
  }

  @Override
  public long warnings() {
    return warnings;
  }

  @Override
  public TraceLine next() throws IOException, TraceSyntaxException {
    while (true) {
      if (!has(8)) {
        if (at < filled) {
          skipDamage(true);
        }
        return null;
      }
      long first = BinaryLayout.word(buffer, at);
      int length = 8 * ((int) (first >>> 16) & BinaryLayout.MAX_RECORD_WORDS);
      int code = (int) first & 0xff;
      boolean whole = length > 0 && has(length);
      if (!whole || !isRight(at, length) || !inSegment && code != BinaryLayout.SEGMENT) {
        if (!skipDamage(length > 0 && !whole)) {
          return null;
        }
        continue;
      }
      int from = at;
      at += length;
      if (code == BinaryLayout.SEGMENT) {
        inSegment = true;
        Arrays.fill(actors, 0, lastActor + 1, null);
        lastActor = -1;
      } else if (code == BinaryLayout.ACTOR) {
        defineActor((int) (first >>> 48), from, length);
      } else {
        return event(code, (int) (first >>> 48), from, length);
      }
    }
  }

  private TraceLine event(int code, int actor, int from, int length) throws TraceSyntaxException {
    if (code > BinaryLayout.CODES.size()) {
      throw failure(from, "a record has the code " + code + ", which this build does not know")
          .advised("read it with a newer mrcheck");
    }
    if (actors[actor] == null) {
      throw failure(from, "the record's actor " + actor + " is not defined in its segment").plain();
    }
    try {
      TraceEvent event =
          decoder.decode(
              BinaryLayout.CODES.get(code - 1), buffer, from, from + length, actors[actor]);
      events++;
      return new TraceLine(event, events, bufferOffset + from);
    } catch (RecordDecoder.ValueException wrong) {
      throw failure(from, wrong.getMessage()).plain();
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  // The head

  private TraceHeader readHead() throws IOException, TraceSyntaxException {
    if (!has(HEAD_BYTES) || !BinaryLayout.begins(buffer, filled)) {
      throw new TraceSyntaxException(
          Diagnostic.errorInFile("this is no binary trace", file)
              .withExpected("a file that mrcheck wrote as .mrbin"));
    }
    long second = BinaryLayout.word(buffer, 8);
    int version = (int) second;
    if (version != BinaryLayout.VERSION) {
      throw new TraceSyntaxException(
          Diagnostic.errorInFile("the binary trace is in version " + version, file)
              .withExpected("version " + BinaryLayout.VERSION + ", which this build reads")
              .withAdvice("read it with a newer mrcheck"));
    }
    long length = second >>> Integer.SIZE;
    if (length > MOST_HEADER_BYTES || !has(HEAD_BYTES + BinaryLayout.padded((int) length))) {
      throw new TraceSyntaxException(
          Diagnostic.errorInFile("the binary trace ends inside its header", file)
              .withExpected(length + " bytes of header")
              .withAdvice("did the recorder start, and was its output flushed?"));
    }
    String text = new String(buffer, HEAD_BYTES, (int) length, StandardCharsets.UTF_8);
    at = HEAD_BYTES + BinaryLayout.padded((int) length);
    byte[] lines = text.getBytes(StandardCharsets.UTF_8);
    try (TraceReader reader = TraceReader.open(new ByteArrayInputStream(lines), file, this::warn)) {
      TraceLine unexpected = reader.next();
      if (unexpected != null) {
        throw new TraceSyntaxException(
            Diagnostic.errorInFile("the header of the binary trace holds an event", file)
                .withExpected("the version line and header lines"));
      }
      return reader.header();
    }
  }

  // Damage

  private boolean isRight(int from, int length) {
    long first = BinaryLayout.word(buffer, from);
    long mixed = first & ~0xff00L;
    for (int index = from + 8; index < from + length; index += 8) {
      mixed ^= BinaryLayout.word(buffer, index);
    }
    return BinaryLayout.check(mixed) == ((int) (first >>> 8) & 0xff);
  }

  /** Goes to the next segment head and warns; false if there is none. */
  private boolean skipDamage(boolean cut) throws IOException {
    long begin = bufferOffset + at;
    at = Math.min(at + 8, filled);
    while (has(8 * BinaryLayout.SEGMENT_WORDS)) {
      if (isSegmentHead()) {
        inSegment = false;
        warnOfDamage(
            "records from byte offset "
                + begin
                + " to "
                + (bufferOffset + at)
                + " are damaged and were dropped; events were lost");
        return true;
      }
      at += 8;
    }
    at = filled;
    if (cut) {
      warn(
          Diagnostic.warningInFile(
                  "the last record, at byte offset " + begin + ", is not whole and was dropped",
                  file)
              .withAdvice("the recording was cut there"));
    } else {
      warnOfDamage(
          "records from byte offset "
              + begin
              + " to the end of the file are damaged and were dropped");
    }
    return false;
  }

  private boolean isSegmentHead() {
    return BinaryLayout.word(buffer, at + 8) == BinaryLayout.SEGMENT_MARK
        && ((int) BinaryLayout.word(buffer, at) & 0xff) == BinaryLayout.SEGMENT
        && BinaryLayout.word(buffer, at + 16) == bufferOffset + at
        && isRight(at, 8 * BinaryLayout.SEGMENT_WORDS);
  }

  private void warnOfDamage(String message) {
    warn(
        Diagnostic.warningInFile(message, file)
            .withAdvice(
                "the recorder's host crashed or its disk was full while it wrote; what depends on"
                    + " the lost events is inconclusive"));
  }

  private void defineActor(int number, int from, int length) throws TraceSyntaxException {
    long bytes = BinaryLayout.word(buffer, from + 8);
    if (bytes < 0 || bytes > length - 16) {
      throw failure(from, "the definition of an actor is too short for its text").plain();
    }
    String text = new String(buffer, from + 16, (int) bytes, StandardCharsets.UTF_8);
    int slash = text.indexOf('/');
    if (slash <= 0 || slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
      throw failure(from, "\"" + text + "\" is no actor HOST/ROLE").plain();
    }
    actors[number] = known(text.substring(0, slash), text.substring(slash + 1));
    lastActor = Math.max(lastActor, number);
  }

  /** One object for each actor, whichever segment defines it. */
  private Actor known(String host, String role) {
    return knownActors
        .computeIfAbsent(host, absent -> new HashMap<>())
        .computeIfAbsent(role, absent -> new Actor(host, role));
  }

  private record Failure(Diagnostic diagnostic) {
    TraceSyntaxException plain() {
      return new TraceSyntaxException(diagnostic);
    }

    TraceSyntaxException advised(String advice) {
      return new TraceSyntaxException(diagnostic.withAdvice(advice));
    }
  }

  private Failure failure(int from, String message) {
    return new Failure(
        Diagnostic.errorInFile("byte offset " + (bufferOffset + from) + ": " + message, file));
  }

  private void warn(Diagnostic warning) {
    warnings++;
    warningSink.accept(warning);
  }

  // The buffer

  /** Whether so many bytes stand at the present position, after reading more if need be. */
  private boolean has(int bytes) throws IOException {
    return filled - at >= bytes || fill(bytes);
  }

  private boolean fill(int bytes) throws IOException {
    if (at > 0) {
      System.arraycopy(buffer, at, buffer, 0, filled - at);
      bufferOffset += at;
      filled -= at;
      at = 0;
    }
    if (buffer.length < bytes) {
      buffer = Arrays.copyOf(buffer, bytes);
    }
    while (filled < bytes && !atEnd) {
      int read = in.read(buffer, filled, buffer.length - filled);
      if (read < 0) {
        atEnd = true;
      } else {
        filled += read;
      }
    }
    return filled >= bytes;
  }
}
