package org.mrcheck.rnic;

/**
 * Settings of the reliable transport that {@code ibv_modify_qp} takes, as defaults for new queue
 * pairs, and what the engines may choose for themselves. Immutable; change one with its method.
 *
 * @param rnrRetryCount how often a request that met an empty receive queue is sent again before
 *     {@code RNR_RETRY_EXC_ERR}, 0 to 7; 7 is for ever
 * @param minRnrTimer the code of the time that a peer has to wait after an RNR NAK, 0 to 31
 * @param maxDestReads READs and atomics whose replay a responder remembers, 1 to 255
 * @param ackCoalescing how many acknowledgements in a row may be left out when a later one of the
 *     same queue pair follows at once, 0 to 64
 * @param maxInline bytes that may be posted inline, 0 to 4096
 */
public record TransportSettings(
    int rnrRetryCount, int minRnrTimer, int maxDestReads, int ackCoalescing, int maxInline) {
  /** Wait 0.64 ms after an RNR NAK, for ever; 16 replays; up to 4 coalesced; 256 bytes inline. */
  public static final TransportSettings DEFAULT = new TransportSettings(7, 12, 16, 4, 256);

  private static final int[] RNR_MICROSECONDS = {
    655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1_280, 1_920, 2_560, 3_840,
    5_120, 7_680, 10_240, 15_360, 20_480, 30_720, 40_960, 61_440, 81_920, 122_880, 163_840, 245_760,
    327_680, 491_520
  };

  /** Checks the ranges. */
  public TransportSettings {
    requireRange("rnrRetryCount", rnrRetryCount, 0, 7);
    requireRange("minRnrTimer", minRnrTimer, 0, 31);
    requireRange("maxDestReads", maxDestReads, 1, 255);
    requireRange("ackCoalescing", ackCoalescing, 0, 64);
    requireRange("maxInline", maxInline, 0, 4096);
  }

  /** These settings with another RNR retry budget and timer code. */
  public TransportSettings withRnr(int retryCount, int timer) {
    return new TransportSettings(retryCount, timer, maxDestReads, ackCoalescing, maxInline);
  }

  /** These settings with another number of replay resources. */
  public TransportSettings withMaxDestReads(int count) {
    return new TransportSettings(rnrRetryCount, minRnrTimer, count, ackCoalescing, maxInline);
  }

  /** These settings with another limit of acknowledgements left out. */
  public TransportSettings withAckCoalescing(int count) {
    return new TransportSettings(rnrRetryCount, minRnrTimer, maxDestReads, count, maxInline);
  }

  /** The time that an RNR NAK with that timer code asks for, in nanoseconds (IBTA table 45). */
  static long rnrNanos(int timer) {
    return RNR_MICROSECONDS[timer] * 1_000L;
  }

  private static void requireRange(String name, int value, int low, int high) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(name + "=" + value + " not in " + low + ".." + high);
    }
  }
}
