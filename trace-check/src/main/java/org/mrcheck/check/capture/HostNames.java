package org.mrcheck.check.capture;

/** Names of hosts. */
final class HostNames {
  private HostNames() {}

  /**
   * The name of the host with an IPv6 address or a GID, in RFC 5952 form; one that holds an IPv4
   * address is written as that address, so that a host has one name in RoCEv1 and in RoCEv2.
   *
   * @param groups eight numbers of 16 bits
   */
  static String of(int[] groups) {
    if (groups[5] == 0xffff && (groups[0] | groups[1] | groups[2] | groups[3] | groups[4]) == 0) {
      return (groups[6] >> 8)
          + "."
          + (groups[6] & 0xff)
          + "."
          + (groups[7] >> 8)
          + "."
          + (groups[7] & 0xff);
    }
    int bestStart = -1;
    int bestLength = 1;
    int runStart = -1;
    for (int i = 0; i <= 8; i++) {
      if (i < 8 && groups[i] == 0) {
        if (runStart < 0) {
          runStart = i;
        }
      } else {
        if (runStart >= 0 && i - runStart > bestLength) {
          bestStart = runStart;
          bestLength = i - runStart;
        }
        runStart = -1;
      }
    }
    StringBuilder text = new StringBuilder();
    int group = 0;
    while (group < 8) {
      if (group == bestStart) {
        text.append("::");
        group += bestLength;
        continue;
      }
      if (text.length() > 0 && text.charAt(text.length() - 1) != ':') {
        text.append(':');
      }
      text.append(Integer.toHexString(groups[group]));
      group++;
    }
    return text.toString();
  }
}
