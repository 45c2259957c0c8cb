package org.mrcheck.rnic;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Optional;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent.Mover;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;
import org.mrcheck.lang.trace.WcStatus;
import org.mrcheck.rnic.Policies.FlushOnDisconnect;
import org.mrcheck.rnic.Policies.LocalCheck;

/**
 * The sending half of a queue pair. Of the engine's thread alone, except {@link #post} and the send
 * queue, which has a lock.
 *
 * <p>Local keys are checked for every packet that touches local memory, and access is made at once,
 * while the reference is held; so deregistering a local region waits for one packet at most, never
 * for the peer. What the first check of a work request covers is a policy: the whole local element,
 * so that a bad lkey or an element that is too long sends nothing; or only the packet's bytes, so
 * that packets are sent before an element is found too long, and a READ's place is looked at only
 * when the data is there (row C19). A region that is deregistered in mid-message stops the message
 * where it is. Either way the work request completes with {@code LOC_PROT_ERR} when all before it
 * have completed, and the queue pair goes to ERR (row E11); on the unreliable connection to SQE.
 *
 * <p>On a sequence NAK, a hole in READ responses or a timeout everything unanswered is sent again
 * from the oldest missing PSN on (go-back-N), for a hole only once until there is progress; after
 * an RNR NAK when the time it names is over.
 *
 * <p>Work requests without packets (local invalidate, bind, fast registration) are executed when it
 * is their turn to be sent and complete in order with the others. A local invalidate waits until
 * all before it are complete (row D14).
 */
final class Requester {
  private static final int NO_PSN = -1;

  /** A work request that was taken from the send queue. */
  private static final class Entry {
    final WorkRequest request;
    final int firstPsn;

    /** PSNs the message takes: packets sent, or responses of a READ; 0 where nothing is sent. */
    final int packets;

    /** Packets sent; for what fetches data, 1 once the request was sent. */
    int sent;

    /** Responses that arrived. */
    int received;

    /** The registration of the local element, once a check has accepted it. */
    KeyTarget local;

    /**
     * Why it fails when all before it are complete; nothing more of it and of later ones is sent.
     */
    WcStatus fault;

    Entry(WorkRequest request, int firstPsn, int packets) {
      this.request = request;
      this.firstPsn = firstPsn;
      this.packets = packets;
    }

    boolean fetches() {
      return request.fetches();
    }

    boolean isFullySent() {
      return fetches() ? sent == 1 : sent == packets;
    }

    int endPsn() {
      return Psn.add(firstPsn, packets);
    }
  }

  private final QueuePair qp;
  private final Engine engine;
  private final SoftRnic device;
  private final Actor actor;
  private final KeyTable keys;
  private final boolean unreliable;
  private final LocalCheck localCheck;

  /** Posted and not yet taken by the engine; guarded by itself. */
  private final ArrayDeque<WorkRequest> sendQueue = new ArrayDeque<>();

  private final ArrayDeque<Entry> outstanding = new ArrayDeque<>();
  private int mtu;
  private int nextPsn;

  /** The oldest PSN that is not answered. */
  private int oldestPsn;

  /** First missing response that was asked for again since the last progress, or NO_PSN. */
  private int holeAt = NO_PSN;

  private int fetchesOutstanding;
  private int retries;
  private int rnrRetries;

  /** Until the time of an RNR NAK is over, nothing is sent. */
  private boolean pausing;

  private long deadline;
  private boolean drained;
  private boolean abandoned;

  Requester(QueuePair qp, Engine engine) {
    this.qp = qp;
    this.engine = engine;
    device = qp.device();
    actor = engine.actor();
    keys = device.keyTable();
    unreliable = qp.isUnreliable();
    localCheck = device.config().policies().get(LocalCheck.class);
  }

  void connected(Connection newConnection) {
    mtu = newConnection.mtu();
    nextPsn = newConnection.sendPsn();
    oldestPsn = nextPsn;
  }

