package org.mrcheck.rnic;

import java.util.concurrent.CountDownLatch;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;
import org.mrcheck.lang.trace.WcStatus;
import org.mrcheck.rnic.Policies.DuplicateAtomic;
import org.mrcheck.rnic.Policies.DuplicateRead;
import org.mrcheck.rnic.Policies.InvalidateWhen;
import org.mrcheck.rnic.Policies.NakDelay;
import org.mrcheck.rnic.Policies.ReadCheck;
import org.mrcheck.rnic.Policies.RemoteInvalidateBad;
import org.mrcheck.rnic.Policies.ResourceVersusKey;
import org.mrcheck.rnic.Policies.WriteCheck;
import org.mrcheck.rnic.Policies.WriteRange;
import org.mrcheck.rnic.Policies.ZeroLengthChecksKey;

/**
 * The receiving half of a queue pair: PSN gate, opcode sequence, rights of the queue pair, lengths,
 * resources, key, in that order (rows C2, C11); a receive request may be looked for before the key
 * (row C12). Of the engine's thread alone, except the message count and {@link #flushReceives},
 * which are of the DMA stage's thread alone.
 *
 * <p>What memory is accessed by is decided by policies. In the strict ones every packet's key is
 * checked, and every packet of a message must meet the registration that its first packet met, not
 * only the same key; a WRITE's range is tested packet by packet, a READ's as a whole (row C3).
 *
 * <p>On the unreliable connection nothing is answered. A gap in the PSNs, a missing receive request
 * or a refused key loses the message, and the next one begins afresh (row E8).
 */
final class Responder {
  private static final long MAX_LENGTH = 1L << 31;

  /** The longest silence before a NAK (row E15). */
  private static final long MAX_NAK_DELAY_NANOS = 2_200_000;

  private enum Kind {
    NONE,
    WRITE,
    SEND
  }

  private final QueuePair qp;
  private final Engine engine;
  private final KeyTable keys;
  private final Policies policies;
  private final boolean unreliable;
  private final ReplayStore replays;
  private int mtu;
  private int expectedPsn;

  /** After a refusal, or when the queue pair is given up: whatever comes is ignored. */
  private boolean closed;

  /** A sequence or RNR NAK was sent and the expected packet has not come yet (row E4). */
  private boolean nakSent;

  private boolean established;

  // The message under way.
  private Kind kind = Kind.NONE;

  /** Key of a WRITE, or of the receive request that a SEND goes to. */
  private MemoryKey key;

  private long nextVa;

  /** Bytes that a WRITE has announced and not sent, or for which a SEND's receive has room. */
  private long remaining;

  /** What the message was accepted under; it is pinned. */
  private KeyTarget region;

  /** The receive request that the message took. */
  private ReceiveRequest receive;

  private long length;

  private int messages;

