package org.mrcheck.rnic;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalLong;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;
import org.mrcheck.lang.trace.WcStatus;

/**
 * The sending half of a queue pair. Of the engine's thread alone, except {@link #post} and the send
 * queue, which has a lock.
 *
 * <p>Local keys are checked for every packet that touches local memory, and access is made at once,
 * while the reference is held; so deregistering a local region waits for one packet at most, never
 * for the peer. The first check of a work request covers the whole local segment, so that a bad
 * lkey or a segment that is too long sends nothing. Real devices differ: ConnectX sends packets
 * before it finds a segment too long, and finds a READ sink without LOCAL_WRITE only when the data
 * is there (row C19). A region that is deregistered in mid-message stops the message where it is.
 * Either way the work request completes with {@code LOC_PROT_ERR} when all before it have
 * completed, and the queue pair goes to ERR (row E11).
 *
 * <p>On a sequence NAK, a hole in READ responses or a timeout everything unanswered is sent again
 * from the oldest missing PSN on (go-back-N).
 */
final class Requester {
  /** A work request that was taken from the send queue. */
  private static final class Entry {
    final WorkRequest request;
    final int firstPsn;

    /** PSNs the message takes: packets of a WRITE, responses of a READ; at least 1. */
    final int packets;

    /** Packets sent (WRITE), or 1 once the request was sent (READ). */
    int sent;

    /** Responses that arrived (READ). */
    int received;

    /** The registration of the local segment, once a check has accepted it. */
    MemoryRegion local;

    /** A local check refused; nothing more of this and later requests is sent. */
    boolean faulty;

    Entry(WorkRequest request, int firstPsn, int packets) {
      this.request = request;
      this.firstPsn = firstPsn;
      this.packets = packets;
    }

    boolean isRead() {
      return request.operation() == WorkOperation.RDMA_READ;
    }

    boolean isFullySent() {
      return isRead() ? sent == 1 : sent == packets;
    }

    int endPsn() {
      return Psn.add(firstPsn, packets);
    }
  }

  private final QueuePair qp;
  private final Engine engine;
  private final Actor actor;
  private final KeyTable keys;

  /** Posted and not yet taken by the engine; guarded by itself. */
  private final ArrayDeque<WorkRequest> sendQueue = new ArrayDeque<>();

  private final ArrayDeque<Entry> outstanding = new ArrayDeque<>();
  private int mtu;
  private int nextPsn;

  /** The oldest PSN that is not answered. */
  private int oldestPsn;

  private int readsOutstanding;
  private int retries;
  private long deadline;
  private boolean abandoned;

  Requester(QueuePair qp, Engine engine) {
    this.qp = qp;
    this.engine = engine;
    actor = engine.actor();
    keys = qp.device().keyTable();
  }

  void connected(Connection newConnection) {
    mtu = newConnection.mtu();
    nextPsn = newConnection.sendPsn();
    oldestPsn = nextPsn;
  }

  void post(Actor poster, WorkRequest request) {
    synchronized (sendQueue) {
      qp.device().trace().post(poster, qp.id(), request);
      sendQueue.add(request);
    }
  }

  boolean isWaiting() {
    return !outstanding.isEmpty();
  }

  void abandon() {
    abandoned = true;
    for (Entry entry : outstanding) {
      unpin(entry);
    }
    outstanding.clear();
    synchronized (sendQueue) {
      sendQueue.clear();
    }
  }

  /** Something was posted, or the state changed. */
  void doorbell() {
    if (abandoned) {
      return;
    }
    if (qp.isErrorAnnounced()) {
      flush();
    } else {
      progress();
    }
  }

  /** Sends while the window, the limit of READs and the send queue allow. */
  private void progress() {
    while (qp.state() == QueuePairState.RTS) {
      Entry entry = outstanding.peekLast();
      if (entry == null || entry.isFullySent()) {
        entry = takeNext();
        if (entry == null) {
          return;
        }
      }
      if (entry.faulty) {
        raiseLocalFault();
        return;
      }
      if (entry.isRead()) {
        if (!sendReadRequest(entry, 0)) {
          continue;
        }
        entry.sent = 1;
      } else {
        int sentOfWindow = Psn.distance(Psn.add(entry.firstPsn, entry.sent), oldestPsn);
        if (sentOfWindow >= qp.device().config().sendWindow()) {
          return;
        }
        if (!sendWritePacket(entry, entry.sent)) {
          continue;
        }
        entry.sent++;
      }
      if (outstanding.size() == 1 && entry.sent == 1) {
        restartTimer();
      }
    }
  }

  private Entry takeNext() {
    WorkRequest request;
    synchronized (sendQueue) {
      request = sendQueue.peek();
      if (request == null) {
        return null;
      }
      boolean read = request.operation() == WorkOperation.RDMA_READ;
      int window = Psn.distance(nextPsn, oldestPsn);
      if (window >= qp.device().config().sendWindow()
          || read && readsOutstanding >= qp.device().config().maxReads()) {
        return null;
      }
      sendQueue.remove();
      if (read) {
        readsOutstanding++;
      }
    }
    int packets = (int) Math.max(1, (request.length() + mtu - 1) / mtu);
    Entry entry = new Entry(request, nextPsn, packets);
    nextPsn = entry.endPsn();
    outstanding.add(entry);
    return entry;
  }

