package org.mrcheck.check.capture;

/**
 * One frame as a capture file holds it.
 *
 * @param number position among the frames of the file, from 1, as every capture tool counts
 * @param timeNanos nanoseconds since 1970 on the capturing host's clock; 0 where the container
 *     holds no time (a pcapng simple packet)
 * @param linkType link type as tcpdump numbers them, {@link #ETHERNET} or {@link #ERF} or one that
 *     the dissector does not know
 * @param originalLength bytes the frame had on the wire, unsigned 32 bits
 * @param bytes what was kept of it; not to be changed
 * @param offset where the bytes begin in the file
 */
public record RawFrame(
    long number, long timeNanos, int linkType, long originalLength, byte[] bytes, long offset) {
  /** Link type of Ethernet frames. */
  public static final int ETHERNET = 1;

  /** Link type of Endace's extensible record format, which carries native InfiniBand. */
  public static final int ERF = 197;

  /** Whether the snap length cut the frame. */
  public boolean isTruncated() {
    return bytes.length < originalLength;
  }
}
