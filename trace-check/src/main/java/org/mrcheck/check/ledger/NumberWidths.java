package org.mrcheck.check.ledger;

/**
 * How wide addresses and packet sequence numbers are. Recordings have 64 and 24 bits; tests that
 * compare with the TLA+ definition use small ones.
 *
 * <p>Addresses are unsigned numbers held in a {@code long}; arithmetic here never wraps unnoticed.
 * PSNs are compared modulo their space: p is before q iff 0 &lt; (q - p) mod space &lt; space / 2
 * (the window of IBTA 9.7.2; row L74 of the facts).
 *
 * @param addressBits 1 to 64
 * @param psnBits 2 to 24
 * @param longestMessage bytes of the longest message, 2^31 in recordings (C9-94; row C4)
 */
public record NumberWidths(int addressBits, int psnBits, long longestMessage) {
  /** The widths of InfiniBand and RoCE. */
  public static final NumberWidths REAL = new NumberWidths(64, 24, 1L << 31);

  /** Checks the ranges. */
  public NumberWidths {
    if (addressBits < 1 || addressBits > 64 || psnBits < 2 || psnBits > 24 || longestMessage < 0) {
      throw new IllegalArgumentException("addressBits=" + addressBits + " psnBits=" + psnBits);
    }
  }

  /** The PSN that many packets later (or earlier, if negative). */
  public int psnPlus(int psn, long packets) {
    return (int) ((psn + packets) & psnMask());
  }

  /** How many packets {@code later} lies after {@code earlier}, 0 to the PSN space less one. */
  public int psnDistance(int earlier, int later) {
    return (later - earlier) & psnMask();
  }

  /** Whether {@code p} comes before {@code q}. */
  public boolean psnBefore(int p, int q) {
    int distance = psnDistance(p, q);
    return distance > 0 && distance < 1 << (psnBits - 1);
  }

  /** Whether {@code psn} is one of the {@code count} PSNs from {@code first} on. */
  public boolean psnIn(int psn, int first, long count) {
    return psnDistance(first, psn) < count;
  }

  private int psnMask() {
    return (1 << psnBits) - 1;
  }

  /**
   * Whether {@code [va, va + length)} lies inside {@code [base, base + size)}, both half open, with
   * no wrap-around: a range that runs over the end of the address space is never inside.
   */
  public boolean covers(long base, long size, long va, long length) {
    return Long.compareUnsigned(va, base) >= 0
        && Long.compareUnsigned(length, size) <= 0
        && Long.compareUnsigned(va - base, size - length) <= 0
        && !wraps(va, length);
  }

  /** Whether {@code va + length} lies beyond the end of the address space. */
  public boolean wraps(long va, long length) {
    if (length == 0) {
      return false;
    }
    long last = va + (length - 1);
    return Long.compareUnsigned(last, va) < 0 || Long.compareUnsigned(last, addressMask()) > 0;
  }

  private long addressMask() {
    return addressBits == 64 ? -1L : (1L << addressBits) - 1;
  }
}