  private MemoryRegion checkLocal(
      Entry entry, int psn, AccessKind access, long offset, int length) {
    WorkRequest request = entry.request;
    long remaining = request.length() - offset;
    MemoryRegion region =
        keys.check(
            actor,
            qp,
            psn,
            access,
            request.lkey(),
            request.localAddress() + offset,
            length,
            remaining,
            entry.local == null ? remaining : length,
            entry.local);
    if (region == null) {
      entry.faulty = true;
    } else if (entry.local == null) {
      entry.local = region;
      region.openMessage();
    }
    return region;
  }

  /** Sends one packet of a WRITE; false if the local check refused. */
  private boolean sendWritePacket(Entry entry, int number) {
    WorkRequest request = entry.request;
    int psn = Psn.add(entry.firstPsn, number);
    long offset = (long) number * mtu;
    int length = (int) Math.min(mtu, request.length() - offset);
    byte[] payload = Wire.Frame.EMPTY;
    if (length > 0) {
      MemoryRegion region = checkLocal(entry, psn, AccessKind.LOCAL_READ, offset, length);
      if (region == null) {
        return false;
      }
      payload = new byte[length];
      long va = request.localAddress() + offset;
      region.read(va, payload, length);
      qp.device().trace().dmaRead(actor, qp.id(), psn, region, va, length);
      region.release();
    }
    boolean first = number == 0;
    boolean last = number == entry.packets - 1;
    Opcode opcode;
    if (first) {
      opcode = last ? Opcode.RC_WRITE_ONLY : Opcode.RC_WRITE_FIRST;
    } else {
      opcode = last ? Opcode.RC_WRITE_LAST : Opcode.RC_WRITE_MIDDLE;
    }
    Packet packet = Packet.plain(opcode, psn, last, length);
    if (first) {
      packet = packet.withAccess(remoteAccess(request, 0));
    }
    transmit(packet, payload);
    return true;
  }

  /** Asks for a READ's responses from the given one on; false if the local check refused. */
  private boolean sendReadRequest(Entry entry, int from) {
    WorkRequest request = entry.request;
    int psn = Psn.add(entry.firstPsn, from);
    long offset = (long) from * mtu;
    if (from == 0 && request.length() > 0) {
      int length = (int) Math.min(mtu, request.length());
      MemoryRegion region = checkLocal(entry, psn, AccessKind.LOCAL_WRITE, 0, length);
      if (region == null) {
        return false;
      }
      region.release();
    }
    transmit(
        Packet.plain(Opcode.RC_READ_REQUEST, psn, false, 0)
            .withAccess(remoteAccess(request, offset)),
        Wire.Frame.EMPTY);
    return true;
  }

  private static RemoteAccess remoteAccess(WorkRequest request, long offset) {
    return new RemoteAccess(
        request.rkey(), request.remoteAddress() + offset, request.length() - offset);
  }

  private void transmit(Packet packet, byte[] payload) {
    qp.device().trace().tx(actor, qp.id(), packet);
    qp.send(new Wire.Frame(packet, payload));
  }

  /** A response or an acknowledgement has arrived. */
  void answer(Wire.Frame frame) {
    if (abandoned || qp.state() != QueuePairState.RTS) {
      return;
    }
    Packet packet = frame.header();
    if (packet.opcode().isReadResponse()) {
      readResponse(packet, frame.payload());
    } else if (packet.opcode().isAcknowledge()) {
      Syndrome syndrome = packet.syndrome().orElseThrow();
      if (syndrome.kind() == Syndrome.Kind.ACK) {
        acknowledged(Psn.add(packet.psn(), 1));
      } else if (syndrome.isFatal()) {
        refused(packet.psn(), syndrome);
        return;
      } else {
        acknowledged(packet.psn());
        sendAgainFrom(oldestPsn);
      }
    }
    raiseLocalFault();
    if (!qp.isErrorAnnounced()) {
      progress();
    }
  }

  /** Everything before {@code end} is acknowledged. */
  private void acknowledged(int end) {
    if (Psn.distance(end, nextPsn) > 0) {
      return;
    }
    while (!outstanding.isEmpty()) {
      Entry head = outstanding.peek();
      if (head.isRead() && head.received < head.packets) {
        if (head.sent == 1 && Psn.distance(end, head.endPsn()) >= 0) {
          // The answer to a later request has overtaken responses: they are lost.
          sendAgainFrom(oldestPsn);
        }
        return;
      }
      if (Psn.distance(end, head.endPsn()) < 0) {
        break;
      }
      succeed(head);
    }
    if (Psn.distance(end, oldestPsn) > 0) {
      advance(end);
    }
  }

  private void advance(int end) {
    oldestPsn = end;
    retries = 0;
    restartTimer();
  }

