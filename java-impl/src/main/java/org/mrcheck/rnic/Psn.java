package org.mrcheck.rnic;

/** Arithmetic of packet sequence numbers: 24 bits, compared modulo 2^24. */
final class Psn {
  static final int MASK = 0xff_ffff;

  private Psn() {}

  static int add(int psn, int count) {
    return (psn + count) & MASK;
  }

  /** How far {@code psn} lies behind {@code reference}: -2^23 to 2^23 - 1; negative is before. */
  static int distance(int psn, int reference) {
    return (psn - reference) << 8 >> 8;
  }

  static int requireValid(String name, int psn) {
    if (psn < 0 || psn > MASK) {
      throw new IllegalArgumentException(name + "=" + psn + " is not a 24-bit number");
    }
    return psn;
  }
}
