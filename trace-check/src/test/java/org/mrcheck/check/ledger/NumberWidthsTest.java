package org.mrcheck.check.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class NumberWidthsTest {
  private static final NumberWidths REAL = NumberWidths.REAL;

  private static BigInteger unsigned(long value) {
    return new BigInteger(Long.toUnsignedString(value));
  }

  @Property(tries = 5000)
  void covers_anyUnsignedNumbers_isWhatUnboundedIntegersSay(
      @ForAll long base, @ForAll long size, @ForAll long va, @ForAll long length) {
    assertThat(REAL.covers(base, size, va, length)).isEqualTo(exact(base, size, va, length));
  }

  /** Numbers close to each other and to both ends of the address space, where errors live. */
  @Property(tries = 20_000)
  void covers_nearTheEdges_isWhatUnboundedIntegersSay(
      @ForAll @IntRange(min = -4, max = 4) int base,
      @ForAll @IntRange(min = -4, max = 6) int size,
      @ForAll @IntRange(min = -6, max = 6) int va,
      @ForAll @IntRange(min = -4, max = 6) int length) {
    assertThat(REAL.covers(base, size, va, length)).isEqualTo(exact(base, size, va, length));
  }

  private static boolean exact(long base, long size, long va, long length) {
    BigInteger end = unsigned(va).add(unsigned(length));
    return unsigned(va).compareTo(unsigned(base)) >= 0
        && end.compareTo(unsigned(base).add(unsigned(size))) <= 0
        && end.compareTo(BigInteger.TWO.pow(64)) <= 0;
  }

  @Property(tries = 5000)
  void psnBefore_anyDistance_isTheModularOrder(
      @ForAll @IntRange(min = 0, max = 0xff_ffff) int psn,
      @ForAll @IntRange(min = 1, max = 0x7f_ffff) int distance) {
    int later = REAL.psnPlus(psn, distance);
    assertThat(REAL.psnBefore(psn, later)).isTrue();
    assertThat(REAL.psnBefore(later, psn)).isFalse();
    assertThat(REAL.psnDistance(psn, later)).isEqualTo(distance);
  }

  @Test
  void psnBefore_acrossTheWrap_holds() {
    assertThat(REAL.psnBefore(0xff_ffff, 0)).isTrue();
    assertThat(REAL.psnBefore(0, 0xff_ffff)).isFalse();
    assertThat(REAL.psnIn(1, 0xff_fffe, 4)).isTrue();
    assertThat(REAL.psnIn(2, 0xff_fffe, 4)).isFalse();
  }
}
