package org.mrcheck.rnic;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Packet;

/** Packets with the headers that few opcodes have. Stateless. */
final class RocePackets {
  private RocePackets() {}

  /** With an AtomicAckETH: what was there before. */
  static Packet withOriginal(Packet packet, long original) {
    return change(
        packet, packet.invalidate(), packet.compare(), packet.swap(), OptionalLong.of(original));
  }

  /** With the operands of an AtomicETH; FETCH_ADD has its addend where CMP_SWP has swap. */
  static Packet withOperands(Packet packet, long compare, long swapOrAdd) {
    return change(
        packet,
        packet.invalidate(),
        OptionalLong.of(compare),
        OptionalLong.of(swapOrAdd),
        packet.original());
  }

  /** With an IETH. */
  static Packet withInvalidate(Packet packet, MemoryKey key) {
    return change(packet, Optional.of(key), packet.compare(), packet.swap(), packet.original());
  }

  private static Packet change(
      Packet packet,
      Optional<MemoryKey> invalidate,
      OptionalLong compare,
      OptionalLong swap,
      OptionalLong original) {
    OptionalInt msn = packet.msn();
    return new Packet(
        packet.opcode(),
        packet.psn(),
        packet.ackRequest(),
        packet.payload(),
        packet.access(),
        invalidate,
        packet.syndrome(),
        msn,
        compare,
        swap,
        original,
        packet.icrc());
  }
}
