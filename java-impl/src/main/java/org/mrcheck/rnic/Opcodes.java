package org.mrcheck.rnic;

import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;

/** Which opcode a packet of a message has (IBTA table 38). Stateless. */
final class Opcodes {
  private static final int UNRELIABLE = 0x20;

  private Opcodes() {}

  /** The opcode of a packet of a SEND or WRITE. */
  static Opcode data(WorkOperation operation, boolean unreliable, boolean first, boolean last) {
    boolean write =
        operation == WorkOperation.RDMA_WRITE || operation == WorkOperation.RDMA_WRITE_WITH_IMM;
    boolean immediate =
        operation == WorkOperation.SEND_WITH_IMM || operation == WorkOperation.RDMA_WRITE_WITH_IMM;
    int code;
    if (!last) {
      code = first ? 0 : 1;
    } else if (operation == WorkOperation.SEND_WITH_INV) {
      code = first ? 23 : 22;
    } else if (first) {
      code = immediate ? 5 : 4;
    } else {
      code = immediate ? 3 : 2;
    }
    return new Opcode(code + (write ? 6 : 0) + (unreliable ? UNRELIABLE : 0));
  }
}
