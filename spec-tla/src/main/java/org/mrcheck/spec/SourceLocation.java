package org.mrcheck.spec;

import java.util.Objects;

/**
 * A stretch of a TLA+ or configuration file.
 *
 * @param file the file's name without folder, such as {@code SoundCheck.tla}
 * @param line first line, from 1; 0 when only the file is known
 * @param column first column, from 1; 0 when only the file or line is known
 * @param endLine last line
 * @param endColumn last column, inclusive
 */
public record SourceLocation(String file, int line, int column, int endLine, int endColumn) {
  public SourceLocation {
    Objects.requireNonNull(file, "file");
  }

  /** A location of which only the file is known. */
  public static SourceLocation of(String file) {
    return new SourceLocation(file, 0, 0, 0, 0);
  }

  /** A location of which only the beginning is known. */
  public static SourceLocation of(String file, int line, int column) {
    return new SourceLocation(file, line, column, line, column);
  }

  /** {@code file:line:column}, as far as known. */
  @Override
  public String toString() {
    if (line == 0) {
      return file;
    }
    return column == 0 ? file + ":" + line : file + ":" + line + ":" + column;
  }
}
