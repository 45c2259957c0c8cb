package org.mrcheck.rnic.roce;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.zip.CRC32;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.rnic.Wire;

/**
 * Writes packets as RoCEv2 frames: Ethernet, IPv4, UDP to port 4791, BTH, the extension headers of
 * the opcode, payload, padding to four bytes, ICRC (IBTA volume 1, chapter 9 and annex 17). The
 * Ethernet check sequence is left out, as captures do.
 *
 * <p>Where hosts have a choice, the frames are as those of Linux's Soft-RoCE: partition key 0xffff,
 * MigReq 0, UDP without checksum, do not fragment, 64 hops. Stateless.
 */
public final class RoceFrame {
  /** UDP port of RoCEv2. */
  public static final int UDP_PORT = 4791;

  private static final int ETHERNET_BYTES = 14;
  private static final int IPV4_BYTES = 20;
  private static final int UDP_BYTES = 8;
  private static final int BTH_BYTES = 12;
  private static final int BTH_START = ETHERNET_BYTES + IPV4_BYTES + UDP_BYTES;
  private static final int ICRC_BYTES = 4;
  private static final int MOST_HOPS = 64;
  private static final byte[] NO_LINK_HEADER = {-1, -1, -1, -1, -1, -1, -1, -1};

  private RoceFrame() {}

  /**
   * How a frame travels.
   *
   * @param sourcePort UDP port it comes from, 16 bits; RoCEv2 leaves it free, to tell flows apart
   * @param identification of the IPv4 header, 16 bits; without meaning where nothing is fragmented
   */
  public record Route(Station source, Station destination, int sourcePort, int identification) {
    /** Checks the ranges. */
    public Route {
      requireBits("sourcePort", sourcePort, 16);
      requireBits("identification", identification, 16);
    }
  }

  /**
   * Encodes a packet of a connected transport.
   *
   * @param destinationQp number of the receiving queue pair, 24 bits
   * @param immediate immediate data; of no effect where the opcode has none
   * @param payload the data, as many bytes as the packet says
   * @throws IllegalArgumentException if the packet lacks what its opcode needs, or a value has more
   *     bits than its field
   */
  public static byte[] encode(
      Route route, int destinationQp, Packet packet, int immediate, byte[] payload) {
    return encode(route, destinationQp, new Wire.Frame(packet, payload, immediate, false));
  }

  /** Encodes a packet of a connected transport, as above. */
  public static byte[] encode(Route route, int destinationQp, Wire.Frame content) {
    return encode(route, UDP_PORT, destinationQp, content);
  }

  /** Encodes a packet to another UDP port than {@value #UDP_PORT}. */
  static byte[] encode(Route route, int destinationPort, int destinationQp, Wire.Frame content) {
    Packet packet = content.header();
    byte[] payload = content.payload();
    Opcode opcode = packet.opcode();
    if (!opcode.isReliableConnection() && !opcode.isUnreliableConnection()) {
      throw new IllegalArgumentException("opcode=" + opcode + " is of no connected transport");
    }
    if (packet.payload() != payload.length) {
      throw new IllegalArgumentException(
          "payload=" + packet.payload() + " but there are " + payload.length + " bytes");
    }
    requireBits("destinationQp", destinationQp, 24);
    requireBits("psn", packet.psn(), 24);
    int pad = -payload.length & 3;
    int length = BTH_START + BTH_BYTES + extensionBytes(opcode) + payload.length + pad + ICRC_BYTES;
    ByteBuffer frame = ByteBuffer.allocate(length);
    putUdp(frame, route, destinationPort);
    frame.put((byte) opcode.code());
    frame.put((byte) ((content.solicited() ? 1 << 7 : 0) | pad << 4));
    frame.putShort((short) 0xffff);
    frame.putInt(destinationQp);
    frame.putInt((packet.ackRequest() ? 1 << 31 : 0) | packet.psn());
    putExtensions(frame, packet, content.immediate());
    frame.put(payload);
    frame.position(frame.position() + pad);
    frame.putInt(Integer.reverseBytes(icrc(frame.array(), length)));
    return frame.array();
  }

  /** Flips a bit of a frame's ICRC. */
  public static void damage(byte[] frame) {
    frame[frame.length - 1] ^= 1;
  }

  /**
   * A RoCEv2 frame, taken apart.
   *
   * @param destinationQp number of the queue pair it is for
   * @param content the packet; its header says whether the ICRC was right
   */
  public record Decoded(int destinationQp, Wire.Frame content) {}

  /**
   * Takes a frame apart: Ethernet, IPv4 without options, UDP to port 4791, a connected transport.
   *
   * @param frame from its Ethernet header on; what Ethernet padded may follow
   * @return empty if it is something else, or its lengths do not fit
   */
  public static Optional<Decoded> decode(byte[] frame) {
    return decode(frame, UDP_PORT);
  }

