package org.mrcheck.check.capture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** Builds capture files and RoCEv2 frames byte by byte, for tests. */
final class CaptureBytes {
  private CaptureBytes() {}

  /** A classic pcap file. */
  static final class Pcap {
    private final ByteOrder order;
    private final boolean nanos;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private long time = 1_000_000_000L;

    Pcap(ByteOrder order, boolean nanos, int linkType) {
      this.order = order;
      this.nanos = nanos;
      ByteBuffer header = ByteBuffer.allocate(24).order(order);
      header.putInt(nanos ? 0xa1b23c4d : 0xa1b2c3d4).putShort((short) 2).putShort((short) 4);
      header.putInt(0).putInt(0).putInt(65535).putInt(linkType);
      out.writeBytes(header.array());
    }

    static Pcap ethernet() {
      return new Pcap(ByteOrder.LITTLE_ENDIAN, true, RawFrame.ETHERNET);
    }

    /** Adds a whole frame, a millisecond after the one before. */
    Pcap add(byte[] frame) {
      time += 1_000_000;
      return add(time, frame, frame.length);
    }

    Pcap add(long timeNanos, byte[] frame, int originalLength) {
      ByteBuffer header = ByteBuffer.allocate(16).order(order);
      header.putInt((int) (timeNanos / 1_000_000_000L));
      int fraction = (int) (timeNanos % 1_000_000_000L);
      header.putInt(nanos ? fraction : fraction / 1000);
      header.putInt(frame.length).putInt(originalLength);
      out.writeBytes(header.array());
      out.writeBytes(frame);
      return this;
    }

    byte[] bytes() {
      return out.toByteArray();
    }
  }

  /** A pcapng file. */
  static final class Pcapng {
    private ByteOrder order;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Pcapng section(ByteOrder byteOrder) {
      order = byteOrder;
      return block(0x0a0d0d0a, buffer(16).putInt(0x1a2b3c4d).putInt(versionWord()).putLong(-1));
    }

    private int versionWord() {
      return order == ByteOrder.BIG_ENDIAN ? 0x0001_0000 : 0x0000_0001;
    }

    Pcapng interfaceOf(int linkType, int snapLength) {
      return block(1, buffer(8).putShort((short) linkType).putShort((short) 0).putInt(snapLength));
    }

    Pcapng interfaceOf(int linkType, int resolution, long offsetSeconds) {
      return block(
          1,
          buffer(8 + 8 + 12 + 4)
              .putShort((short) linkType)
              .putShort((short) 0)
              .putInt(0)
              .putShort((short) 9)
              .putShort((short) 1)
              .put((byte) resolution)
              .put(new byte[3])
              .putShort((short) 14)
              .putShort((short) 8)
              .putLong(offsetSeconds)
              .putInt(0));
    }

    Pcapng enhanced(int id, long units, byte[] frame) {
      return block(
          6,
          buffer(20 + padded(frame.length))
              .putInt(id)
              .putInt((int) (units >>> 32))
              .putInt((int) units)
              .putInt(frame.length)
              .putInt(frame.length)
              .put(frame));
    }

    Pcapng old(int id, long units, byte[] frame) {
      return block(
          2,
          buffer(20 + padded(frame.length))
              .putShort((short) id)
              .putShort((short) 7)
              .putInt((int) (units >>> 32))
              .putInt((int) units)
              .putInt(frame.length)
              .putInt(frame.length)
              .put(frame));
    }

    Pcapng simple(int originalLength, byte[] kept) {
      return block(3, buffer(4 + padded(kept.length)).putInt(originalLength).put(kept));
    }

    Pcapng unknown(int type, int bodyLength) {
      return block(type, buffer(bodyLength));
    }

    private Pcapng block(int type, ByteBuffer body) {
      int length = body.capacity() + 12;
      ByteBuffer block = ByteBuffer.allocate(length).order(order);
      block.putInt(type).putInt(length).put(body.array()).putInt(length);
      out.writeBytes(block.array());
      return this;
    }

    private ByteBuffer buffer(int size) {
      return ByteBuffer.allocate(size).order(order);
    }

    private static int padded(int length) {
      return length + 3 & ~3;
    }

    byte[] bytes() {
      return out.toByteArray();
    }
  }

  /** A UDP datagram in IPv4 in Ethernet. */
  static byte[] udp(String source, String destination, int port, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(14 + 20 + 8 + payload.length);
    frame.put(new byte[12]).putShort((short) 0x0800);
    frame.put((byte) 0x45).put((byte) 0).putShort((short) (28 + payload.length));
    frame.putInt(0x1234_4000).put((byte) 64).put((byte) 17).putShort((short) 0);
    frame.put(address(source)).put(address(destination));
    frame.putShort((short) 49152).putShort((short) port);
    frame.putShort((short) (8 + payload.length)).putShort((short) 0);
    frame.put(payload);
    return frame.array();
  }

  static byte[] mark(String source, String destination, String line) {
    return udp(source, destination, 9999, line.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] address(String text) {
    String[] parts = text.split("\\.");
    byte[] bytes = new byte[4];
    for (int i = 0; i < 4; i++) {
      bytes[i] = (byte) Integer.parseInt(parts[i]);
    }
    return bytes;
  }

  /** A RoCEv2 packet with a right ICRC; {@code headers} and payload follow the BTH. */
  static byte[] roce(
      String source, String destination, int opcode, int qp, int psn, byte[] headersAndPayload) {
    int pad = -headersAndPayload.length & 3;
    ByteBuffer packet = ByteBuffer.allocate(12 + headersAndPayload.length + pad + 4);
    packet.put((byte) opcode).put((byte) (pad << 4)).putShort((short) 0xffff);
    packet.putInt(qp).putInt(0x8000_0000 | psn);
    packet.put(headersAndPayload);
    byte[] frame = udp(source, destination, 4791, packet.array());
    CRC32 crc = new CRC32();
    byte[] ones = {-1, -1, -1, -1, -1, -1, -1, -1};
    crc.update(ones);
    byte[] masked = frame.clone();
    for (int at : new int[] {15, 22, 24, 25, 40, 41, 46}) {
      masked[at] = -1;
    }
    crc.update(masked, 14, frame.length - 14 - 4);
    int value = (int) crc.getValue();
    for (int i = 0; i < 4; i++) {
      frame[frame.length - 4 + i] = (byte) (value >>> 8 * i);
    }
    return frame;
  }

  static byte[] reth(long va, int key, int length, int payload) {
    return ByteBuffer.allocate(16 + payload).putLong(va).putInt(key).putInt(length).array();
  }

  static byte[] aeth(int syndrome, int msn) {
    return ByteBuffer.allocate(4).putInt(syndrome << 24 | msn).array();
  }

  /** Joins byte arrays. */
  static byte[] join(List<byte[]> parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new ArrayList<>(parts).forEach(out::writeBytes);
    return out.toByteArray();
  }
}
