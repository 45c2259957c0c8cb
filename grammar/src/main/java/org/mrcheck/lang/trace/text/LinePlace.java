package org.mrcheck.lang.trace.text;

import org.antlr.v4.runtime.Token;
import org.mrcheck.lang.diagnostic.Diagnostic;
import org.mrcheck.lang.diagnostic.Excerpt;
import org.mrcheck.lang.diagnostic.Severity;
import org.mrcheck.lang.diagnostic.SourceSpan;
import org.mrcheck.lang.diagnostic.Utf8;

/**
 * The line being read, for diagnostics.
 *
 * @param file the trace's name
 * @param line line number from 1
 * @param buffer holds the line
 * @param from index of the line's first byte
 * @param to index after the line's last byte, its end not counted
 */
record LinePlace(String file, long line, byte[] buffer, int from, int to) {

  /** The line around an index of a block of lines. */
  static LinePlace around(
      String file, long line, byte[] buffer, int blockFrom, int blockTo, int index) {
    int from = index;
    while (from > blockFrom && buffer[from - 1] != '\n') {
      from--;
    }
    int to = index;
    while (to < blockTo && buffer[to] != '\n') {
      to++;
    }
    if (to > from && buffer[to - 1] == '\r') {
      to--;
    }
    return new LinePlace(file, line, buffer, from, to);
  }

  SourceSpan span(int spanFrom, int spanTo) {
    int start = Math.min(spanFrom, to);
    int end = Math.max(start, Math.min(spanTo, to));
    int column = Utf8.count(buffer, from, start) + 1;
    return new SourceSpan(file, line, column, Utf8.count(buffer, start, end));
  }

  Excerpt excerpt(int spanFrom, int spanTo) {
    int start = Math.min(spanFrom, to);
    return Excerpt.ofUtf8(buffer, from, to, start, Math.max(start, Math.min(spanTo, to)));
  }

  Diagnostic finding(Severity severity, String message, int spanFrom, int spanTo) {
    SourceSpan span = span(spanFrom, spanTo);
    Excerpt excerpt = excerpt(spanFrom, spanTo);
    return severity == Severity.ERROR
        ? Diagnostic.error(message, span, excerpt)
        : Diagnostic.warning(message, span, excerpt);
  }

  Diagnostic error(String message, int spanFrom, int spanTo) {
    return finding(Severity.ERROR, message, spanFrom, spanTo);
  }

  Diagnostic error(String message, Token at) {
    return error(message, at.getStartIndex(), at.getStopIndex() + 1);
  }

  Diagnostic warning(String message, int spanFrom, int spanTo) {
    return finding(Severity.WARNING, message, spanFrom, spanTo);
  }

  Diagnostic warning(String message, Token at) {
    return warning(message, at.getStartIndex(), at.getStopIndex() + 1);
  }

  Diagnostic withNote(Diagnostic diagnostic, String why, Token at) {
    int start = at.getStartIndex();
    int end = at.getStopIndex() + 1;
    return diagnostic.withNote(why, span(start, end), excerpt(start, end));
  }
}