  /** Takes a frame apart that came to another UDP port than {@value #UDP_PORT}. */
  static Optional<Decoded> decode(byte[] frame, int destinationPort) {
    ByteBuffer in = ByteBuffer.wrap(frame);
    if (frame.length < BTH_START + BTH_BYTES + ICRC_BYTES
        || in.getShort(12) != 0x0800
        || in.get(14) != 0x45
        || in.get(23) != 17
        || (in.getShort(20) & 0x3fff) != 0
        || (in.getShort(36) & 0xffff) != destinationPort) {
      return Optional.empty();
    }
    int length = ETHERNET_BYTES + (in.getShort(16) & 0xffff);
    Opcode opcode = new Opcode(in.get(BTH_START) & 0xff);
    int extensions = extensionBytes(opcode);
    int pad = in.get(BTH_START + 1) >> 4 & 3;
    int payloadBytes = length - BTH_START - BTH_BYTES - extensions - pad - ICRC_BYTES;
    if (length > frame.length
        || payloadBytes < 0
        || opcode.toString().startsWith("OPCODE_")
        || !opcode.isReliableConnection() && !opcode.isUnreliableConnection()) {
      return Optional.empty();
    }
    boolean right = Integer.reverseBytes(in.getInt(length - ICRC_BYTES)) == icrc(frame, length);
    boolean solicited = in.get(BTH_START + 1) < 0;
    int destinationQp = in.getInt(BTH_START + 4) & 0xff_ffff;
    int word = in.getInt(BTH_START + 8);
    in.position(BTH_START + BTH_BYTES);
    Optional<RemoteAccess> access = Optional.empty();
    OptionalLong compare = OptionalLong.empty();
    OptionalLong swap = OptionalLong.empty();
    if (opcode.hasReth() || opcode.isAtomicRequest()) {
      long va = in.getLong();
      MemoryKey key = new MemoryKey(in.getInt());
      if (opcode.hasReth()) {
        access = Optional.of(new RemoteAccess(key, va, in.getInt() & 0xffff_ffffL));
      } else {
        access = Optional.of(new RemoteAccess(key, va, 8));
        swap = OptionalLong.of(in.getLong());
        compare = OptionalLong.of(in.getLong());
      }
    }
    Optional<Syndrome> syndrome = Optional.empty();
    OptionalInt msn = OptionalInt.empty();
    if (opcode.hasAeth()) {
      int aeth = in.getInt();
      syndrome = Optional.of(new Syndrome(aeth >>> 24));
      msn = OptionalInt.of(aeth & 0xff_ffff);
    }
    OptionalLong original =
        isAtomicAcknowledge(opcode) ? OptionalLong.of(in.getLong()) : OptionalLong.empty();
    int immediate = opcode.hasImmediate() ? in.getInt() : 0;
    Optional<MemoryKey> invalidate =
        opcode.hasIeth() ? Optional.of(new MemoryKey(in.getInt())) : Optional.empty();
    byte[] payload = new byte[payloadBytes];
    in.get(payload);
    Packet packet =
        new Packet(
            opcode,
            word & 0xff_ffff,
            word < 0,
            payloadBytes,
            access,
            invalidate,
            syndrome,
            msn,
            compare,
            swap,
            original,
            right ? Icrc.OK : Icrc.BAD);
    return Optional.of(
        new Decoded(destinationQp, new Wire.Frame(packet, payload, immediate, solicited)));
  }

  /** Encodes a UDP datagram that is no RoCE packet. */
  public static byte[] datagram(Route route, int destinationPort, byte[] content) {
    return withHeaders(route, destinationPort, content);
  }

  /** Content of a UDP datagram with the headers that were before it. */
  static byte[] withHeaders(Route route, int destinationPort, byte[] content) {
    requireBits("destinationPort", destinationPort, 16);
    ByteBuffer frame = ByteBuffer.allocate(BTH_START + content.length);
    putUdp(frame, route, destinationPort);
    frame.put(content);
    return frame.array();
  }