  void post(Actor poster, WorkRequest request) {
    synchronized (sendQueue) {
      device.trace().post(poster, qp.id(), request, request.flags().signaled() || qp.signalsAll());
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
    if (qp.isSendErrorAnnounced()) {
      flush();
    } else {
      progress();
    }
  }

  private boolean maySend() {
    QueuePairState state = qp.state();
    return state == QueuePairState.RTS || state == QueuePairState.SQD;
  }

  /** Sends while the window, the limit of READs and the send queue allow. */
  private void progress() {
    while (maySend() && !pausing) {
      Entry entry = outstanding.peekLast();
      if (entry != null && entry.fault != null) {
        raiseFault();
        return;
      }
      if (entry == null || entry.isFullySent()) {
        if (qp.state() == QueuePairState.SQD) {
          announceDrained();
          return;
        }
        drained = false;
        entry = takeNext();
        if (entry == null) {
          return;
        }
      }
      if (entry.packets == 0) {
        succeedLocalHeads();
        continue;
      }
      if (!unreliable && !entry.fetches()) {
        int sentOfWindow = Psn.distance(Psn.add(entry.firstPsn, entry.sent), oldestPsn);
        if (sentOfWindow >= device.config().sendWindow()) {
          return;
        }
      }
      if (!sendPacket(entry, entry.sent)) {
        continue;
      }
      entry.sent++;
      if (unreliable) {
        oldestPsn = Psn.add(entry.firstPsn, entry.sent);
        if (entry.isFullySent()) {
          succeed(entry);
        }
      } else if (outstanding.size() == 1 && entry.sent == 1) {
        restartTimer();
      }
    }
  }

  private void announceDrained() {
    if (outstanding.isEmpty() && !drained) {
      drained = true;
      device.raise(actor, Optional.of(qp.id()), AsyncEventType.SQ_DRAINED);
    }
  }

  private Entry takeNext() {
    WorkRequest request;
    synchronized (sendQueue) {
      request = sendQueue.peek();
      if (request == null) {
        return null;
      }
      int window = Psn.distance(nextPsn, oldestPsn);
      boolean mustWait =
          window >= device.config().sendWindow()
              || request.fetches() && fetchesOutstanding >= device.config().maxReads()
              || request.flags().fence() && fetchesOutstanding > 0
              || request.operation() == WorkOperation.LOCAL_INV && !outstanding.isEmpty();
      if (mustWait) {
        return null;
      }
      sendQueue.remove();
    }
    int packets = 0;
    if (request.fetches()) {
      fetchesOutstanding++;
    }
    if (!request.isLocal()) {
      packets = (int) Math.max(1, (request.length() + mtu - 1) / mtu);
    }
    Entry entry = new Entry(request, nextPsn, packets);
    nextPsn = entry.endPsn();
    outstanding.add(entry);
    if (request.isLocal()) {
      WcStatus status = execute(request);
      entry.fault = status == WcStatus.SUCCESS ? null : status;
    }
    return entry;
  }

  private WcStatus execute(WorkRequest request) {
    if (request instanceof WorkRequest.LocalInvalidate invalidate) {
      return keys.localInvalidate(actor, qp, invalidate.key());
    }
    if (request instanceof WorkRequest.BindMemoryWindow bind) {
      return keys.bind(actor, qp, bind);
    }
    return keys.fastRegister(actor, qp, (WorkRequest.FastRegister) request);
  }

  /** Completes what is at the head and needs no answer. */
  private void succeedLocalHeads() {
    while (true) {
      Entry head = outstanding.peek();
      if (head == null || head.packets > 0 || head.fault != null) {
        return;
      }
      succeed(head);
    }
  }

  /**
   * Checks the local element for one packet.
   *
   * @return the region, whose reference is the caller's; null after a refusal, which is noted
   */
  private KeyTarget checkLocal(
      Entry entry, LocalData.Sge sge, int psn, AccessKind access, long offset, int length) {
    long remaining = sge.length() - offset;
    boolean whole = localCheck == LocalCheck.PER_WORK_REQUEST && entry.local == null;
    KeyTarget region =
        keys.check(
            actor,
            qp,
            psn,
            access,
            sge.lkey(),
            sge.address() + offset,
            length,
            remaining,
            whole ? remaining : length,
            entry.local);
    if (region == null) {
      entry.fault = WcStatus.LOC_PROT_ERR;
    } else if (entry.local != region) {
      unpin(entry);
      entry.local = region;
      region.openMessage(qp);
    }
    return region;
  }

  /** Sends one packet of a message, or its request; false if the local check refused. */
  private boolean sendPacket(Entry entry, int number) {
    return entry.fetches() ? sendRequest(entry, number) : sendData(entry, number);
  }

  private boolean sendData(Entry entry, int number) {
    WorkRequest request = entry.request;
    int psn = Psn.add(entry.firstPsn, number);
    long offset = (long) number * mtu;
    int length = (int) Math.min(mtu, request.length() - offset);
    byte[] payload = Wire.Frame.EMPTY;
    if (length > 0) {
      payload = new byte[length];
      if (request.data() instanceof LocalData.Inline inline) {
        inline.copy((int) offset, payload);
      } else {
        LocalData.Sge sge = (LocalData.Sge) request.data();
        KeyTarget region = checkLocal(entry, sge, psn, AccessKind.LOCAL_READ, offset, length);
        if (region == null) {
          return false;
        }
        long va = sge.address() + offset;
        region.read(actor, qp, psn, va, payload, length);
        region.release();
      }
    }
    boolean first = number == 0;
    boolean last = number == entry.packets - 1;
    Opcode opcode = Opcodes.data(request.operation(), unreliable, first, last);
    Packet packet = Packet.plain(opcode, psn, !unreliable && wantsAnswer(number, last), length);
    if (first && request.remote().isPresent()) {
      packet = packet.withAccess(request.remote().get());
    }
    int immediate = 0;
    if (last && request instanceof WorkRequest.SendWithInv send) {
      packet = RocePackets.withInvalidate(packet, send.invalidate());
    } else if (request instanceof WorkRequest.SendWithImm send) {
      immediate = send.immediate();
    } else if (request instanceof WorkRequest.RdmaWriteWithImm write) {
      immediate = write.immediate();
    }
    transmit(new Wire.Frame(packet, payload, immediate, last && request.flags().solicited()));
    return true;
  }

  /** The last packet asks for an acknowledgement, and one in the middle of each window. */
  private boolean wantsAnswer(int number, boolean last) {
    int turn = Math.max(1, device.config().sendWindow() / 2);
    return last || number % turn == turn - 1;
  }

  /** Asks for a READ's responses from the given one on, or for an atomic operation. */
  private boolean sendRequest(Entry entry, int from) {
    WorkRequest request = entry.request;
    int psn = Psn.add(entry.firstPsn, from);
    long offset = (long) from * mtu;
    if (from == 0
        && request.length() > 0
        && localCheck != LocalCheck.LAZY_LENGTH
        && request.data() instanceof LocalData.Sge sge) {
      int length = (int) Math.min(mtu, request.length());
      KeyTarget region = checkLocal(entry, sge, psn, AccessKind.LOCAL_WRITE, 0, length);
      if (region == null) {
        return false;
      }
      region.release();
    }
    RemoteAccess remote = request.remote().orElseThrow();
    Packet packet;
    if (request instanceof WorkRequest.AtomicCompareAndSwap atomic) {
      packet = Packet.plain(Opcode.RC_COMPARE_SWAP, psn, false, 0).withAccess(remote);
      packet = RocePackets.withOperands(packet, atomic.compare(), atomic.swap());
    } else if (request instanceof WorkRequest.AtomicFetchAndAdd atomic) {
      packet = Packet.plain(Opcode.RC_FETCH_ADD, psn, false, 0).withAccess(remote);
      packet = RocePackets.withOperands(packet, 0, atomic.add());
    } else {
      packet =
          Packet.plain(Opcode.RC_READ_REQUEST, psn, false, 0)
              .withAccess(
                  new RemoteAccess(remote.key(), remote.va() + offset, remote.length() - offset));
    }
    transmit(new Wire.Frame(packet, Wire.Frame.EMPTY));
    return true;
  }

  private void transmit(Wire.Frame frame) {
    device.trace().tx(actor, qp, frame.header());
    qp.send(frame);
  }

  /** A response or an acknowledgement has arrived. */
  void answer(Wire.Frame frame) {
    if (abandoned || unreliable || !maySend()) {
      return;
    }
    Packet packet = frame.header();
    if (packet.opcode().isReadResponse()) {
      readResponse(packet, frame.payload());
    } else if (packet.opcode().equals(Opcode.RC_ATOMIC_ACKNOWLEDGE)) {
      atomicResponse(packet);
    } else if (packet.opcode().isAcknowledge() && !syndrome(packet)) {
      return;
    }
    succeedLocalHeads();
    raiseFault();
    if (!qp.isErrorAnnounced()) {
      progress();
    }
  }

  /** False if it ended everything. */
  private boolean syndrome(Packet packet) {
    Syndrome syndrome = packet.syndrome().orElseThrow();
    int psn = packet.psn();
    boolean late = Psn.distance(psn, oldestPsn) < 0;
    boolean early = Psn.distance(psn, nextPsn) >= 0;
    if (early) {
      // Answers what was never asked: from an earlier connection.
      return true;
    }
    switch (syndrome.kind()) {
      case ACK -> acknowledged(Psn.add(psn, 1));
      case RNR_NAK -> {
        if (!late && !pausing) {
          acknowledged(psn);
          return pause(syndrome.value());
        }
      }
      case NAK -> {
        if (syndrome.isFatal()) {
          refused(psn, syndrome);
          return false;
        }
        if (!late) {
          acknowledged(psn);
          sendAgainFrom(oldestPsn);
        }
      }
      case RESERVED -> {}
    }
    return true;
  }

  /** After an RNR NAK; false if that was once too often. */
  private boolean pause(int timer) {
    int most = qp.retries().rnrRetryCount();
    if (most < 7 && rnrRetries >= most) {
      failOldest(WcStatus.RNR_RETRY_EXC_ERR);
      return false;
    }
    rnrRetries++;
    pausing = true;
    engine.later(
        TransportSettings.rnrNanos(timer),
        () -> {
          pausing = false;
          if (!abandoned && maySend()) {
            sendAgainFrom(oldestPsn);
            raiseFault();
            if (!qp.isErrorAnnounced()) {
              progress();
            }
          }
        });
    return true;
  }

  /** Everything before {@code end} is acknowledged. */
  private void acknowledged(int end) {
    if (Psn.distance(end, nextPsn) > 0) {
      return;
    }
    while (!outstanding.isEmpty()) {
      Entry head = outstanding.peek();
      if (head.fetches() && head.received < head.packets) {
        if (head.sent == 1 && Psn.distance(end, head.endPsn()) >= 0) {
          // The answer to a later request has overtaken responses: they are lost.
          fillHole(oldestPsn);
        }
        return;
      }
      if (head.fault != null || Psn.distance(end, head.endPsn()) < 0) {
        break;
      }
      succeed(head);
    }
    if (Psn.distance(end, oldestPsn) > 0) {
      advance(end);
    }
  }

  /**
   * Asks again for responses that are missing, once: whatever follows says the same of the same
   * hole, and asking each time would multiply packets. If it was in vain the timer asks.
   */
  private void fillHole(int psn) {
    if (holeAt != psn) {
      holeAt = psn;
      sendAgainFrom(psn);
    }
  }

  private void advance(int end) {
    oldestPsn = end;
    holeAt = NO_PSN;
    retries = 0;
    rnrRetries = 0;
    restartTimer();
  }

  private void readResponse(Packet packet, byte[] payload) {
    int psn = packet.psn();
    Entry head = expectResponse(psn);
    if (head == null || head.request.operation() != WorkOperation.RDMA_READ) {
      return;
    }
    long offset = (long) head.received * mtu;
    if (payload.length != Math.min(mtu, head.request.length() - offset)) {
      failOldest(WcStatus.BAD_RESP_ERR);
      return;
    }
    if (store(head, psn, offset, payload)) {
      received(head, psn);
    }
  }

  private void atomicResponse(Packet packet) {
    int psn = packet.psn();
    Entry head = expectResponse(psn);
    if (head == null || head.request.operation() == WorkOperation.RDMA_READ) {
      return;
    }
    long original = packet.original().orElseThrow();
    byte[] bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(original).array();
    if (store(head, psn, 0, bytes)) {
      received(head, psn);
    }
  }

  /** The request that this response is the next one of, or null; a hole is asked for again. */
  private Entry expectResponse(int psn) {
    acknowledgeBefore(psn);
    Entry head = outstanding.peek();
    if (head == null || !head.fetches() || head.sent == 0) {
      return null;
    }
    int expected = Psn.add(head.firstPsn, head.received);
    if (psn != expected) {
      if (Psn.distance(psn, expected) > 0 && Psn.distance(psn, nextPsn) < 0) {
        fillHole(expected);
      }
      return null;
    }
    return head;
  }

  private boolean store(Entry head, int psn, long offset, byte[] payload) {
    if (payload.length > 0) {
      LocalData.Sge sge = (LocalData.Sge) head.request.data();
      KeyTarget region = checkLocal(head, sge, psn, AccessKind.LOCAL_WRITE, offset, payload.length);
      if (region == null) {
        return false;
      }
      long va = sge.address() + offset;
      region.write(actor, qp, psn, va, payload, payload.length);
      region.release();
    }
    return true;
  }

  private void received(Entry head, int psn) {
    head.received++;
    advance(Psn.add(psn, 1));
    if (head.received == head.packets) {
      succeed(head);
    }
  }

  /** A response acknowledges all that was sent before its request. */
  private void acknowledgeBefore(int psn) {
    if (Psn.distance(psn, nextPsn) >= 0) {
      return;
    }
    while (!outstanding.isEmpty()) {
      Entry head = outstanding.peek();
      if (head.fault != null || head.fetches() || Psn.distance(psn, head.endPsn()) < 0) {
        return;
      }
      succeed(head);
    }
  }

  private void refused(int psn, Syndrome syndrome) {
    acknowledgeBefore(psn);
    WcStatus status =
        switch (syndrome.value()) {
          case 1 -> WcStatus.REM_INV_REQ_ERR;
          case 2 -> WcStatus.REM_ACCESS_ERR;
          case 3 -> WcStatus.REM_OP_ERR;
          default -> WcStatus.BAD_RESP_ERR;
        };
    Entry head = outstanding.peek();
    if (head != null && head.fault != null) {
      status = head.fault;
    } else if (head != null && Psn.distance(psn, head.endPsn()) >= 0) {
      // A later request was refused while responses to this one are missing. Nobody would answer
      // another try (row E13), and after a fatal NAK none is made; the refusal is not this one's.
      status = WcStatus.RETRY_EXC_ERR;
    }
    failOldest(status);
  }

  /** If the oldest request is the one that has a fault, it is its turn to fail. */
  private void raiseFault() {
    Entry head = outstanding.peek();
    if (head != null && head.fault != null) {
      failOldest(head.fault);
    }
  }

  private void failOldest(WcStatus status) {
    if (unreliable) {
      qp.enterSendQueueError(actor);
    } else {
      qp.enterError(actor, Mover.DEVICE);
    }
    if (!qp.isSendErrorAnnounced()) {
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
    fetchesOutstanding = 0;
    while (!outstanding.isEmpty()) {
      complete(outstanding.poll(), WcStatus.WR_FLUSH_ERR);
    }
    while (true) {
      WorkRequest request;
      synchronized (sendQueue) {
        // Asked anew under the lock: a queue pair may leave SQE while its last flush completes, and
        // what is posted afterwards is to be sent.
        request = qp.isSendErrorAnnounced() ? sendQueue.poll() : null;
      }
      if (request == null) {
        return;
      }
      if (request instanceof WorkRequest.FastRegister registration
          && device.config().policies().get(FlushOnDisconnect.class) == FlushOnDisconnect.APPLIED) {
        // It fails for its owner and has taken effect all the same (row D16).
        keys.fastRegister(actor, qp, registration);
      }
      qp.sendCompletions().add(error(request, WcStatus.WR_FLUSH_ERR), true);
    }
  }

  /** Of the oldest entry. */
  private void succeed(Entry head) {
    outstanding.remove();
    if (head.fetches()) {
      fetchesOutstanding--;
    }
    unpin(head);
    WorkRequest request = head.request;
    if (request.flags().signaled() || qp.signalsAll()) {
      qp.sendCompletions()
          .add(
              WorkCompletion.success(request.id(), qp.id(), request.operation(), request.length()),
              false);
    }
  }

  private void complete(Entry entry, WcStatus status) {
    unpin(entry);
    qp.sendCompletions().add(error(entry.request, status), true);
  }

  private WorkCompletion error(WorkRequest request, WcStatus status) {
    return WorkCompletion.error(request.id(), qp.id(), request.operation(), status);
  }

  private void unpin(Entry entry) {
    if (entry.local != null) {
      entry.local.closeMessage(qp);
      entry.local = null;
    }
  }

  /** Sends again, from that PSN on, what was sent and is not answered. */
  private void sendAgainFrom(int psn) {
    for (Entry entry : outstanding) {
      if (entry.fault != null) {
        return;
      }
      int from = Math.max(0, Psn.distance(psn, entry.firstPsn));
      if (entry.fetches()) {
        if (entry.sent == 1 && !sendRequest(entry, Math.max(from, entry.received))) {
          return;
        }
      } else {
        for (int number = from; number < entry.sent; number++) {
          if (!sendData(entry, number)) {
            return;
          }
        }
      }
    }
    restartTimer();
  }

  private void restartTimer() {
    deadline = device.nanoTime() + qp.retries().timeout().toNanos();
  }

  /** Looks at the retry timer; false when nothing is outstanding any more. */
  boolean tick(long now) {
    Entry head = outstanding.peek();
    if (head == null || !maySend() || pausing) {
      return head != null;
    }
    if (head.sent > 0 && head.fault == null && now - deadline >= 0) {
      if (retries >= qp.retries().retryCount()) {
        failOldest(WcStatus.RETRY_EXC_ERR);
      } else {
        retries++;
        sendAgainFrom(oldestPsn);
        raiseFault();
      }
    }
    return !outstanding.isEmpty();
  }
}