  Responder(QueuePair qp, Engine engine) {
    this.qp = qp;
    this.engine = engine;
    keys = qp.device().keyTable();
    policies = qp.device().config().policies();
    unreliable = qp.isUnreliable();
    replays = new ReplayStore(qp.device().config().transport().maxDestReads());
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

  /** The state changed, or a receive request was posted. */
  void doorbell() {
    if (qp.isErrorAnnounced()) {
      closed = true;
      ReceiveRequest taken = receive;
      receive = null;
      endMessage();
      if (taken != null) {
        WorkCompletion flushed =
            WorkCompletion.error(taken.id(), qp.id(), WorkOperation.RECV, WcStatus.WR_FLUSH_ERR);
        submit(new DmaStage.Job.FailQuietly(qp, flushed));
      }
      submit(new DmaStage.Job.FlushReceives(qp));
    }
  }

  /** On the DMA stage: everything that was accepted before has completed. */
  void flushReceives() {
    while (true) {
      ReceiveRequest request = qp.receives().take();
      if (request == null) {
        return;
      }
      qp.receiveCompletions()
          .add(
              WorkCompletion.error(
                  request.id(), qp.id(), WorkOperation.RECV, WcStatus.WR_FLUSH_ERR),
              true);
    }
  }

  void request(Wire.Frame frame) {
    if (closed || !qp.takesRequests()) {
      return;
    }
    if (!established) {
      established = true;
      qp.communicationEstablished(engine.actor());
    }
    Packet packet = frame.header();
    int ahead = Psn.distance(packet.psn(), expectedPsn);
    if (unreliable) {
      unreliable(frame, ahead == 0);
    } else if (ahead > 0) {
      if (!nakSent) {
        nakSent = true;
        submit(new DmaStage.Job.Refuse(qp, expectedPsn, Syndrome.PSN_SEQUENCE_ERROR, null));
      }
    } else if (ahead < 0) {
      duplicate(packet);
    } else {
      nakSent = false;
      fresh(frame);
    }
  }

  private void unreliable(Wire.Frame frame, boolean expected) {
    Opcode opcode = frame.header().opcode();
    expectedPsn = Psn.add(frame.header().psn(), 1);
    if (!expected || opcode.startsMessage()) {
      endMessage();
    }
    if (opcode.startsMessage() || kind == kindOf(opcode)) {
      fresh(frame);
    }
  }

  private static Kind kindOf(Opcode opcode) {
    if (opcode.isSend()) {
      return Kind.SEND;
    }
    return opcode.isWrite() ? Kind.WRITE : Kind.NONE;
  }

  private void fresh(Wire.Frame frame) {
    Packet packet = frame.header();
    Opcode opcode = packet.opcode();
    Kind wanted = kindOf(opcode);
    boolean inSequence =
        opcode.startsMessage() ? kind == Kind.NONE : wanted != Kind.NONE && kind == wanted;
    if (!inSequence) {
      refuse(packet.psn(), Syndrome.INVALID_REQUEST);
    } else if (wanted == Kind.WRITE) {
      write(frame);
    } else if (wanted == Kind.SEND) {
      send(frame);
    } else if (opcode.isReadRequest()) {
      read(packet);
    } else if (opcode.isAtomicRequest()) {
      atomic(packet);
    } else {
      refuse(packet.psn(), Syndrome.INVALID_REQUEST);
    }
  }

  private void write(Wire.Frame frame) {
    Packet packet = frame.header();
    byte[] payload = frame.payload();
    int psn = packet.psn();
    Opcode opcode = packet.opcode();
    boolean last = opcode.endsMessage();
    if (opcode.startsMessage()) {
      RemoteAccess access = packet.access().orElseThrow();
      key = access.key();
      nextVa = access.va();
      remaining = access.length();
      length = remaining;
      kind = Kind.WRITE;
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
    boolean takesReceive = opcode.hasImmediate();
    if (takesReceive && !takeReceive()) {
      boolean keyFirst = policies.get(ResourceVersusKey.class) == ResourceVersusKey.KEY_FIRST;
      if (keyFirst && needsKey(payload.length)) {
        KeyTarget checked = checkRemote(psn, payload.length);
        if (checked == null) {
          refuseKey(psn, AccessKind.REMOTE_WRITE);
          return;
        }
        checked.release();
      }
      receiverNotReady(packet);
      return;
    }
    if (!place(psn, AccessKind.REMOTE_WRITE, payload, nextVa)) {
      return;
    }
    nextVa += payload.length;
    remaining -= payload.length;
    accepted();
    if (last) {
      WorkCompletion completion = null;
      if (takesReceive) {
        completion =
            WorkCompletion.success(receive.id(), qp.id(), WorkOperation.RECV, length)
                .withImmediate(frame.immediate());
        receive = null;
      }
      submit(new DmaStage.Job.EndMessage(qp, completion, frame.solicited()));
      endMessage();
    }
    acknowledge(packet);
  }

  private boolean needsKey(int bytes) {
    return bytes > 0 || policies.get(ZeroLengthChecksKey.class) == ZeroLengthChecksKey.YES;
  }

  /** Checks the key of a WRITE that will not be executed now. */
  private KeyTarget checkRemote(int psn, int bytes) {
    return keys.check(
        engine.actor(),
        qp,
        psn,
        AccessKind.REMOTE_WRITE,
        key,
        nextVa,
        bytes,
        remaining,
        isWholeRange() ? remaining : bytes,
        region);
  }

  /** Whether all that a WRITE has announced must lie inside the region. */
  private boolean isWholeRange() {
    return policies.get(WriteRange.class) == WriteRange.WHOLE_MESSAGE_UP_FRONT
        || policies.get(WriteCheck.class) == WriteCheck.PER_MESSAGE_FIRST;
  }

  /**
   * Checks a packet of a WRITE, or of a SEND, and hands it to the DMA stage; false if that ended
   * the message.
   */
  private boolean place(int psn, AccessKind access, byte[] payload, long va) {
    if (!needsKey(payload.length) || payload.length == 0 && access == AccessKind.LOCAL_WRITE) {
      return true;
    }
    WriteCheck granularity = policies.get(WriteCheck.class);
    boolean remote = access == AccessKind.REMOTE_WRITE;
    if (remote && granularity == WriteCheck.PER_MESSAGE_FIRST && region != null) {
      submit(new DmaStage.Job.Place(qp, psn, region, va, payload, false));
      return true;
    }
    int step = payload.length;
    if (remote && granularity == WriteCheck.PER_FRAGMENT && payload.length > 1) {
      step = (payload.length + 1) / 2;
    }
    int done = 0;
    do {
      int part = Math.min(step, payload.length - done);
      long partVa = va + done;
      long rest = remaining - done;
      KeyTarget checked =
          keys.check(
              engine.actor(),
              qp,
              psn,
              access,
              key,
              partVa,
              part,
              remote ? rest : part,
              remote && isWholeRange() ? rest : part,
              region);
      if (checked == null) {
        if (remote) {
          refuseKey(psn, access);
        } else {
          refuseReceive(psn, Syndrome.REMOTE_OPERATIONAL_ERROR, WcStatus.LOC_PROT_ERR);
        }
        return false;
      }
      pin(checked);
      byte[] bytes = payload;
      if (part != payload.length) {
        bytes = new byte[part];
        System.arraycopy(payload, done, bytes, 0, part);
      }
      submit(new DmaStage.Job.Place(qp, psn, checked, partVa, bytes, true));
      done += part;
    } while (done < payload.length);
    return true;
  }

  /** The message is accepted under that registration. */
  private void pin(KeyTarget checked) {
    if (checked != region) {
      unpin();
      region = checked;
      region.openMessage(qp);
    }
  }

  private void unpin() {
    if (region != null) {
      submit(new DmaStage.Job.Unpin(qp, region));
      region = null;
    }
  }

  private void send(Wire.Frame frame) {
    Packet packet = frame.header();
    byte[] payload = frame.payload();
    int psn = packet.psn();
    Opcode opcode = packet.opcode();
    boolean last = opcode.endsMessage();
    boolean fits = last ? payload.length <= mtu : payload.length == mtu;
    if (!fits || !opcode.startsMessage() && payload.length == 0) {
      refuse(psn, Syndrome.INVALID_REQUEST);
      return;
    }
    if (opcode.startsMessage()) {
      if (!takeReceive()) {
        receiverNotReady(packet);
        return;
      }
      kind = Kind.SEND;
      key = receive.lkey();
      nextVa = receive.address();
      remaining = receive.length();
      length = 0;
    }
    if (payload.length > remaining) {
      refuseReceive(psn, Syndrome.INVALID_REQUEST, WcStatus.LOC_LEN_ERR);
      return;
    }
    if (!place(psn, AccessKind.LOCAL_WRITE, payload, nextVa)) {
      return;
    }
    nextVa += payload.length;
    remaining -= payload.length;
    length += payload.length;
    accepted();
    if (last && !endSend(frame)) {
      return;
    }
    acknowledge(packet);
  }

  /** Invalidates what the SEND asks for and completes the receive; false if that was refused. */
  private boolean endSend(Wire.Frame frame) {
    Packet packet = frame.header();
    long id = receive.id();
    WorkCompletion completion = WorkCompletion.success(id, qp.id(), WorkOperation.RECV, length);
    if (packet.opcode().hasImmediate()) {
      completion = completion.withImmediate(frame.immediate());
    }
    if (!packet.opcode().hasIeth()) {
      endReceive(completion, frame.solicited());
      return true;
    }
    MemoryKey invalidated = packet.invalidate().orElseThrow();
    completion = completion.withInvalidated(invalidated);
    boolean completed = false;
    if (policies.get(InvalidateWhen.class) == InvalidateWhen.AFTER_COMPLETION) {
      endReceive(completion, frame.solicited());
      completed = true;
      waitForDma();
    }
    boolean done = keys.remoteInvalidate(engine.actor(), qp, invalidated);
    if (done && !completed) {
      endReceive(completion, frame.solicited());
    } else if (!done) {
      WorkCompletion failed =
          completed
              ? null
              : WorkCompletion.error(id, qp.id(), WorkOperation.RECV, WcStatus.REM_INV_REQ_ERR);
      receive = null;
      if (policies.get(RemoteInvalidateBad.class) == RemoteInvalidateBad.TERMINATE) {
        refuse(packet.psn(), Syndrome.REMOTE_ACCESS_ERROR, failed);
      } else {
        // Class J (row E9): the receive fails, the queue pair goes to ERR, nobody is told.
        closed = true;
        submit(new DmaStage.Job.FailQuietly(qp, failed));
        endMessage();
      }
    }
    return done;
  }

  private void endReceive(WorkCompletion completion, boolean solicited) {
    receive = null;
    submit(new DmaStage.Job.EndMessage(qp, completion, solicited));
    endMessage();
  }

  private void read(Packet packet) {
    RemoteAccess access = packet.access().orElseThrow();
    int psn = packet.psn();
    if (!qp.rights().has(AccessFlags.Flag.REMOTE_READ)
        || access.length() > MAX_LENGTH
        || !replays.hasRoom()) {
      refuse(psn, Syndrome.INVALID_REQUEST);
      return;
    }
    int packets = packetsOf(access.length());
    expectedPsn = Psn.add(psn, packets);
    ReplayStore.Entry entry = new ReplayStore.Entry(packet.opcode(), psn, packets, access, 0, 0);
    replays.add(entry);
    respond(psn, access, entry, DuplicateRead.FULL_RECHECK, false);
  }

  private int packetsOf(long bytes) {
    return (int) Math.max(1, (bytes + mtu - 1) / mtu);
  }

  /**
   * Answers a READ.
   *
   * @param depth what is checked
   * @param replay whether it was answered before
   */
  private void respond(
      int firstPsn,
      RemoteAccess access,
      ReplayStore.Entry entry,
      DuplicateRead depth,
      boolean replay) {
    int packets = packetsOf(access.length());
    boolean eachPacket =
        policies.get(ReadCheck.class) == ReadCheck.PER_RESPONSE_PACKET
            && depth != DuplicateRead.SAVED_REQUEST_ONLY;
    boolean unchecked =
        access.length() == 0 && policies.get(ZeroLengthChecksKey.class) == ZeroLengthChecksKey.NO;
    if (policies.get(ReadCheck.class) == ReadCheck.ON_RESPONSE_START) {
      waitForDma();
    }
    KeyTarget source = null;
    boolean pinned = false;
    if (replay) {
      source = entry.region;
      if (depth == DuplicateRead.SAVED_REQUEST_ONLY) {
        if (source == null && access.length() != 0) {
          return;
        }
        unchecked = true;
      }
    }
    try {
      for (int i = 0; i < packets; i++) {
        if (qp.isSilent()) {
          return;
        }
        int psn = Psn.add(firstPsn, i);
        long offset = (long) i * mtu;
        long va = access.va() + offset;
        long rest = access.length() - offset;
        int bytes = (int) Math.min(mtu, rest);
        boolean holds = false;
        if (!unchecked && (eachPacket || i == 0)) {
          KeyTarget checked =
              keys.check(
                  engine.actor(),
                  qp,
                  psn,
                  AccessKind.REMOTE_READ,
                  access.key(),
                  va,
                  eachPacket ? bytes : rest,
                  rest,
                  rest,
                  source);
          if (checked == null) {
            if (!replay || depth == DuplicateRead.LITE_RECHECK) {
              qp.device().countRefusal(AccessKind.REMOTE_READ, source != null);
              refuse(psn, Syndrome.REMOTE_ACCESS_ERROR);
            }
            return;
          }
          holds = true;
          if (checked != source || !pinned) {
            if (pinned) {
              submit(new DmaStage.Job.Unpin(qp, source));
            }
            source = checked;
            source.openMessage(qp);
            pinned = true;
            entry.region = source;
          }
          if (!eachPacket) {
            // The message's pin is all that later packets have, if the policies give it one.
            checked.release();
            holds = false;
          }
        }
        boolean ends = i == packets - 1;
        submit(
            new DmaStage.Job.Respond(
                qp,
                psn,
                bytes == 0 ? null : source,
                va,
                bytes,
                responseOpcode(i, packets),
                i == 0,
                holds,
                ends ? entry : null));
        if (bytes == 0 && holds) {
          source.release();
        }
      }
    } finally {
      if (pinned) {
        submit(new DmaStage.Job.Unpin(qp, source));
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

  private void atomic(Packet packet) {
    RemoteAccess access = packet.access().orElseThrow();
    int psn = packet.psn();
    if (!qp.rights().has(AccessFlags.Flag.REMOTE_ATOMIC)
        || (access.va() & 7) != 0
        || !replays.hasRoom()) {
      refuse(psn, Syndrome.INVALID_REQUEST);
      return;
    }
    KeyTarget checked = checkAtomic(psn, access, null);
    if (checked == null) {
      refuseKey(psn, AccessKind.REMOTE_ATOMIC);
      return;
    }
    checked.openMessage(qp);
    accepted();
    ReplayStore.Entry entry =
        new ReplayStore.Entry(
            packet.opcode(), psn, 1, access, packet.compare().orElse(0), packet.swap().orElse(0));
    entry.region = checked;
    replays.add(entry);
    submit(new DmaStage.Job.Atomic(qp, entry, checked, true));
    submit(new DmaStage.Job.Unpin(qp, checked));
  }

  private KeyTarget checkAtomic(int psn, RemoteAccess access, KeyTarget only) {
    return keys.check(
        engine.actor(),
        qp,
        psn,
        AccessKind.REMOTE_ATOMIC,
        access.key(),
        access.va(),
        8,
        8,
        8,
        only);
  }

  /**
   * A packet that was received before. A WRITE or SEND is acknowledged again and never executed
   * again, with no look at its key (row R1). A READ is answered again as the policies say; one that
   * a full check refuses now is dropped in silence, because a NAK stands only at the expected PSN
   * (row E4; rxe sends one, row R3). An atomic operation is answered with what it found the first
   * time (rows R2, R5). What is not remembered is dropped.
   */
  private void duplicate(Packet packet) {
    Opcode opcode = packet.opcode();
    if (opcode.isReadRequest()) {
      duplicateRead(packet);
    } else if (opcode.isAtomicRequest()) {
      ReplayStore.Entry entry = replays.find(packet.psn());
      if (entry == null || !entry.opcode().equals(opcode)) {
        return;
      }
      if (policies.get(DuplicateAtomic.class) == DuplicateAtomic.RECHECK) {
        KeyTarget checked = checkAtomic(packet.psn(), entry.access(), entry.region);
        if (checked == null) {
          return;
        }
        checked.release();
      }
      submit(new DmaStage.Job.RepeatAtomic(qp, entry));
    } else if (packet.ackRequest()) {
      submit(new DmaStage.Job.Acknowledge(qp, Psn.add(expectedPsn, -1)));
    }
  }

  private void duplicateRead(Packet packet) {
    DuplicateRead depth = policies.get(DuplicateRead.class);
    ReplayStore.Entry entry = replays.find(packet.psn());
    if (depth == DuplicateRead.DROP || entry == null || !entry.opcode().isReadRequest()) {
      return;
    }
    RemoteAccess access = packet.access().orElseThrow();
    long offset = (long) Psn.distance(packet.psn(), entry.firstPsn()) * mtu;
    boolean part =
        access.key().equals(entry.access().key())
            && access.va() == entry.access().va() + offset
            && access.length() == entry.access().length() - offset;
    if (part) {
      respond(packet.psn(), access, entry, depth, true);
    }
  }

  /** Takes a receive request for the message, unless it has one; false if there is none. */
  private boolean takeReceive() {
    if (receive == null) {
      receive = qp.takeReceive(engine.actor());
    }
    return receive != null;
  }

  private void receiverNotReady(Packet packet) {
    if (packet.opcode().startsMessage()) {
      endMessage();
    }
    if (!unreliable) {
      nakSent = true;
      int timer = qp.device().config().transport().minRnrTimer();
      submit(new DmaStage.Job.Refuse(qp, packet.psn(), new Syndrome(0x20 | timer), null));
    }
  }

  private void accepted() {
    if (!unreliable) {
      expectedPsn = Psn.add(expectedPsn, 1);
    }
  }

  private void acknowledge(Packet packet) {
    if (!unreliable && (packet.opcode().endsMessage() || packet.ackRequest())) {
      submit(new DmaStage.Job.Acknowledge(qp, packet.psn()));
    }
  }

  private void refuseKey(int psn, AccessKind access) {
    qp.device().countRefusal(access, region != null);
    refuse(psn, Syndrome.REMOTE_ACCESS_ERROR);
  }

  /** The receive request cannot take the message (row E10). */
  private void refuseReceive(int psn, Syndrome syndrome, WcStatus status) {
    WorkCompletion completion =
        WorkCompletion.error(receive.id(), qp.id(), WorkOperation.RECV, status);
    receive = null;
    if (unreliable) {
      closed = true;
      submit(new DmaStage.Job.FailQuietly(qp, completion));
      endMessage();
    } else {
      refuse(psn, syndrome, completion);
    }
  }

  private void refuse(int psn, Syndrome syndrome) {
    refuse(psn, syndrome, null);
  }

  private void refuse(int psn, Syndrome syndrome, WorkCompletion completion) {
    if (unreliable) {
      endMessage();
      return;
    }
    closed = true;
    DmaStage.Job.Refuse job = new DmaStage.Job.Refuse(qp, psn, syndrome, completion);
    if (policies.get(NakDelay.class) == NakDelay.ANY) {
      long delay = Math.floorMod((psn + 1) * 0x9e3779b97f4a7c15L, MAX_NAK_DELAY_NANOS);
      engine.later(delay, () -> submit(job));
    } else {
      submit(job);
    }
    endMessage();
  }

  /** What the message took of the receive queue stays, for the next one or to be flushed. */
  private void endMessage() {
    unpin();
    kind = Kind.NONE;
  }

  private void waitForDma() {
    CountDownLatch done = new CountDownLatch(1);
    submit(new DmaStage.Job.Barrier(done));
    qp.device().await(done);
  }

  private void submit(DmaStage.Job job) {
    engine.dma().submit(job);
  }
}
