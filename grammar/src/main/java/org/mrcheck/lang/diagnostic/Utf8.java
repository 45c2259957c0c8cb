package org.mrcheck.lang.diagnostic;

/** Well-formed UTF-8 in byte arrays (RFC 3629): no overlong forms, no surrogates. */
public final class Utf8 {
  private Utf8() {}

  /**
   * Length in bytes, 1 to 4, of the well-formed sequence that begins at {@code index}, or 0 if none
   * does before {@code end}.
   */
  public static int sequenceLength(byte[] buffer, int index, int end) {
    int lead = buffer[index] & 0xff;
    if (lead < 0x80) {
      return 1;
    }
    int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || index + length > end) {
      return 0;
    }
    for (int next = index + 1; next < index + length; next++) {
      if ((buffer[next] & 0xc0) != 0x80) {
        return 0;
      }
    }
    int codePoint = codePoint(buffer, index, length);
    boolean overlong = length == 3 && codePoint < 0x800 || length == 4 && codePoint < 0x1_0000;
    boolean surrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
    return overlong || surrogate || codePoint > 0x10_ffff ? 0 : length;
  }

  /** The code point of a sequence of the given length, which must be right. */
  public static int codePoint(byte[] buffer, int index, int length) {
    if (length == 1) {
      return buffer[index];
    }
    int codePoint = buffer[index] & 0xff >> length + 1;
    for (int next = index + 1; next < index + length; next++) {
      codePoint = codePoint << 6 | buffer[next] & 0x3f;
    }
    return codePoint;
  }

  /** Index of the first byte in the range that belongs to no well-formed sequence, or -1. */
  public static int firstMalformed(byte[] buffer, int from, int to) {
    for (int index = from; index < to; ) {
      int length = sequenceLength(buffer, index, to);
      if (length == 0) {
        return index;
      }
      index += length;
    }
    return -1;
  }

  /** How many code points the range holds; a byte that is no UTF-8 counts as one. */
  public static int count(byte[] buffer, int from, int to) {
    int count = 0;
    for (int index = from; index < to; count++) {
      index += Math.max(1, sequenceLength(buffer, index, to));
    }
    return count;
  }
}
