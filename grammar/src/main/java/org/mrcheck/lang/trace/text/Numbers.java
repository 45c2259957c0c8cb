package org.mrcheck.lang.trace.text;

/** Unsigned 64-bit numbers as they stand in a file's bytes: decimal, or hexadecimal after 0x. */
final class Numbers {
  private static final int DECIMAL_DIGITS_ALWAYS_FITTING = 18;

  private Numbers() {}

  private static boolean isHexadecimal(byte[] buffer, int from, int to) {
    return to - from > 2 && buffer[from] == '0' && buffer[from + 1] == 'x';
  }

  /** Whether the bytes are a number at all, of any size. */
  static boolean isNumber(byte[] buffer, int from, int to) {
    boolean hexadecimal = isHexadecimal(buffer, from, to);
    int first = hexadecimal ? from + 2 : from;
    for (int index = first; index < to; index++) {
      boolean digit = buffer[index] >= '0' && buffer[index] <= '9';
      if (!digit && !(hexadecimal && Character.digit(buffer[index], 16) >= 0)) {
        return false;
      }
    }
    return first < to;
  }

  /** Whether the number, which must be one, has no sign and fits into 64 bits. */
  static boolean fits(byte[] buffer, int from, int to) {
    if (buffer[from] == '-') {
      return false;
    }
    if (to - from <= DECIMAL_DIGITS_ALWAYS_FITTING) {
      // In hexadecimal these are at most 16 digits.
      return true;
    }
    boolean hexadecimal = isHexadecimal(buffer, from, to);
    int first = hexadecimal ? from + 2 : from;
    while (first < to && buffer[first] == '0') {
      first++;
    }
    int digits = to - first;
    if (hexadecimal) {
      return digits <= 16;
    }
    if (digits <= DECIMAL_DIGITS_ALWAYS_FITTING) {
      return true;
    }
    String greatest = "18446744073709551615";
    if (digits != greatest.length()) {
      return digits < greatest.length();
    }
    for (int index = 0; index < digits; index++) {
      int difference = buffer[first + index] - greatest.charAt(index);
      if (difference != 0) {
        return difference < 0;
      }
    }
    return true;
  }

  /** The value of a number that fits. */
  static long unsigned(byte[] buffer, int from, int to) {
    long value = 0;
    if (isHexadecimal(buffer, from, to)) {
      for (int index = from + 2; index < to; index++) {
        int digit = buffer[index];
        value = value << 4 | (digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
      }
    } else {
      for (int index = from; index < to; index++) {
        value = value * 10 + (buffer[index] - '0');
      }
    }
    return value;
  }
}
