package org.mrcheck.lang.trace.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

/** Bytes of text that grow while lines are printed into them. */
final class LineBuffer {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final int LONGEST_NUMBER = 20;

  /** What reads back as one bare value: no number, field name, comment, header line or quote. */
  private static final Pattern BARE_WORD = Pattern.compile("[\\p{Alpha}_*][\\p{Alnum}_.:/*()|+-]*");

  /** A host or a role: neither white space, quotes, equals signs nor slashes. */
  private static final Pattern NAME_PART =
      Pattern.compile("[^\\x00-\\x20\\x7f\"=/#%\\p{Cs}][^\\x00-\\x20\\x7f\"=/\\p{Cs}]*");

  private byte[] bytes;
  private int size;

  LineBuffer(int capacity) {
    bytes = new byte[capacity];
  }

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  /** Forgets everything behind the first bytes. */
  void truncate(int newSize) {
    size = newSize;
  }

  LineBuffer append(char ascii) {
    reserve(1);
    bytes[size++] = (byte) ascii;
    return this;
  }

  /** Appends text as UTF-8. */
  LineBuffer append(String text) {
    int length = text.length();
    reserve(length);
    for (int index = 0; index < length; index++) {
      char next = text.charAt(index);
      if (next >= 0x80) {
        byte[] rest = text.substring(index).getBytes(StandardCharsets.UTF_8);
        reserve(rest.length);
        System.arraycopy(rest, 0, bytes, size, rest.length);
        size += rest.length;
        return this;
      }
      bytes[size++] = (byte) next;
    }
    return this;
  }

  /** Appends an unsigned number in decimal. */
  LineBuffer decimal(long unsigned) {
    if (unsigned < 0) {
      return append(Long.toUnsignedString(unsigned));
    }
    reserve(LONGEST_NUMBER);
    int digits = 1;
    for (long rest = unsigned; rest >= 10; rest /= 10) {
      digits++;
    }
    long rest = unsigned;
    for (int at = size + digits - 1; at >= size; at--) {
      bytes[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    size += digits;
    return this;
  }

  /** Appends an unsigned number in hexadecimal. */
  LineBuffer hexadecimal(long unsigned) {
    reserve(LONGEST_NUMBER);
    bytes[size++] = '0';
    bytes[size++] = 'x';
    int digits = Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(unsigned) + 3) / 4);
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
      bytes[size++] = HEX[(int) (unsigned >>> shift) & 15];
    }
    return this;
  }

  /** Appends free text, in quotes. */
  LineBuffer quoted(String text) {
    return append(Quoting.quote(text));
  }

  /** Appends free text, in quotes only where it would not read back otherwise. */
  LineBuffer word(String text) {
    return BARE_WORD.matcher(text).matches() ? append(text) : quoted(text);
  }

  /** Returns the text if it can be a host or a role in {@code host/role}. */
  static String checkedName(String what, String text) {
    if (!NAME_PART.matcher(text).matches()) {
      throw new IllegalArgumentException(
          what + "=\"" + text + "\" cannot be written: no blanks, slashes, quotes or equals signs");
    }
    return text;
  }

  private void reserve(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }
}