  private void readResponse(Packet packet, byte[] payload) {
    int psn = packet.psn();
    acknowledgeWritesBefore(psn);
    Entry head = outstanding.peek();
    if (head == null || !head.isRead()) {
      return;
    }
    int expected = Psn.add(head.firstPsn, head.received);
    if (psn != expected) {
      if (Psn.distance(psn, expected) > 0) {
        sendAgainFrom(expected);
      }
      return;
    }
    if (payload.length > 0) {
      long offset = (long) head.received * mtu;
      MemoryRegion region = checkLocal(head, psn, AccessKind.LOCAL_WRITE, offset, payload.length);
      if (region == null) {
        return;
      }
      long va = head.request.localAddress() + offset;
      region.write(va, payload, payload.length);
      qp.device().trace().dmaWrite(actor, qp.id(), psn, region, va, payload.length);
      region.release();
    }
    head.received++;
    advance(Psn.add(psn, 1));
    if (head.received == head.packets) {
      succeed(head);
    }
  }

  private void acknowledgeWritesBefore(int psn) {
    while (!outstanding.isEmpty()) {
      Entry head = outstanding.peek();
      if (head.isRead() || Psn.distance(psn, head.endPsn()) < 0) {
        return;
      }
      succeed(head);
    }
  }

  private void refused(int psn, Syndrome syndrome) {
    acknowledgeWritesBefore(psn);
    WcStatus status =
        switch (syndrome.value()) {
          case 1 -> WcStatus.REM_INV_REQ_ERR;
          case 2 -> WcStatus.REM_ACCESS_ERR;
          case 3 -> WcStatus.REM_OP_ERR;
          default -> WcStatus.BAD_RESP_ERR;
        };
    Entry head = outstanding.peek();
    if (head != null && Psn.distance(psn, head.endPsn()) >= 0) {
      // A later request was refused while responses to this READ are missing. Nobody would answer
      // another try (row E13), and after a fatal NAK none is made; the refusal is not this one's.
      status = WcStatus.RETRY_EXC_ERR;
    }
    failOldest(status);
  }

  /** If the oldest request is the one whose local check was refused, it is its turn to fail. */
  private void raiseLocalFault() {
    Entry head = outstanding.peek();
    if (head != null && head.faulty) {
      failOldest(WcStatus.LOC_PROT_ERR);
    }
  }

  private void failOldest(WcStatus status) {
    qp.enterError(actor);
    if (!qp.isErrorAnnounced()) {
      // The queue pair is being destroyed.
      return;
    }
    Entry head = outstanding.poll();
    if (head != null) {
      complete(head, status);
    }
    flush();
  }

  private void flush() {
    while (!outstanding.isEmpty()) {
      complete(outstanding.poll(), WcStatus.WR_FLUSH_ERR);
    }
    while (true) {
      WorkRequest request;
      synchronized (sendQueue) {
        request = sendQueue.poll();
      }
      if (request == null) {
        return;
      }
      qp.sendCompletions().add(error(request, WcStatus.WR_FLUSH_ERR));
    }
  }

  private void succeed(Entry head) {
    outstanding.remove();
    if (head.isRead()) {
      readsOutstanding--;
    }
    unpin(head);
    WorkRequest request = head.request;
    qp.sendCompletions()
        .add(
            new WorkCompletion(
                request.id(),
                WcStatus.SUCCESS,
                qp.id(),
                Optional.of(request.operation()),
                OptionalLong.of(request.length())));
  }

  private void complete(Entry entry, WcStatus status) {
    unpin(entry);
    qp.sendCompletions().add(error(entry.request, status));
  }

  private WorkCompletion error(WorkRequest request, WcStatus status) {
    return new WorkCompletion(
        request.id(), status, qp.id(), Optional.empty(), OptionalLong.empty());
  }

  private static void unpin(Entry entry) {
    if (entry.local != null) {
      entry.local.closeMessage();
      entry.local = null;
    }
  }

  /** Sends again, from that PSN on, what was sent and is not answered. */
  private void sendAgainFrom(int psn) {
    for (Entry entry : outstanding) {
      if (entry.faulty) {
        return;
      }
      int from = Math.max(0, Psn.distance(psn, entry.firstPsn));
      if (entry.isRead()) {
        if (entry.sent == 1 && !sendReadRequest(entry, Math.max(from, entry.received))) {
          return;
        }
      } else {
        for (int number = from; number < entry.sent; number++) {
          if (!sendWritePacket(entry, number)) {
            return;
          }
        }
      }
    }
    restartTimer();
  }

  private void restartTimer() {
    deadline = System.nanoTime() + qp.device().config().retryTimeout().toNanos();
  }

  /** Looks at the retry timer; false when nothing is outstanding any more. */
  boolean tick(long now) {
    Entry head = outstanding.peek();
    if (head == null || qp.state() != QueuePairState.RTS) {
      return head != null;
    }
    if (head.sent > 0 && !head.faulty && now - deadline >= 0) {
      if (retries >= qp.device().config().retryCount()) {
        failOldest(WcStatus.RETRY_EXC_ERR);
      } else {
        retries++;
        sendAgainFrom(oldestPsn);
        raiseLocalFault();
      }
    }
    return !outstanding.isEmpty();
  }
}
