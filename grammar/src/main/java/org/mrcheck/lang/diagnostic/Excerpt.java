package org.mrcheck.lang.diagnostic;

import java.util.ArrayList;
import java.util.List;

/**
 * The part of a source line that a diagnostic shows, safe for any terminal: at most {@value #WIDTH}
 * columns, tabs as blanks, control characters, bidirectional marks and bytes that are no UTF-8
 * written as escapes. What was cut off is shown as three dots.
 *
 * @param text what is shown
 * @param underlineStart columns before the underline
 * @param underlineLength columns underlined, at least 1
 */
public record Excerpt(String text, int underlineStart, int underlineLength) {
  /** Widest excerpt in columns; with a line number of ten digits a diagnostic has 80. */
  public static final int WIDTH = 66;

  private static final int CONTEXT_BEFORE = 30;
  private static final String CUT = "...";

  /** More bytes than this on either side of the span cannot be shown anyway. */
  private static final int WINDOW_BYTES = 4 * WIDTH;

  /**
   * An excerpt of a line that is given as text.
   *
   * @param line the line without its end
   * @param from index of the first character to underline
   * @param to index after the last one
   */
  public static Excerpt of(String line, int from, int to) {
    int windowFrom = Math.max(0, from - WINDOW_BYTES);
    int windowTo = Math.min(line.length(), from + WINDOW_BYTES);
    List<String> cells = new ArrayList<>();
    int spanFrom = -1;
    int spanTo = -1;
    for (int index = windowFrom; index < windowTo; ) {
      spanFrom = spanFrom < 0 && index >= from ? cells.size() : spanFrom;
      spanTo = spanTo < 0 && index >= to ? cells.size() : spanTo;
      int codePoint = line.codePointAt(index);
      cells.add(display(codePoint));
      index += Character.charCount(codePoint);
    }
    return window(cells, spanFrom, spanTo, windowFrom > 0, windowTo < line.length());
  }

  /**
   * An excerpt of a line that is given as bytes.
   *
   * @param buffer holds the line
   * @param lineFrom index of the line's first byte
   * @param lineTo index after the line's last byte, its end not counted
   * @param from index of the first byte to underline
   * @param to index after the last one
   */
  public static Excerpt ofUtf8(byte[] buffer, int lineFrom, int lineTo, int from, int to) {
    int windowFrom = Math.max(lineFrom, from - WINDOW_BYTES);
    while (windowFrom > lineFrom && windowFrom < lineTo && (buffer[windowFrom] & 0xc0) == 0x80) {
      windowFrom++;
    }
    int windowTo = Math.min(lineTo, from + WINDOW_BYTES);
    List<String> cells = new ArrayList<>();
    int spanFrom = -1;
    int spanTo = -1;
    for (int index = windowFrom; index < windowTo; ) {
      spanFrom = spanFrom < 0 && index >= from ? cells.size() : spanFrom;
      spanTo = spanTo < 0 && index >= to ? cells.size() : spanTo;
      int length = Utf8.sequenceLength(buffer, index, lineTo);
      if (length > 0) {
        cells.add(display(Utf8.codePoint(buffer, index, length)));
        index += length;
      } else {
        cells.add(String.format("\\x%02x", buffer[index]));
        index++;
      }
    }
    return window(cells, spanFrom, spanTo, windowFrom > lineFrom, windowTo < lineTo);
  }

  private static Excerpt window(
      List<String> cells, int from, int to, boolean moreBefore, boolean moreAfter) {
    int spanFrom = from < 0 ? cells.size() : from;
    int spanTo = Math.max(to < 0 ? cells.size() : to, spanFrom);

    int room = WIDTH - 2 * CUT.length();
    int first = 0;
    if (moreBefore || width(cells, 0, cells.size()) > room) {
      first = spanFrom;
      for (int before = 0; first > 0; first--) {
        before += cells.get(first - 1).length();
        if (before > CONTEXT_BEFORE) {
          break;
        }
      }
    }
    StringBuilder text = new StringBuilder(first > 0 || moreBefore ? CUT : "");
    int limit = text.length() + room;
    int underlineStart = -1;
    int underlineEnd = -1;
    int cell = first;
    for (; cell < cells.size() && text.length() + cells.get(cell).length() <= limit; cell++) {
      underlineStart = cell == spanFrom ? text.length() : underlineStart;
      underlineEnd = cell == spanTo ? text.length() : underlineEnd;
      text.append(cells.get(cell));
    }
    underlineStart = underlineStart < 0 ? text.length() : underlineStart;
    underlineEnd = underlineEnd < 0 ? text.length() : underlineEnd;
    if (cell < cells.size() || moreAfter) {
      text.append(CUT);
    }
    return new Excerpt(text.toString(), underlineStart, Math.max(1, underlineEnd - underlineStart));
  }

  private static int width(List<String> cells, int from, int to) {
    int width = 0;
    for (int cell = from; cell < to; cell++) {
      width += cells.get(cell).length();
    }
    return width;
  }

  /** A word of the input as a message may quote it: as it is, or its beginning if it is long. */
  public static String abbreviated(String word) {
    return word.length() <= WIDTH ? word : word.substring(0, WIDTH - CUT.length()) + CUT;
  }

  /** A text that may be shown: as in an excerpt, but not cut. */
  public static String displayable(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints().forEach(codePoint -> shown.append(display(codePoint)));
    return shown.toString();
  }

  private static String display(int codePoint) {
    if (codePoint >= 0x20 && codePoint < 0x7f) {
      return Character.toString(codePoint);
    }
    if (codePoint == '\t') {
      return " ";
    }
    if (codePoint < 0x100 && Character.isISOControl(codePoint)) {
      return String.format("\\x%02x", codePoint);
    }
    return switch (Character.getType(codePoint)) {
      case Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.NON_SPACING_MARK,
          Character.ENCLOSING_MARK ->
          String.format("\\u{%x}", codePoint);
      default -> Character.toString(codePoint);
    };
  }
}