  /**
   * The invariant CRC of a RoCEv2 frame over IPv4 without options or VLAN tags: CRC-32 of eight
   * 0xff bytes for the missing link header, then of the packet from the IPv4 header to the end of
   * its padding, with ones for what routers may change: type of service, time to live, header
   * checksum, UDP checksum, and the BTH's fifth byte. On the wire its lowest byte comes first.
   *
   * @param frame the frame from its Ethernet header on; what stands in place of the CRC is of no
   *     matter
   * @param length bytes of the frame with its CRC and without what Ethernet pads
   */
  public static int icrc(byte[] frame, int length) {
    if (length < BTH_START + BTH_BYTES + ICRC_BYTES || length > frame.length) {
      throw new IllegalArgumentException("length=" + length + " of " + frame.length + " bytes");
    }
    byte[] masked = new byte[BTH_BYTES + IPV4_BYTES + UDP_BYTES];
    System.arraycopy(frame, ETHERNET_BYTES, masked, 0, masked.length);
    masked[1] = -1;
    masked[8] = -1;
    masked[10] = -1;
    masked[11] = -1;
    masked[IPV4_BYTES + 6] = -1;
    masked[IPV4_BYTES + 7] = -1;
    masked[IPV4_BYTES + UDP_BYTES + 4] = -1;
    int rest = ETHERNET_BYTES + masked.length;
    CRC32 crc = new CRC32();
    crc.update(NO_LINK_HEADER);
    crc.update(masked);
    crc.update(frame, rest, length - ICRC_BYTES - rest);
    return (int) crc.getValue();
  }

  /** Everything before the UDP payload; the buffer's capacity is the frame's length. */
  private static void putUdp(ByteBuffer frame, Route route, int destinationPort) {
    int length = frame.capacity() - ETHERNET_BYTES;
    requireBits("length", length, 16);
    putMac(frame, route.destination().mac());
    putMac(frame, route.source().mac());
    frame.putShort((short) 0x0800);
    frame.putShort((short) 0x4500);
    frame.putShort((short) length);
    frame.putShort((short) route.identification());
    frame.putShort((short) 0x4000);
    frame.put((byte) MOST_HOPS);
    frame.put((byte) 17);
    frame.putShort((short) 0);
    frame.putInt(route.source().ipv4());
    frame.putInt(route.destination().ipv4());
    frame.putShort(ETHERNET_BYTES + 10, checksum(frame));
    frame.putShort((short) route.sourcePort());
    frame.putShort((short) destinationPort);
    frame.putShort((short) (length - IPV4_BYTES));
    frame.putShort((short) 0);
  }

  private static void putMac(ByteBuffer frame, long mac) {
    frame.putShort((short) (mac >>> 32));
    frame.putInt((int) mac);
  }

  /** Of the IPv4 header (RFC 791), whose checksum field still holds 0. */
  private static short checksum(ByteBuffer frame) {
    int sum = 0;
    for (int at = ETHERNET_BYTES; at < ETHERNET_BYTES + IPV4_BYTES; at += 2) {
      sum += frame.getShort(at) & 0xffff;
    }
    sum = (sum & 0xffff) + (sum >>> 16);
    return (short) ~((sum & 0xffff) + (sum >>> 16));
  }

  private static boolean isAtomicAcknowledge(Opcode opcode) {
    return opcode.equals(Opcode.RC_ATOMIC_ACKNOWLEDGE);
  }

  private static int extensionBytes(Opcode opcode) {
    return (opcode.hasReth() ? 16 : 0)
        + (opcode.isAtomicRequest() ? 28 : 0)
        + (opcode.hasAeth() ? 4 : 0)
        + (isAtomicAcknowledge(opcode) ? 8 : 0)
        + (opcode.hasImmediate() ? 4 : 0)
        + (opcode.hasIeth() ? 4 : 0);
  }

  private static void putExtensions(ByteBuffer frame, Packet packet, int immediate) {
    Opcode opcode = packet.opcode();
    if (opcode.hasReth() || opcode.isAtomicRequest()) {
      RemoteAccess access = required(packet, "access", packet.access());
      frame.putLong(access.va());
      frame.putInt(access.key().bits());
      if (opcode.hasReth()) {
        if (access.length() >>> 32 != 0) {
          throw new IllegalArgumentException("length=" + access.length() + " has over 32 bits");
        }
        frame.putInt((int) access.length());
      } else {
        frame.putLong(packet.swap().orElse(0));
        frame.putLong(packet.compare().orElse(0));
      }
    }
    if (opcode.hasAeth()) {
      int msn = packet.msn().orElse(0);
      requireBits("msn", msn, 24);
      frame.putInt(required(packet, "syndrome", packet.syndrome()).bits() << 24 | msn);
    }
    if (isAtomicAcknowledge(opcode)) {
      frame.putLong(packet.original().orElse(0));
    }
    if (opcode.hasImmediate()) {
      frame.putInt(immediate);
    }
    if (opcode.hasIeth()) {
      frame.putInt(required(packet, "invalidate", packet.invalidate()).bits());
    }
  }

  private static <T> T required(Packet packet, String what, Optional<T> value) {
    return value.orElseThrow(
        () -> new IllegalArgumentException("opcode=" + packet.opcode() + " without " + what));
  }

  private static void requireBits(String name, int value, int bits) {
    if (value >>> bits != 0) {
      throw new IllegalArgumentException(name + "=" + value + " has over " + bits + " bits");
    }
  }
}
