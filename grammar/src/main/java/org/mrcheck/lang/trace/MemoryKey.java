package org.mrcheck.lang.trace;

/**
 * A local or remote memory key: 32 bits, of which the upper 24 are an index into the key table and
 * the lower 8 a tag (facts row K1).
 *
 * @param bits the key as it stands on the wire, all 32 bits significant
 */
public record MemoryKey(int bits) {
  /** What a region without remote rights reports as its rkey; never valid on the wire (row K19). */
  public static final MemoryKey NONE = new MemoryKey(0);

  /** The key with the given index, 0 to 2^24 - 1, and tag, 0 to 255. */
  public static MemoryKey of(int index, int tag) {
    if (index < 0 || index > 0xff_ffff || tag < 0 || tag > 0xff) {
      throw new IllegalArgumentException("index=" + index + " tag=" + tag);
    }
    return new MemoryKey(index << 8 | tag);
  }

  /** The table index, 0 to 2^24 - 1. */
  public int index() {
    return bits >>> 8;
  }

  /** The tag, 0 to 255. */
  public int tag() {
    return bits & 0xff;
  }

  /** The key as an unsigned number. */
  public long unsigned() {
    return Integer.toUnsignedLong(bits);
  }

  @Override
  public String toString() {
    return "0x" + Integer.toHexString(bits);
  }
}
