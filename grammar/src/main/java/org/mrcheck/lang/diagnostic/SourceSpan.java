package org.mrcheck.lang.diagnostic;

/**
 * A stretch of one line of an input.
 *
 * @param file the input's name as the user gave it
 * @param line line number from 1, or 0 where the finding is about the input as a whole
 * @param column column of the first character from 1, counted in Unicode code points, or 0
 * @param length how many code points, at least 0
 */
public record SourceSpan(String file, long line, int column, int length) {
  /** The input as a whole. */
  public static SourceSpan wholeFile(String file) {
    return new SourceSpan(file, 0, 0, 0);
  }

  /** {@code file:line:column}, or the file alone. */
  @Override
  public String toString() {
    return line == 0 ? file : file + ":" + line + ":" + column;
  }
}
