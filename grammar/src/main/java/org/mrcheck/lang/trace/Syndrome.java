package org.mrcheck.lang.trace;

/**
 * The syndrome byte of an AETH (IBTA tables 46 and 47; facts row E1): bits 6 and 5 say which kind,
 * bits 4 to 0 hold the credit count, the timer or the NAK code.
 *
 * @param bits the byte on the wire, 0 to 255
 */
public record Syndrome(int bits) {
  /** PSN sequence error. */
  public static final Syndrome PSN_SEQUENCE_ERROR = new Syndrome(0x60);

  /** Invalid request. */
  public static final Syndrome INVALID_REQUEST = new Syndrome(0x61);

  /** Remote access error. */
  public static final Syndrome REMOTE_ACCESS_ERROR = new Syndrome(0x62);

  /** Remote operational error. */
  public static final Syndrome REMOTE_OPERATIONAL_ERROR = new Syndrome(0x63);

  /** Which kind of answer a syndrome is. */
  public enum Kind {
    ACK,
    RNR_NAK,
    RESERVED,
    NAK
  }

  /** Which kind of answer this is. */
  public Kind kind() {
    return Kind.values()[bits >> 5 & 3];
  }

  /** Credit count, timer or NAK code, 0 to 31. */
  public int value() {
    return bits & 0x1f;
  }

  /** Whether this is a NAK that ends the connection: any NAK but a PSN sequence error (row E2). */
  public boolean isFatal() {
    return kind() == Kind.NAK && value() != 0;
  }

  /** What the syndrome means, in rdma-core's words. */
  public String phrase() {
    return switch (kind()) {
      case ACK -> "ACK";
      case RNR_NAK -> "RNR NAK";
      case RESERVED -> "reserved";
      case NAK ->
          switch (value()) {
            case 0 -> "PSN sequence error";
            case 1 -> "invalid request error";
            case 2 -> "remote access error";
            case 3 -> "remote operation error";
            case 4 -> "invalid RD request";
            default -> "reserved NAK code " + value();
          };
    };
  }

  @Override
  public String toString() {
    return String.format("0x%02x", bits);
  }
}
