package org.mrcheck.check.ledger;

import java.util.Optional;

/**
 * One instance of a contract as the ledger sees it: the values of its slice's parameters and the
 * raw facts stored when it was created. Immutable.
 *
 * @param values the parameters
 * @param packet the request packet, for a slice with {@code psn}
 * @param message the message's PSNs, for a slice with {@code message} or {@code psn}
 */
public record Instance(
    ParameterValues values, Optional<PacketAccess> packet, Optional<MessageSpan> message) {

  /** An instance without a packet or message. */
  public static Instance of(ParameterValues values) {
    return new Instance(values, Optional.empty(), Optional.empty());
  }
}
