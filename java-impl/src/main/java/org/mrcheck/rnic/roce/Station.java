package org.mrcheck.rnic.roce;

/**
 * An Ethernet and IPv4 address that belong together.
 *
 * @param mac Ethernet address, the lower 48 bits
 * @param ipv4 IPv4 address, the first byte uppermost
 */
public record Station(long mac, int ipv4) {
  /** Checks the range. */
  public Station {
    if (mac >>> 48 != 0) {
      throw new IllegalArgumentException("mac=0x" + Long.toHexString(mac) + " has over 48 bits");
    }
  }

  /**
   * The made-up addresses of a host, out of the ranges reserved for documentation: 192.0.2.N (RFC
   * 5737) and 00-00-5e-00-53-N (RFC 7042).
   *
   * @param number 1 to 254
   */
  public static Station documentation(int number) {
    if (number < 1 || number > 254) {
      throw new IllegalArgumentException("number=" + number + " not in 1..254");
    }
    return new Station(0x00_00_5e_00_53_00L | number, 192 << 24 | 2 << 8 | number);
  }

  /** The IPv4 address as text. */
  public String ipv4Text() {
    return (ipv4 >>> 24)
        + "."
        + (ipv4 >>> 16 & 0xff)
        + "."
        + (ipv4 >>> 8 & 0xff)
        + "."
        + (ipv4 & 0xff);
  }
}
