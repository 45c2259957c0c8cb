package org.mrcheck.lang.trace;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A packet as a queue pair sends or receives it; what the header of its opcode does not carry is
 * empty.
 *
 * @param opcode BTH opcode
 * @param psn packet sequence number, 24 bits
 * @param ackRequest the BTH's A bit
 * @param payload bytes of payload without padding
 * @param access RETH or AtomicETH
 * @param invalidate IETH: the key a SEND asks to invalidate
 * @param syndrome AETH syndrome
 * @param msn AETH message sequence number, 24 bits
 * @param compare AtomicETH compare data, unsigned 64 bits
 * @param swap AtomicETH swap or add data, unsigned 64 bits
 * @param original AtomicAckETH: the value before the operation
 * @param icrc whether the frame's invariant CRC was right
 */
public record Packet(
    Opcode opcode,
    int psn,
    boolean ackRequest,
    int payload,
    Optional<RemoteAccess> access,
    Optional<MemoryKey> invalidate,
    Optional<Syndrome> syndrome,
    OptionalInt msn,
    OptionalLong compare,
    OptionalLong swap,
    OptionalLong original,
    Icrc icrc) {

  /** A request or response without any extension header. */
  public static Packet plain(Opcode opcode, int psn, boolean ackRequest, int payload) {
    return new Packet(
        opcode,
        psn,
        ackRequest,
        payload,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        Icrc.UNCHECKED);
  }

  /** This packet with a RETH or AtomicETH. */
  public Packet withAccess(RemoteAccess remote) {
    return new Packet(
        opcode,
        psn,
        ackRequest,
        payload,
        Optional.of(remote),
        invalidate,
        syndrome,
        msn,
        compare,
        swap,
        original,
        icrc);
  }

  /** This packet with an AETH. */
  public Packet withAeth(Syndrome aethSyndrome, int aethMsn) {
    return new Packet(
        opcode,
        psn,
        ackRequest,
        payload,
        access,
        invalidate,
        Optional.of(aethSyndrome),
        OptionalInt.of(aethMsn),
        compare,
        swap,
        original,
        icrc);
  }
}
