package org.mrcheck.lang.trace.text;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.mrcheck.lang.diagnostic.Diagnostic;
import org.mrcheck.lang.diagnostic.DiagnosticSink;
import org.mrcheck.lang.diagnostic.Utf8;

/**
 * Cuts a file into blocks of whole lines for the lexer, and keeps from it what no grammar should
 * see: a byte-order mark, lines with NUL bytes, a last line without an end, lines that are too long
 * or no UTF-8. It looks only for line ends and bad bytes; what a line says is the grammar's matter.
 *
 * <p>Memory is one buffer of fixed size. Line numbers and offsets count what was dropped, too.
 */
final class LineBlocks implements Closeable {
  /** Longest line in bytes, its end not counted. */
  static final int MAX_LINE_BYTES = 65_536;

  private static final int BUFFER_BYTES = 4 * MAX_LINE_BYTES;
  private static final int SHOWN_BYTES = 512;

  private final InputStream in;
  private final String file;
  private final DiagnosticSink warnings;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int filled;
  private boolean atEnd;

  /** Offset in the file of the buffer's first byte. */
  private long bufferOffset;

  private int from;
  private int to;
  private long firstLine = 1;
  private long nextLine = 1;
  private long droppedLines;

  LineBlocks(InputStream in, String file, DiagnosticSink warnings) {
    this.in = in;
    this.file = file;
    this.warnings = warnings;
  }

  /** Holds the block. Stays the same array. */
  byte[] buffer() {
    return buffer;
  }

  /** Index of the block's first byte, which begins a line. */
  int from() {
    return from;
  }

  /** Index after the block's last byte, which is a line feed. */
  int to() {
    return to;
  }

  /** Line number of the block's first line. */
  long firstLine() {
    return firstLine;
  }

  /** Offset in the file of an index in the buffer. */
  long offset(int index) {
    return bufferOffset + index;
  }

  /** How many lines were dropped so far because of NUL bytes or a missing line end. */
  long droppedLines() {
    return droppedLines;
  }

  /**
   * Looks at the beginning of the file, skips a byte-order mark, and refuses what is no text at
   * all. To be called once, before anything else.
   */
  void open() throws IOException, TraceSyntaxException {
    while (filled < FileKind.BYTES_NEEDED && !atEnd) {
      fill();
    }
    if (filled == 0) {
      throw new TraceSyntaxException(
          Diagnostic.errorInFile("the file is empty", file)
              .withExpected("the version line \"mrtrace 1\"")
              .withAdvice("did the recorder start, and was its output flushed?"));
    }
    FileKind.rejectForeign(buffer, filled, file);
    if (filled >= 3
        && buffer[0] == (byte) 0xef
        && buffer[1] == (byte) 0xbb
        && buffer[2] == (byte) 0xbf) {
      from = 3;
      to = 3;
    }
  }

