package org.mrcheck.check.ledger;

import java.util.Locale;
import org.mrcheck.lang.trace.Opcode;

/** What a message on a connected queue pair does. */
public enum MessageKind {
  SEND,
  WRITE,
  READ,
  ATOMIC;

  /** The kind of a request packet's message. */
  static MessageKind of(Opcode opcode) {
    if (opcode.isWrite()) {
      return WRITE;
    }
    if (opcode.isReadRequest()) {
      return READ;
    }
    return opcode.isAtomicRequest() ? ATOMIC : SEND;
  }

  /** The word for people, as in {@code RDMA WRITE}. */
  public String text() {
    return this == WRITE || this == READ ? "RDMA " + name() : name().toUpperCase(Locale.ROOT);
  }
}
