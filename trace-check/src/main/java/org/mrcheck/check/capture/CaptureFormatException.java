package org.mrcheck.check.capture;

import java.io.IOException;
import org.mrcheck.lang.diagnostic.Diagnostic;

/**
 * A file that is no packet capture, or that is damaged where reading on would mean guessing. Says
 * which file, at which byte, what stands there, what was expected, and what to do about it.
 */
public final class CaptureFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;
  private final String found;
  private final String expected;
  private final String advice;

  /**
   * One problem.
   *
   * @param file name of the file as the user gave it
   * @param offset byte offset of what was found, from 0; in a compressed file, of the content
   * @param found what stands there
   * @param expected what a capture has there
   * @param advice what to do about it
   */
  public CaptureFormatException(
      String file, long offset, String found, String expected, String advice) {
    super(
        file
            + ": byte "
            + offset
            + ": "
            + found
            + "; expected "
            + expected
            + (advice.isEmpty() ? "" : ". " + advice));
    this.file = file;
    this.offset = offset;
    this.found = found;
    this.expected = expected;
    this.advice = advice;
  }

  /** Name of the file as the user gave it. */
  public String file() {
    return file;
  }

  /** Byte offset of what was found, from 0. */
  public long offset() {
    return offset;
  }

  /** What stands there. */
  public String found() {
    return found;
  }

  /** What a capture has there. */
  public String expected() {
    return expected;
  }

  /** What to do about it; empty where there is no advice. */
  public String advice() {
    return advice;
  }

  /** The problem as every reader of this project reports one; a binary file has no excerpt. */
  public Diagnostic diagnostic() {
    Diagnostic diagnostic =
        Diagnostic.errorInFile("no readable packet capture, from byte " + offset + " on", file)
            .withFound(found)
            .withExpected(expected);
    return advice.isEmpty() ? diagnostic : diagnostic.withAdvice(advice);
  }
}
