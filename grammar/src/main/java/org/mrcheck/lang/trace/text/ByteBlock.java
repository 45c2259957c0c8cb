package org.mrcheck.lang.trace.text;

import java.nio.charset.StandardCharsets;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.IntStream;
import org.antlr.v4.runtime.misc.Interval;

/** Some whole lines of a trace as characters for the lexer: one byte, one character. */
final class ByteBlock implements CharStream {
  private final byte[] buffer;
  private final int end;
  private final String name;
  private int position;

  /** The bytes {@code from} to {@code to} of the buffer, which must not change meanwhile. */
  ByteBlock(byte[] buffer, int from, int to, String name) {
    this.buffer = buffer;
    this.position = from;
    this.end = to;
    this.name = name;
  }

  byte[] buffer() {
    return buffer;
  }

  int end() {
    return end;
  }

  @Override
  public void consume() {
    position++;
  }

  @Override
  public int LA(int offset) {
    int at = position + (offset > 0 ? offset - 1 : offset);
    return at >= 0 && at < end ? buffer[at] & 0xff : IntStream.EOF;
  }

  @Override
  public int mark() {
    return 0;
  }

  @Override
  public void release(int marker) {
    // The whole block stays in memory.
  }

  @Override
  public int index() {
    return position;
  }

  @Override
  public void seek(int index) {
    position = index;
  }

  @Override
  public int size() {
    return end;
  }

  @Override
  public String getSourceName() {
    return name;
  }

  @Override
  public String getText(Interval interval) {
    int from = Math.min(interval.a, end);
    int to = Math.min(interval.b + 1, end);
    return new String(buffer, from, Math.max(0, to - from), StandardCharsets.UTF_8);
  }
}
