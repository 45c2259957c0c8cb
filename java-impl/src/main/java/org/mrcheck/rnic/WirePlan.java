package org.mrcheck.rnic;

import java.time.Duration;
import java.util.Objects;

/**
 * What a {@link Wire} does to packets. Each direction between two queue pairs has random numbers of
 * its own, taken from the seed, for its requests and for its answers; so the fate of the n-th
 * packet of such a stream depends on nothing else. Rates are probabilities. Immutable.
 *
 * @param loss a packet vanishes, 0 to 1
 * @param duplication a second copy arrives a little later, 0 to 1
 * @param reordering a packet arrives later than those sent after it, 0 to 1
 * @param corruption a bit is flipped, so that the receiver finds the ICRC wrong and drops the
 *     packet, 0 to 1
 * @param delay the longest time a packet may take; each takes any time up to it, 0 to 10 s
 * @param seed decides all that
 * @param byNumber whether a packet to a destroyed queue pair reaches the next one of its number, as
 *     on a real network, and not nobody
 */
public record WirePlan(
    double loss,
    double duplication,
    double reordering,
    double corruption,
    Duration delay,
    long seed,
    boolean byNumber) {
  /** Every packet arrives once, in order, at once. */
  public static final WirePlan PERFECT = new WirePlan(0, 0, 0, 0, Duration.ZERO, 0, false);

  /** Checks the ranges. */
  public WirePlan {
    requireRate("loss", loss);
    requireRate("duplication", duplication);
    requireRate("reordering", reordering);
    requireRate("corruption", corruption);
    Objects.requireNonNull(delay, "delay");
    if (delay.isNegative() || delay.compareTo(Duration.ofSeconds(10)) > 0) {
      throw new IllegalArgumentException("delay=" + delay + " not in 0..10 s");
    }
  }

  /** This plan with another rate of loss. */
  public WirePlan withLoss(double rate) {
    return new WirePlan(rate, duplication, reordering, corruption, delay, seed, byNumber);
  }

  /** This plan with another rate of duplication. */
  public WirePlan withDuplication(double rate) {
    return new WirePlan(loss, rate, reordering, corruption, delay, seed, byNumber);
  }

  /** This plan with another rate of reordering. */
  public WirePlan withReordering(double rate) {
    return new WirePlan(loss, duplication, rate, corruption, delay, seed, byNumber);
  }

  /** This plan with another rate of corruption. */
  public WirePlan withCorruption(double rate) {
    return new WirePlan(loss, duplication, reordering, rate, delay, seed, byNumber);
  }

  /** This plan with another longest time. */
  public WirePlan withDelay(Duration longest) {
    return new WirePlan(loss, duplication, reordering, corruption, longest, seed, byNumber);
  }

  /** This plan with another seed. */
  public WirePlan withSeed(long newSeed) {
    return new WirePlan(loss, duplication, reordering, corruption, delay, newSeed, byNumber);
  }

  /** This plan with packets going to numbers, whoever has them when they arrive. */
  public WirePlan withDeliveryByNumber() {
    return new WirePlan(loss, duplication, reordering, corruption, delay, seed, true);
  }

  /** Whether it leaves every packet alone. */
  public boolean isPerfect() {
    return loss == 0 && duplication == 0 && reordering == 0 && corruption == 0 && delay.isZero();
  }

  private static void requireRate(String name, double rate) {
    if (!(rate >= 0 && rate <= 1)) {
      throw new IllegalArgumentException(name + "=" + rate + " not in 0..1");
    }
  }
}
