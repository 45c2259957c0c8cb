package org.mrcheck.check.capture;

import java.util.zip.CRC32;
import org.mrcheck.lang.trace.Icrc;

/**
 * The invariant CRC of RoCE packets (IBTA volume 1, annexes 16 and 17): CRC-32 over eight 0xff
 * bytes in place of the missing link header, then the packet from its network header to the end of
 * the payload with every field that a router may change set to ones; stored little-endian.
 */
final class InvariantCrc {
  private static final byte[] LINK_HEADER = {-1, -1, -1, -1, -1, -1, -1, -1};

  private InvariantCrc() {}

  /**
   * Checks one whole packet.
   *
   * @param network offset of the IPv4 header, the IPv6 header or the GRH
   * @param bth offset of the base transport header
   * @param end offset one past the stored CRC, within the bytes
   */
  static Icrc check(byte[] bytes, int network, int bth, int end, boolean ipv4) {
    int covered = end - 4 - network;
    if (covered < 0 || bth + 12 > end - 4 || end > bytes.length) {
      return Icrc.UNCHECKED;
    }
    byte[] masked = new byte[covered];
    System.arraycopy(bytes, network, masked, 0, covered);
    int transport = bth - network;
    if (ipv4) {
      // Type of service, time to live, header checksum.
      masked[1] = -1;
      masked[8] = -1;
      masked[10] = -1;
      masked[11] = -1;
      maskUdpChecksum(masked, transport);
    } else {
      // Traffic class, flow label, hop limit.
      masked[0] |= 0x0f;
      masked[1] = -1;
      masked[2] = -1;
      masked[3] = -1;
      masked[7] = -1;
      // In RoCEv1 the GRH is followed by the BTH itself, without UDP.
      if (masked[6] != 0x1b) {
        maskUdpChecksum(masked, transport);
      }
    }
    masked[transport + 4] = -1;
    CRC32 crc = new CRC32();
    crc.update(LINK_HEADER);
    crc.update(masked);
    int stored = 0;
    for (int i = 3; i >= 0; i--) {
      stored = stored << 8 | bytes[end - 4 + i] & 0xff;
    }
    return (int) crc.getValue() == stored ? Icrc.OK : Icrc.BAD;
  }

  private static void maskUdpChecksum(byte[] masked, int transport) {
    masked[transport - 2] = -1;
    masked[transport - 1] = -1;
  }
}
