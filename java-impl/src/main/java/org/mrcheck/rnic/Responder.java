package org.mrcheck.rnic;

import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Syndrome;

/**
 * The receiving half of a queue pair: PSN gate, opcode sequence, rights of the queue pair, key, in
 * that order (rows C2, C11). Every packet's key is checked, and every packet of a message must meet
 * the registration that its first packet met, not only the same key. A WRITE's range is tested
 * packet by packet, a READ's as a whole (row C3). Of the engine's thread alone, except the message
 * count, which is of the DMA stage's thread alone.
 */
final class Responder {
  private static final long MAX_LENGTH = 1L << 31;

  private final QueuePair qp;
  private final Engine engine;
  private final KeyTable keys;
  private int mtu;
  private int expectedPsn;

  /** After a refusal, or when the queue pair is given up: whatever comes is ignored. */
  private boolean closed;

  /** A sequence NAK was sent and the expected packet has not come yet (row E4). */
  private boolean sequenceNakSent;

  // The WRITE message under way.
  private boolean inMessage;
  private MemoryKey key;
  private long nextVa;
  private long remaining;
  private MemoryRegion region;

  private int messages;

  Responder(QueuePair qp, Engine engine) {
    this.qp = qp;
    this.engine = engine;
    keys = qp.device().keyTable();
  }

  /** Before the first packet: the state change to RTR orders this before the engine's reads. */
  void connected(Connection connection) {
    mtu = connection.mtu();
    expectedPsn = connection.receivePsn();
  }

  /** The messages executed, 24 bits: the AETH's MSN. */
  int messages() {
    return messages;
  }

  void countMessage() {
    messages = Psn.add(messages, 1);
  }

  void abandon() {
    closed = true;
    endMessage();
  }

  void request(Wire.Frame frame) {
    QueuePairState state = qp.state();
    if (closed || state != QueuePairState.RTR && state != QueuePairState.RTS) {
      return;
    }
    Packet packet = frame.header();
    int ahead = Psn.distance(packet.psn(), expectedPsn);
    if (ahead > 0) {
      if (!sequenceNakSent) {
        sequenceNakSent = true;
        submit(new DmaStage.Job.Refuse(qp, expectedPsn, Syndrome.PSN_SEQUENCE_ERROR));
      }
    } else if (ahead < 0) {
      duplicate(packet);
    } else {
      sequenceNakSent = false;
      fresh(packet, frame.payload());
    }
  }

  private void fresh(Packet packet, byte[] payload) {
    Opcode opcode = packet.opcode();
    boolean supported = opcode.isReliableConnection() && (plainWrite(opcode) || isRead(opcode));
    if (!supported || inMessage == opcode.startsMessage()) {
      refuse(packet.psn(), Syndrome.INVALID_REQUEST);
    } else if (isRead(opcode)) {
      read(packet);
    } else {
      write(packet, payload);
    }
  }

  private static boolean isRead(Opcode opcode) {
    return opcode.isReadRequest();
  }

  private static boolean plainWrite(Opcode opcode) {
    return opcode.isWrite() && !opcode.hasImmediate();
  }

  private void write(Packet packet, byte[] payload) {
    int psn = packet.psn();
    Opcode opcode = packet.opcode();
    boolean last = opcode.endsMessage();
    if (opcode.startsMessage()) {
      RemoteAccess access = packet.access().orElseThrow();
      key = access.key();
      nextVa = access.va();
      remaining = access.length();
      region = null;
      inMessage = true;
    }
    boolean fits =
        last ? payload.length == remaining && payload.length <= mtu : payload.length == mtu;
    if (!qp.rights().has(AccessFlags.Flag.REMOTE_WRITE)
        || remaining > MAX_LENGTH
        || !fits
        || !last && remaining <= mtu) {
      refuse(psn, Syndrome.INVALID_REQUEST);
      return;
    }
    if (payload.length == 0) {
      // Nothing is accessed, so no key is needed (rows C3, C4).
      expectedPsn = Psn.add(expectedPsn, 1);
      endMessage();
      submit(new DmaStage.Job.Acknowledge(qp, psn, true));
      return;
    }
    MemoryRegion checked =
        keys.check(
            engine.actor(),
            qp,
            psn,
            AccessKind.REMOTE_WRITE,
            key,
            nextVa,
            payload.length,
            remaining,
            payload.length,
            region);
    if (checked == null) {
      qp.device().countRefusal(AccessKind.REMOTE_WRITE, region != null);
      refuse(psn, Syndrome.REMOTE_ACCESS_ERROR);
      return;
    }
    if (region == null) {
      region = checked;
      region.openMessage();
    }
    long va = nextVa;
    nextVa += payload.length;
    remaining -= payload.length;
    expectedPsn = Psn.add(expectedPsn, 1);
    if (last) {
      endMessage();
    }
    submit(
        new DmaStage.Job.Place(qp, psn, checked, va, payload, last, last || packet.ackRequest()));
  }

