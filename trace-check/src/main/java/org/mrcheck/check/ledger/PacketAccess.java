package org.mrcheck.check.ledger;

import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.MemoryKey;

/**
 * What one request packet wants to do to memory. Middle and last packets of a WRITE carry no
 * address (row C5): theirs comes from the message's RETH and their distance from its first packet.
 *
 * @param psn the packet's PSN
 * @param span how many PSNs the request occupies: for a READ one per response packet, else 1
 * @param access what it does
 * @param key the message's key
 * @param va first address of the packet's own range, unsigned
 * @param length bytes of the packet's own range, unsigned; for a READ of the whole request
 * @param remaining bytes of the message from {@code va} on, unsigned
 * @param messageLength bytes of the whole message
 */
public record PacketAccess(
    int psn,
    long span,
    AccessKind access,
    MemoryKey key,
    long va,
    long length,
    long remaining,
    long messageLength) {}
