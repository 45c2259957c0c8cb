package org.mrcheck.lang.trace.text;

/** The fields of events. Which event takes which is {@link EventFields}. */
enum Field {
  MR("mr", 0, -1L),
  PD("pd", 0, -1L),
  MW("mw", 0, -1L),
  TYPE("type", 1, 2),
  QP("qp", "a queue pair NUMBER.INCARNATION such as 0x11.1"),
  WR("wr", 0, -1L),
  OP("op", "an operation"),
  PSN("psn", 0, Field.BITS_24),
  MSN("msn", 0, Field.BITS_24),
  ACKREQ("ackreq", 0, 1),
  PAYLOAD("payload", 0, Integer.MAX_VALUE),
  ACCESS("access", "a kind of access"),
  KEY("key", 0, Field.BITS_32),
  LKEY("lkey", 0, Field.BITS_32),
  VA("va", 0, -1L),
  LEN("len", 0, -1L),
  REMAINING("remaining", 0, -1L),
  RIGHTS("rights", "rights joined by |, or none"),
  LABEL("label", "a text"),
  STATUS("status", "a status"),
  VENDOR("vendor", 0, Field.BITS_32),
  INV("inv", 0, Field.BITS_32),
  SYNDROME("syndrome", 0, 0xff),
  COMPARE("compare", 0, -1L),
  SWAP("swap", 0, -1L),
  ORIGINAL("original", 0, -1L),
  ICRC("icrc", "ok, bad or unchecked"),
  VERDICT("verdict", "accept or refuse"),
  CAUSE("cause", "a text"),
  PEER("peer", "a queue pair HOST/NUMBER.INCARNATION such as 10.9.0.2/0x11.1"),
  RECEIVE_PSN("receive_psn", 0, Field.BITS_24),
  SEND_PSN("send_psn", 0, Field.BITS_24),
  MTU("mtu", 1, Integer.MAX_VALUE),
  STATE("state", "a queue pair state"),
  EVENT("event", "a text"),
  COUNT("count", 0, Long.MAX_VALUE),
  DMA_ADDR("dma_addr", 0, -1L),
  SIGNALED("signaled", 0, 1),
  SRQ("srq", 0, -1L),
  BY("by", "application or device"),
  FRAME("frame", 0, Long.MAX_VALUE);

  static final long BITS_24 = 0xff_ffffL;
  static final long BITS_32 = 0xffff_ffffL;

  private final String text;
  private final String form;
  private final long least;
  private final long greatest;

  Field(String text, long least, long greatest) {
    this.text = text;
    this.form = null;
    this.least = least;
    this.greatest = greatest;
  }

  Field(String text, String form) {
    this.text = text;
    this.form = form;
    this.least = 0;
    this.greatest = 0;
  }

  /** The word before the equals sign. */
  String text() {
    return text;
  }

  /** Least value of a number. */
  long least() {
    return least;
  }

  /** Greatest value of a number, unsigned. */
  long greatest() {
    return greatest;
  }

  /** What a value looks like, in words. */
  String form() {
    return form == null ? "a number, " + range(least, greatest) : form;
  }

  /** This field's bit in a set of fields. */
  long bit() {
    return 1L << ordinal();
  }

  /** A range of unsigned numbers in words. */
  static String range(long least, long greatest) {
    String top =
        greatest == -1L
            ? "0xffffffffffffffff (64 bits)"
            : greatest == Long.MAX_VALUE
                ? "9223372036854775807 (63 bits)"
                : greatest == BITS_32
                    ? "0xffffffff (32 bits)"
                    : greatest == BITS_24 ? "0xffffff (24 bits)" : Long.toString(greatest);
    return least + " to " + top;
  }
}
