package org.mrcheck.check.capture;

/** What became of a frame: every frame of a capture has exactly one of these. */
public enum FrameFate {
  /** An {@code rx}, {@code tx}, {@code ack} or {@code nak}. */
  EVENT("became an event"),
  /** A line of the owner's log, read. */
  MARK("mark"),
  /** A datagram to the marks' port with a line of no known kind. */
  UNKNOWN_MARK("mark with an unknown line"),
  /** A message of the connection manager. */
  CONNECTION_MANAGEMENT("connection management"),
  /** Another management datagram. */
  MANAGEMENT("other management datagram"),
  /** A datagram of an unreliable transport, such as IP over InfiniBand. */
  UNRELIABLE_DATAGRAM("unreliable datagram, not modelled"),
  /** A packet of a transport that the trace language has no words for. */
  UNKNOWN_TRANSPORT("unknown transport"),
  /** RoCE's congestion notification. */
  CONGESTION_NOTIFICATION("congestion notification"),
  /** A response whose sender's queue pair could not be found. */
  UNPAIRED("response of an unknown queue pair"),
  /** The snap length cut it inside the headers. */
  TRUNCATED("cut off inside its headers"),
  /** Its headers contradict each other. */
  MALFORMED("malformed headers"),
  /** A fragment of an IP packet. */
  FRAGMENT("IP fragment"),
  /** A link type that is neither Ethernet nor ERF. */
  UNKNOWN_LINK("unknown link type"),
  /** Anything else on the wire. */
  NOT_RDMA("not RDMA");

  private final String phrase;

  FrameFate(String phrase) {
    this.phrase = phrase;
  }

  /** The reason in words, for a report. */
  public String phrase() {
    return phrase;
  }
}
