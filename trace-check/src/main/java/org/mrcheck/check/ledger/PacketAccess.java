package org.mrcheck.check.ledger;

import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.MemoryKey;

/**
 * What one request packet wants to do to memory. Middle and last packets of a WRITE carry no
 * address (row C5): theirs comes from the message's RETH and their distance from its first packet.
 * All numbers are unsigned.
 *
 * @param psn the packet's PSN
 * @param span how many PSNs the request occupies: for a READ one per response packet, else 1
 * @param access what it does
 * @param key the message's key
 * @param messageVa first address of the whole message
 * @param messageLength bytes of the whole message
 * @param offset where in the message the packet's own range begins
 * @param length bytes of the packet's own range; for a READ of the whole request
 */
public record PacketAccess(
    int psn,
    long span,
    AccessKind access,
    MemoryKey key,
    long messageVa,
    long messageLength,
    long offset,
    long length) {

  /** First address of the packet's own range. */
  public long va() {
    return messageVa + offset;
  }

  /** Bytes of the message from {@link #va()} on, never less than {@link #length}. */
  public long remaining() {
    long rest = Long.compareUnsigned(messageLength, offset) >= 0 ? messageLength - offset : 0;
    return Long.compareUnsigned(rest, length) >= 0 ? rest : length;
  }
}
