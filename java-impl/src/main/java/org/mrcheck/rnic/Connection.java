package org.mrcheck.rnic;

import java.util.Objects;
import java.util.Set;
import org.mrcheck.lang.trace.QueuePairAddress;

/**
 * What one end of a reliable connection knows of the other, as {@code ibv_modify_qp} takes it on
 * the way to RTS.
 *
 * @param peer the other end
 * @param sendPsn first PSN of this end's requests ({@code sq_psn}), 24 bits
 * @param receivePsn first PSN expected of the peer's requests ({@code rq_psn}), 24 bits
 * @param mtu path MTU in bytes: 256, 512, 1024, 2048 or 4096
 */
public record Connection(QueuePairAddress peer, int sendPsn, int receivePsn, int mtu) {
  private static final Set<Integer> MTUS = Set.of(256, 512, 1024, 2048, 4096);

  /** Checks the ranges. */
  public Connection {
    Objects.requireNonNull(peer, "peer");
    Psn.requireValid("sendPsn", sendPsn);
    Psn.requireValid("receivePsn", receivePsn);
    if (!MTUS.contains(mtu)) {
      throw new IllegalArgumentException("mtu=" + mtu + " is none of 256, 512, 1024, 2048, 4096");
    }
  }
}