  /**
   * Goes to the next block.
   *
   * @return whether there is one
   */
  boolean next() throws IOException, TraceSyntaxException {
    from = to;
    firstLine = nextLine;
    while (true) {
      int start = to;
      int end = start;
      int bad = 0;
      while (end < filled && buffer[end] != '\n') {
        // Negative if the byte is NUL or beyond ASCII.
        bad |= buffer[end] | buffer[end] - 1;
        end++;
      }
      boolean whole = end < filled;
      if (whole && (bad >= 0 || isText(start, end)) && length(start, end) <= MAX_LINE_BYTES) {
        to = end + 1;
        nextLine++;
        continue;
      }
      if (to > from) {
        return true;
      }
      if (bad < 0 && indexOfNul(start, end) >= 0) {
        dropLineWithNuls(start);
      } else if (length(start, end) > MAX_LINE_BYTES) {
        throw tooLong(start);
      } else if (whole) {
        throw notUtf8(start, end);
      } else if (!atEnd) {
        fill();
      } else {
        dropTornLine(start, end);
        return false;
      }
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private int length(int start, int end) {
    return end - start - (end > start && buffer[end - 1] == '\r' ? 1 : 0);
  }

  private boolean isText(int start, int end) {
    return indexOfNul(start, end) < 0 && Utf8.firstMalformed(buffer, start, end) < 0;
  }

  private int indexOfNul(int start, int end) {
    for (int index = start; index < end; index++) {
      if (buffer[index] == 0) {
        return index;
      }
    }
    return -1;
  }

  /** Reads more behind what is not yet delivered. Only called between blocks. */
  private void fill() throws IOException {
    if (to > 0) {
      System.arraycopy(buffer, to, buffer, 0, filled - to);
      bufferOffset += to;
      filled -= to;
      from = 0;
      to = 0;
    }
    int read = in.read(buffer, filled, buffer.length - filled);
    if (read < 0) {
      atEnd = true;
    } else {
      filled += read;
    }
  }

  /** Reads at least one more byte, if there is one. Everything before must be dealt with. */
  private boolean refill() throws IOException {
    while (to == filled && !atEnd) {
      fill();
    }
    return to < filled;
  }

  /** Drops the line that begins at {@code start} and holds a NUL byte, however long it is. */
  private void dropLineWithNuls(int start) throws IOException {
    byte[] shown = new byte[SHOWN_BYTES];
    long length = 0;
    int firstNul = 0;
    long firstNulOffset = 0;
    long nuls = 0;
    boolean ended = false;
    to = start;
    while (!ended && (to < filled || refill())) {
      byte next = buffer[to];
      ended = next == '\n';
      if (next == 0 && nuls++ == 0) {
        firstNul = (int) Math.min(length, SHOWN_BYTES);
        firstNulOffset = offset(to);
      }
      if (!ended && length < SHOWN_BYTES) {
        shown[(int) length] = next;
      }
      length++;
      to++;
    }
    from = to;
    int shownTo = (int) Math.min(ended ? length - 1 : length, SHOWN_BYTES);
    LinePlace place = new LinePlace(file, nextLine, shown, 0, shownTo);
    String what =
        (nuls == 1 ? "a NUL byte stands" : nuls + " NUL bytes stand")
            + " in place of text at byte offset "
            + firstNulOffset;
    warnings.accept(
        place
            .warning(
                ended
                    ? what + "; the line was dropped and events were lost"
                    : what + ", and the file ends there; its last line was dropped",
                firstNul,
                firstNul + (int) Math.min(nuls, 8))
            .withAdvice(
                "the recorder's host crashed or its disk was full while it wrote; what depends on"
                    + " the lost events is inconclusive"));
    droppedLines++;
    nextLine++;
    firstLine = nextLine;
  }

  private void dropTornLine(int start, int end) {
    int text = start;
    while (text < end && (buffer[text] == ' ' || buffer[text] == '\t' || buffer[text] == '\r')) {
      text++;
    }
    if (text < end && buffer[text] != '#') {
      droppedLines++;
      warnings.accept(
          new LinePlace(file, nextLine, buffer, start, end)
              .warning("the last line has no line end and was dropped", text, end)
              .withAdvice(
                  "the recording was cut there, so a number may be torn; if the line is whole, end"
                      + " it with a line feed"));
    }
    to = end;
    from = end;
  }

  private TraceSyntaxException tooLong(int start) {
    int end = Math.min(filled, start + MAX_LINE_BYTES);
    LinePlace place = new LinePlace(file, nextLine, buffer, start, end);
    return new TraceSyntaxException(
        place
            .error(
                String.format(
                    "the line at byte offset %d is longer than %,d bytes",
                    offset(start), MAX_LINE_BYTES),
                start,
                start + 1)
            .withExpected("one event on each line, ended by a line feed")
            .withAdvice("is this a trace, and does its writer end its lines?"));
  }

  private TraceSyntaxException notUtf8(int start, int end) {
    int index = Utf8.firstMalformed(buffer, start, end);
    return new TraceSyntaxException(
        new LinePlace(file, nextLine, buffer, start, end)
            .error(
                String.format(
                    "byte 0x%02x at byte offset %d is not UTF-8", buffer[index], offset(index)),
                index,
                index + 1)
            .withExpected("text in UTF-8")
            .withAdvice("write the trace in UTF-8, or convert it with iconv"));
  }
}