  private void read(Packet packet) {
    RemoteAccess access = packet.access().orElseThrow();
    if (!qp.rights().has(AccessFlags.Flag.REMOTE_READ) || access.length() > MAX_LENGTH) {
      refuse(packet.psn(), Syndrome.INVALID_REQUEST);
      return;
    }
    expectedPsn = Psn.add(packet.psn(), packetsOf(access.length()));
    respond(packet.psn(), access, false);
  }

  private int packetsOf(long length) {
    return (int) Math.max(1, (length + mtu - 1) / mtu);
  }

  private void respond(int firstPsn, RemoteAccess access, boolean replay) {
    if (access.length() == 0) {
      submit(
          new DmaStage.Job.Respond(
              qp, firstPsn, null, access.va(), 0, Opcode.RC_READ_RESPONSE_ONLY, true));
      return;
    }
    int packets = packetsOf(access.length());
    MemoryRegion source = null;
    try {
      for (int i = 0; i < packets; i++) {
        if (qp.isSilent()) {
          return;
        }
        int psn = Psn.add(firstPsn, i);
        long offset = (long) i * mtu;
        long va = access.va() + offset;
        long rest = access.length() - offset;
        int length = (int) Math.min(mtu, rest);
        MemoryRegion checked =
            keys.check(
                engine.actor(),
                qp,
                psn,
                AccessKind.REMOTE_READ,
                access.key(),
                va,
                length,
                rest,
                rest,
                source);
        if (checked == null && replay) {
          return;
        }
        if (checked == null) {
          qp.device().countRefusal(AccessKind.REMOTE_READ, source != null);
          refuse(psn, Syndrome.REMOTE_ACCESS_ERROR);
          return;
        }
        if (source == null) {
          source = checked;
          source.openMessage();
        }
        submit(
            new DmaStage.Job.Respond(
                qp, psn, checked, va, length, responseOpcode(i, packets), i == 0));
      }
    } finally {
      if (source != null) {
        source.closeMessage();
      }
    }
  }

  private static Opcode responseOpcode(int i, int packets) {
    if (packets == 1) {
      return Opcode.RC_READ_RESPONSE_ONLY;
    }
    if (i == 0) {
      return Opcode.RC_READ_RESPONSE_FIRST;
    }
    return i == packets - 1 ? Opcode.RC_READ_RESPONSE_LAST : Opcode.RC_READ_RESPONSE_MIDDLE;
  }

  /**
   * A packet that was received before. A WRITE is acknowledged again and never executed again, with
   * no look at its key (row R1). A READ is executed again with all its checks; one that they refuse
   * now is dropped in silence, because a NAK stands only at the expected PSN (row E4; rxe sends
   * one, row R3).
   */
  private void duplicate(Packet packet) {
    Opcode opcode = packet.opcode();
    if (isRead(opcode)) {
      RemoteAccess access = packet.access().orElseThrow();
      int end = Psn.add(packet.psn(), packetsOf(access.length()));
      if (Psn.distance(end, expectedPsn) <= 0) {
        respond(packet.psn(), access, true);
      }
    } else if (packet.ackRequest()) {
      submit(new DmaStage.Job.Acknowledge(qp, Psn.add(expectedPsn, -1), false));
    }
  }

  private void refuse(int psn, Syndrome syndrome) {
    closed = true;
    submit(new DmaStage.Job.Refuse(qp, psn, syndrome));
    endMessage();
  }

  private void endMessage() {
    if (region != null) {
      region.closeMessage();
      region = null;
    }
    inMessage = false;
  }

  private void submit(DmaStage.Job job) {
    engine.dma().submit(job);
  }
}
