package org.mrcheck.check.capture;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Syndrome;

/** What the dissector found in a frame. */
public sealed interface Frame {
  /** Position among the frames of the file, from 1. */
  long number();

  /** Nanoseconds since 1970 on the capturing host's clock. */
  long timeNanos();

  /** How an InfiniBand packet was carried. */
  enum Encapsulation {
    /** UDP port 4791 (RoCEv2). */
    ROCE_V2("rocev2"),
    /** EtherType 0x8915 with a GRH (RoCEv1). */
    ROCE_V1("rocev1"),
    /** A native link with an LRH. */
    INFINIBAND("infiniband");

    private final String text;

    Encapsulation(String text) {
      this.text = text;
    }

    /** The word for it in a trace's header. */
    public String text() {
      return text;
    }
  }

  /**
   * A packet with a base transport header. What the header of its opcode does not carry, or what
   * the snap length cut off, is empty.
   *
   * @param source sending host: an IP address, {@code lid3} on native InfiniBand, a GID in RoCEv1
   *     unless that holds an IPv4 address
   * @param destination receiving host, likewise
   * @param destinationQp the receiver's queue pair number, 24 bits; the sender's is not in a packet
   * @param padCount bytes of padding, 0 to 3
   * @param payload bytes of payload without padding, as the lengths in the headers say
   * @param access RETH or AtomicETH
   * @param sourceQp DETH of a datagram
   * @param management the management datagram inside, on queue pairs 0 and 1
   * @param truncated whether the snap length cut the frame
   */
  record Rdma(
      long number,
      long timeNanos,
      Encapsulation encapsulation,
      String source,
      String destination,
      Opcode opcode,
      int destinationQp,
      int psn,
      boolean ackRequest,
      int padCount,
      int payload,
      Optional<RemoteAccess> access,
      OptionalLong compare,
      OptionalLong swap,
      OptionalLong original,
      Optional<MemoryKey> invalidate,
      Optional<Syndrome> syndrome,
      OptionalInt msn,
      OptionalInt sourceQp,
      Optional<ManagementDatagram> management,
      Icrc icrc,
      boolean truncated)
      implements Frame {

    /** The packet as an event carries it. */
    public Packet packet() {
      return new Packet(
          opcode,
          psn,
          ackRequest,
          payload,
          access,
          invalidate,
          syndrome,
          msn,
          compare,
          swap,
          original,
          icrc);
    }

    /** Whether the transport is one that events speak of: a reliable or unreliable connection. */
    public boolean isConnected() {
      return opcode.code() < 0x40;
    }

    /** Whether the packet asks something of the host it is addressed to. */
    public boolean isRequest() {
      return isConnected() && opcode.isRequest();
    }

    /** Whether the packet answers the host it is addressed to. */
    public boolean isResponse() {
      return opcode.isAcknowledge() || opcode.isReadResponse() || opcode.code() == 18;
    }
  }

  /**
   * A UDP datagram that is not RoCE; kept because it may be a mark.
   *
   * @param source sending host's IP address
   * @param destination receiving host's IP address
   * @param text the payload, as far as it was captured, as UTF-8
   */
  record Datagram(
      long number,
      long timeNanos,
      String source,
      String destination,
      int destinationPort,
      String text)
      implements Frame {}

  /**
   * A frame without an InfiniBand packet that could be read.
   *
   * @param reason what it is
   */
  record Other(long number, long timeNanos, FrameFate reason) implements Frame {}
}
