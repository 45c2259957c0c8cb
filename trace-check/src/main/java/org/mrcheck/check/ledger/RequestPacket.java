package org.mrcheck.check.ledger;

import java.util.Optional;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.Stamp;

/**
 * A request packet that arrived and has not been answered.
 *
 * @param span PSNs it occupies, at least 1
 * @param access what it wants of memory; empty for a SEND or where its message's start is unknown
 */
record RequestPacket(Stamp stamp, Packet packet, long span, Optional<PacketAccess> access) {}
