package org.mrcheck.lang.trace;

/**
 * A queue pair within a host: a number and which of the queue pairs that bore it. Numbers are
 * reused, so a number alone names no queue pair. Written {@code 0x11.1}.
 *
 * @param number queue pair number, 24 bits
 * @param incarnation 1 for the first queue pair that bore the number in the recording
 */
public record QueuePairId(int number, int incarnation) {
  @Override
  public String toString() {
    return "0x" + Integer.toHexString(number) + "." + incarnation;
  }
}
