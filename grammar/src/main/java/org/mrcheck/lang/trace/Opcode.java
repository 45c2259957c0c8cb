package org.mrcheck.lang.trace;

import java.util.HashMap;
import java.util.Map;

/**
 * A BTH opcode: three bits of transport and five of operation (IBTA table 38). Written by its name
 * without the {@code IB_OPCODE_} prefix, or as {@code OPCODE_0x4a} where the transport is unknown.
 *
 * @param code the byte on the wire, 0 to 255
 */
public record Opcode(int code) {
  private static final String[] OPERATIONS = {
    "SEND_FIRST",
    "SEND_MIDDLE",
    "SEND_LAST",
    "SEND_LAST_WITH_IMMEDIATE",
    "SEND_ONLY",
    "SEND_ONLY_WITH_IMMEDIATE",
    "RDMA_WRITE_FIRST",
    "RDMA_WRITE_MIDDLE",
    "RDMA_WRITE_LAST",
    "RDMA_WRITE_LAST_WITH_IMMEDIATE",
    "RDMA_WRITE_ONLY",
    "RDMA_WRITE_ONLY_WITH_IMMEDIATE",
    "RDMA_READ_REQUEST",
    "RDMA_READ_RESPONSE_FIRST",
    "RDMA_READ_RESPONSE_MIDDLE",
    "RDMA_READ_RESPONSE_LAST",
    "RDMA_READ_RESPONSE_ONLY",
    "ACKNOWLEDGE",
    "ATOMIC_ACKNOWLEDGE",
    "COMPARE_SWAP",
    "FETCH_ADD",
    null,
    "SEND_LAST_WITH_INVALIDATE",
    "SEND_ONLY_WITH_INVALIDATE",
  };
  private static final Map<Integer, String> TRANSPORTS = Map.of(0, "RC", 1, "UC", 2, "RD", 3, "UD");
  private static final String[] NAMES = new String[256];
  private static final Map<String, Opcode> BY_NAME = new HashMap<>();

  static {
    for (int code = 0; code < NAMES.length; code++) {
      String transport = TRANSPORTS.get(code >> 5);
      int operation = code & 0x1f;
      boolean known =
          transport != null && operation < OPERATIONS.length && OPERATIONS[operation] != null;
      NAMES[code] =
          known ? transport + "_" + OPERATIONS[operation] : String.format("OPCODE_0x%02x", code);
      BY_NAME.put(NAMES[code], new Opcode(code));
    }
  }

  public static final Opcode RC_SEND_FIRST = new Opcode(0);
  public static final Opcode RC_SEND_MIDDLE = new Opcode(1);
  public static final Opcode RC_SEND_LAST = new Opcode(2);
  public static final Opcode RC_SEND_ONLY = new Opcode(4);
  public static final Opcode RC_WRITE_FIRST = new Opcode(6);
  public static final Opcode RC_WRITE_MIDDLE = new Opcode(7);
  public static final Opcode RC_WRITE_LAST = new Opcode(8);
  public static final Opcode RC_WRITE_ONLY = new Opcode(10);
  public static final Opcode RC_READ_REQUEST = new Opcode(12);
  public static final Opcode RC_READ_RESPONSE_FIRST = new Opcode(13);
  public static final Opcode RC_READ_RESPONSE_MIDDLE = new Opcode(14);
  public static final Opcode RC_READ_RESPONSE_LAST = new Opcode(15);
  public static final Opcode RC_READ_RESPONSE_ONLY = new Opcode(16);
  public static final Opcode RC_ACKNOWLEDGE = new Opcode(17);
  public static final Opcode RC_ATOMIC_ACKNOWLEDGE = new Opcode(18);
  public static final Opcode RC_COMPARE_SWAP = new Opcode(19);
  public static final Opcode RC_FETCH_ADD = new Opcode(20);

  /** The opcode of that name, or null. */
  public static Opcode named(String name) {
    return BY_NAME.get(name);
  }

  /** Whether the transport is the reliable connection. */
  public boolean isReliableConnection() {
    return code >> 5 == 0;
  }

  /** Whether the transport is the unreliable connection. */
  public boolean isUnreliableConnection() {
    return code >> 5 == 1;
  }

  /** The operation without its transport, 0 to 31. */
  public int operation() {
    return code & 0x1f;
  }

  /** Whether the packet is a request on a connected transport. */
  public boolean isRequest() {
    int operation = operation();
    return code < 0x40 && (operation <= 12 || operation >= 19 && operation <= 23);
  }

  /** Whether the packet is an acknowledgement with an AETH and nothing else. */
  public boolean isAcknowledge() {
    return code == 17;
  }

  /** Whether the packet carries data of a READ. */
  public boolean isReadResponse() {
    return code < 0x20 && operation() >= 13 && operation() <= 16;
  }

  /** Whether the packet is any part of a WRITE, with or without immediate. */
  public boolean isWrite() {
    return code < 0x40 && operation() >= 6 && operation() <= 11;
  }

  /** Whether the packet is any part of a SEND, with immediate or invalidate or without. */
  public boolean isSend() {
    int operation = operation();
    return code < 0x40 && (operation <= 5 || operation == 22 || operation == 23);
  }

  /** Whether the packet asks for a READ. */
  public boolean isReadRequest() {
    return code == 12;
  }

  /** Whether the packet asks for an atomic operation. */
  public boolean isAtomicRequest() {
    return code == 19 || code == 20;
  }

  /** Whether the packet begins a message. */
  public boolean startsMessage() {
    int operation = operation();
    return isRequest()
        && operation != 1
        && operation != 2
        && operation != 3
        && operation != 7
        && operation != 8
        && operation != 9
        && operation != 22;
  }

  /** Whether the packet ends a message. */
  public boolean endsMessage() {
    int operation = operation();
    return isRequest() && operation != 0 && operation != 1 && operation != 6 && operation != 7;
  }

  /** Whether a RETH follows the BTH (row C5). */
  public boolean hasReth() {
    int operation = operation();
    return code < 0x40 && (operation == 6 || operation == 10 || operation == 11 || operation == 12);
  }

  /** Whether an AETH follows the BTH. */
  public boolean hasAeth() {
    int operation = operation();
    return code < 0x20
        && (operation == 13
            || operation == 15
            || operation == 16
            || operation == 17
            || operation == 18);
  }

  /** Whether immediate data follows. */
  public boolean hasImmediate() {
    int operation = operation();
    return code < 0x80 && (operation == 3 || operation == 5 || operation == 9 || operation == 11);
  }

  /** Whether an IETH, the key to invalidate, follows. */
  public boolean hasIeth() {
    return code < 0x40 && (operation() == 22 || operation() == 23);
  }

  @Override
  public String toString() {
    return NAMES[code];
  }
}
