package org.mrcheck.rnic;

/**
 * Flags of a work request of a send queue.
 *
 * @param signaled whether a success is reported ({@code IBV_SEND_SIGNALED}); an error always is
 * @param fence whether it waits until all earlier READs and atomics are complete ({@code
 *     IBV_SEND_FENCE})
 * @param solicited whether it wakes a receiver that waits for such a completion only ({@code
 *     IBV_SEND_SOLICITED})
 */
public record SendFlags(boolean signaled, boolean fence, boolean solicited) {
  /** Reported, and nothing else. */
  public static final SendFlags SIGNALED = new SendFlags(true, false, false);

  /** A success is not reported. */
  public static final SendFlags UNSIGNALED = new SendFlags(false, false, false);

  /** Reported, and waits for earlier READs and atomics. */
  public static final SendFlags FENCED = new SendFlags(true, true, false);
}
