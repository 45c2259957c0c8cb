package org.mrcheck.rnic;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RangeCheckTest {
  private static final BigInteger SPACE = BigInteger.ONE.shiftLeft(64);

  private static BigInteger unsigned(long value) {
    return value < 0 ? BigInteger.valueOf(value).add(SPACE) : BigInteger.valueOf(value);
  }

  @Provide
  Arbitrary<Long> edges() {
    return Arbitraries.oneOf(
        Arbitraries.longs(),
        Arbitraries.longs().between(-40, 40),
        Arbitraries.longs().between(-40, 40).map(near -> Long.MIN_VALUE + near),
        Arbitraries.longs().between(-40, 40).map(near -> (1L << 32) + near));
  }

  /** Any registration that does not run past 2^64, any access that is not empty. */
  @Property(tries = 2_000)
  void covers_equalsTheSameTestOnUnboundedIntegers(
      @ForAll("edges") long base,
      @ForAll("edges") long sizeSeed,
      @ForAll("edges") long va,
      @ForAll("edges") long lengthSeed) {
    BigInteger room = SPACE.subtract(unsigned(base));
    long size = unsigned(sizeSeed).mod(room.min(SPACE.subtract(BigInteger.ONE))).longValue();
    long length = lengthSeed == 0 ? 1 : lengthSeed;

    assertThat(MemoryRegion.covers(base, size, va, length))
        .isEqualTo(reference(base, size, va, length));
  }

  /** Accesses near the region, where an off-by-one would hide. */
  @Property(tries = 2_000)
  void covers_nearTheEnds_equalsTheSameTestOnUnboundedIntegers(
      @ForAll("edges") long base,
      @ForAll("near") int size,
      @ForAll("near") int before,
      @ForAll("near") int length) {
    long last = base + size;
    if (unsigned(base).add(BigInteger.valueOf(size)).compareTo(SPACE) > 0) {
      base -= size;
    }
    for (long va : new long[] {base - before, base + before, last - before, last - length}) {
      assertThat(MemoryRegion.covers(base, size, va, length + 1L))
          .isEqualTo(reference(base, size, va, length + 1L));
    }
  }

  @Provide
  Arbitrary<Integer> near() {
    return Arbitraries.integers().between(0, 20);
  }

  @Property(tries = 1_000)
  void covers_emptyAccess_isCoveredEverywhere(
      @ForAll("edges") long base, @ForAll("edges") long va) {
    assertThat(MemoryRegion.covers(base, 0, va, 0)).isTrue();
  }

  @Property(tries = 1_000)
  void psnDistance_invertsAdd(@ForAll("psn") int psn, @ForAll("step") int step) {
    assertThat(Psn.distance(Psn.add(psn, step), psn)).isEqualTo(step);
    assertThat(Psn.add(psn, step)).isBetween(0, Psn.MASK);
  }

  @Provide
  Arbitrary<Integer> psn() {
    return Arbitraries.integers().between(0, Psn.MASK);
  }

  @Provide
  Arbitrary<Integer> step() {
    return Arbitraries.integers().between(-(1 << 23), (1 << 23) - 1);
  }

  private static boolean reference(long base, long size, long va, long length) {
    BigInteger low = unsigned(va);
    BigInteger regionLow = unsigned(base);
    return low.compareTo(regionLow) >= 0
        && low.add(unsigned(length)).compareTo(regionLow.add(unsigned(size))) <= 0;
  }
}
