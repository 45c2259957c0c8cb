package org.mrcheck.rnic;

import java.time.Duration;
import java.util.Objects;

/**
 * How long a reliable queue pair tries, as {@code ibv_modify_qp} takes it on the way to RTS.
 *
 * @param timeout how long it waits for an answer before it sends again
 * @param retryCount how often it sends again before {@code RETRY_EXC_ERR}, 0 to 7
 * @param rnrRetryCount how often a request that met an empty receive queue is sent again before
 *     {@code RNR_RETRY_EXC_ERR}, 0 to 7; 7 is for ever
 */
public record RetrySettings(Duration timeout, int retryCount, int rnrRetryCount) {
  /** Checks the ranges. */
  public RetrySettings {
    Objects.requireNonNull(timeout, "timeout");
    if (retryCount < 0 || retryCount > 7) {
      throw new IllegalArgumentException("retryCount=" + retryCount + " not in 0..7");
    }
    if (rnrRetryCount < 0 || rnrRetryCount > 7) {
      throw new IllegalArgumentException("rnrRetryCount=" + rnrRetryCount + " not in 0..7");
    }
  }
}
