package org.mrcheck.check.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceEvent.CallStatus;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.WcStatus;

/**
 * Makes events with small numbers, right and wrong ones, one after the other: a responder with
 * registrations on host {@code a}, a requester on host {@code b}. It looks into the ledger only to
 * keep the window of unanswered PSNs below half the PSN space, where PSN order means anything.
 */
final class RandomRecording {
  static final NumberWidths WIDTHS = new NumberWidths(4, 4, 8);
  private static final QueuePairId RESPONDER = new QueuePairId(0x11, 1);
  private static final QueuePairId REQUESTER = new QueuePairId(0x12, 1);
  static final Opcode SEND_ONLY_WITH_INVALIDATE = new Opcode(0x17);
  private static final long SRQ = 5;
  private static final List<Opcode> REQUESTS =
      List.of(
          Opcode.RC_WRITE_FIRST,
          Opcode.RC_WRITE_FIRST,
          Opcode.RC_WRITE_MIDDLE,
          Opcode.RC_WRITE_MIDDLE,
          Opcode.RC_WRITE_LAST,
          Opcode.RC_WRITE_LAST,
          Opcode.RC_WRITE_ONLY,
          Opcode.RC_WRITE_ONLY,
          Opcode.RC_READ_REQUEST,
          Opcode.RC_READ_REQUEST,
          Opcode.RC_FETCH_ADD,
          Opcode.RC_COMPARE_SWAP,
          Opcode.RC_SEND_ONLY,
          SEND_ONLY_WITH_INVALIDATE);
  private static final int[] SYNDROMES = {0x1f, 0x2e, 0x60, 0x61, 0x62, 0x62, 0x63, 0x64};

  /** Everything is recorded, so the TLA+ text and its twin know the same. */
  static TraceHeader header() {
    List<TraceHeader.Observation> all = new ArrayList<>();
    for (EventClass eventClass : EventClass.values()) {
      all.add(new TraceHeader.Observation(eventClass, "*", TraceHeader.Completeness.COMPLETE));
    }
    return new TraceHeader(
        1, List.of(), Optional.empty(), Optional.empty(), all, java.util.Map.of());
  }

  private final Random random;
  private final Ledger ledger;
  private final List<TraceEvent> due = new ArrayList<>();
  private final List<Integer> regions = new ArrayList<>();
  private final List<TraceEvent.BindCall> windows = new ArrayList<>();
  private final List<TraceEvent.Post> posted = new ArrayList<>();
  private final List<TraceEvent.Pin> pins = new ArrayList<>();
  private final List<Long> allocated = new ArrayList<>();
  private final List<Long> receives = new ArrayList<>();
  private boolean shared;
  private long seq;
  private int objects;
  private int mtu;
  private int sendPsn;

  RandomRecording(Random random, Ledger ledger) {
    this.random = random;
    this.ledger = ledger;
    connect();
  }

  private int below(int bound) {
    return random.nextInt(bound);
  }

  private boolean oneIn(int chances) {
    return random.nextInt(chances) == 0;
  }

  private Stamp on(String host) {
    return new Stamp(++seq, seq, new Actor(host, "x"));
  }

  private void connect() {
    mtu = 2 + below(3);
    sendPsn = below(16);
    shared = oneIn(3);
    due.add(
        new TraceEvent.QpCreate(
            on("a"),
            RESPONDER,
            1 + below(2),
            rights(),
            shared ? OptionalLong.of(SRQ) : OptionalLong.empty()));
    due.add(
        new TraceEvent.QpConnect(
            on("a"),
            RESPONDER,
            Optional.of(new QueuePairAddress("b", REQUESTER)),
            OptionalInt.of(sendPsn),
            OptionalInt.of(below(16)),
            OptionalInt.of(mtu)));
    due.add(new TraceEvent.QpCreate(on("b"), REQUESTER, 1, rights()));
    due.add(
        new TraceEvent.QpConnect(
            on("b"),
            REQUESTER,
            Optional.of(new QueuePairAddress("a", RESPONDER)),
            OptionalInt.of(below(16)),
            OptionalInt.of(sendPsn),
            OptionalInt.of(mtu)));
    posted.clear();
  }

  /** The next event; the caller records it before asking again. */
  TraceEvent next() {
    if (!due.isEmpty()) {
      return due.remove(0);
    }
    int window =
        WIDTHS.psnDistance(
            responder().received.low().orElse(0), responder().received.high().orElse(0));
    if (window > 3) {
      return answer(WIDTHS.psnPlus(responder().received.high().getAsInt(), -1), 0x1f);
    }
    if (oneIn(40)) {
      connect();
      return new TraceEvent.QpState(on("a"), RESPONDER, QueuePairState.RESET);
    }
    return switch (below(24)) {
      case 20 -> pages();
      case 21 -> lifetime();
      case 22 -> receive();
      case 23 -> invalidation();
      case 0, 1, 2 -> registration();
      case 3, 4, 5, 6, 7, 8 -> request();
      case 9, 10 -> answer(near(), SYNDROMES[below(SYNDROMES.length)]);
      case 11 -> answer(near(), 0x1f);
      case 12, 13 -> response();
      case 14, 15, 16 -> check();
      case 17 -> state();
      default -> requester();
    };
  }

  private QueuePairFacts responder() {
    return ledger.queuePair(new QueuePairAddress("a", RESPONDER));
  }

  private int near() {
    return WIDTHS.psnPlus(responder().received.low().orElse(0), below(5) - 1);
  }

  private AccessFlags rights() {
    return oneIn(3) ? new AccessFlags(below(32)) : new AccessFlags(oneIn(8) ? 95 : 31);
  }

  private MemoryKey key() {
    return new MemoryKey(oneIn(12) ? 0 : 1 + below(4));
  }

  private CallStatus status() {
    return oneIn(4) ? CallStatus.BUSY : CallStatus.OK;
  }

  private TraceEvent registration() {
    int choice = below(12);
    if (regions.isEmpty() || choice < 3) {
      int mr = ++objects;
      regions.add(mr);
      MemoryKey key = key();
      TraceEvent.Reg reg =
          new TraceEvent.Reg(
              on("a"),
              mr,
              1 + below(2),
              key,
              oneIn(3) ? key() : key,
              below(14),
              below(10),
              rights(),
              oneIn(3) ? Optional.of(RESPONDER) : Optional.empty(),
              Optional.empty());
      if (oneIn(2)) {
        due.add(reg);
        return new TraceEvent.RegCall(on("a"), mr, key);
      }
      return reg;
    }
    int mr = regions.get(below(regions.size()));
    MemoryKey key = ledger.registration("a", mr).map(Registration::key).orElse(new MemoryKey(1));
    return switch (choice) {
      case 3, 4 -> new TraceEvent.DeregCall(on("a"), mr, key);
      case 5 -> new TraceEvent.DeregReturn(on("a"), mr, key, status());
      case 6 ->
          new TraceEvent.ReregCall(on("a"), mr, key, 1 + below(2), below(14), below(10), rights());
      case 7 -> new TraceEvent.ReregReturn(on("a"), mr, oneIn(4) ? newKey() : key, status());
      case 8, 9 -> bind(mr);
      case 10 -> new TraceEvent.InvCall(on("a"), key(), executor());
      default -> new TraceEvent.InvReturn(on("a"), key(), executor(), status());
    };
  }

  private Optional<QueuePairId> executor() {
    return oneIn(2) ? Optional.empty() : Optional.of(oneIn(5) ? REQUESTER : RESPONDER);
  }

  private MemoryKey newKey() {
    return new MemoryKey(1 + below(4));
  }

  private OptionalLong frame() {
    return oneIn(3) ? OptionalLong.empty() : OptionalLong.of(below(12));
  }

  private TraceEvent pages() {
    if (!pins.isEmpty() && oneIn(2)) {
      TraceEvent.Pin pin = pins.get(below(pins.size()));
      return new TraceEvent.Unpin(
          on("a"),
          pin.mr(),
          pin.va(),
          oneIn(8) ? pin.length() + 1 : pin.length(),
          pin.dmaAddress());
    }
    int mr = regions.isEmpty() ? 1 : regions.get(below(regions.size()));
    TraceEvent.Pin pin = new TraceEvent.Pin(on("a"), mr, below(14), 1 + below(8), frame());
    pins.add(pin);
    return pin;
  }

  private TraceEvent lifetime() {
    return switch (below(8)) {
      case 0 -> new TraceEvent.PdAlloc(on("a"), 1 + below(3));
      case 1 -> new TraceEvent.PdDealloc(on("a"), 1 + below(3), status());
      case 2, 3, 4 -> {
        long mw = 100 + ++objects;
        allocated.add(mw);
        yield new TraceEvent.MwAlloc(on("a"), mw, 1 + below(2), 1 + below(2));
      }
      case 5 -> {
        connect();
        yield new TraceEvent.QpDestroy(on("a"), RESPONDER, status());
      }
      default -> {
        Optional<TraceEvent.BindCall> bound =
            windows.isEmpty() ? Optional.empty() : Optional.of(windows.get(below(windows.size())));
        long mw = bound.map(TraceEvent.BindCall::mw).orElse(100L);
        MemoryKey key = bound.map(TraceEvent.BindCall::key).orElse(MemoryKey.NONE);
        yield oneIn(2)
            ? new TraceEvent.MwDeallocCall(on("a"), mw, key)
            : new TraceEvent.MwDeallocReturn(on("a"), mw, key, status());
      }
    };
  }

  /** A receive is posted or completes. */
  private TraceEvent receive() {
    if (receives.isEmpty() || oneIn(2)) {
      long wr = ++objects;
      receives.add(wr);
      return shared && !oneIn(5)
          ? new TraceEvent.SrqPost(on("a"), SRQ, wr, Optional.empty(), 1)
          : new TraceEvent.Post(
              on("a"),
              RESPONDER,
              wr,
              WorkOperation.RECV,
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              1,
              true);
    }
    boolean success = !oneIn(3);
    return new TraceEvent.Wc(
        on("a"),
        RESPONDER,
        receives.remove(oneIn(4) ? below(receives.size()) : 0),
        success ? WcStatus.SUCCESS : WcStatus.WR_FLUSH_ERR,
        oneIn(3) ? Optional.empty() : Optional.of(WorkOperation.RECV),
        OptionalInt.empty(),
        OptionalLong.empty(),
        oneIn(2) ? Optional.of(newKey()) : Optional.empty());
  }

  /** A local invalidate is posted, executed or completes. */
  private TraceEvent invalidation() {
    long wr = ++objects;
    MemoryKey key = newKey();
    TraceEvent.Wc done =
        new TraceEvent.Wc(
            on("a"),
            RESPONDER,
            wr,
            oneIn(4) ? WcStatus.LOC_PROT_ERR : WcStatus.SUCCESS,
            oneIn(3) ? Optional.empty() : Optional.of(WorkOperation.LOCAL_INV),
            OptionalInt.empty(),
            OptionalLong.empty());
    if (!oneIn(4)) {
      due.add(new TraceEvent.InvCall(on("a"), key, Optional.of(RESPONDER)));
      due.add(new TraceEvent.InvReturn(on("a"), key, Optional.of(RESPONDER), status()));
    }
    due.add(done);
    return new TraceEvent.Post(
        on("a"),
        RESPONDER,
        wr,
        WorkOperation.LOCAL_INV,
        Optional.empty(),
        Optional.empty(),
        oneIn(6) ? Optional.empty() : Optional.of(key),
        0,
        !oneIn(3));
  }

  private TraceEvent bind(int mr) {
    if (!windows.isEmpty() && oneIn(2)) {
      TraceEvent.BindCall call = windows.get(below(windows.size()));
      return new TraceEvent.BindReturn(on("a"), call.mw(), call.key(), status());
    }
    int mw =
        !windows.isEmpty() && oneIn(3)
            ? (int) windows.get(0).mw()
            : !allocated.isEmpty() && !oneIn(3)
                ? (int) (long) allocated.get(below(allocated.size()))
                : 100 + ++objects;
    int type = 1 + below(2);
    TraceEvent.BindCall call =
        new TraceEvent.BindCall(
            on("a"),
            mw,
            type,
            mr,
            type == 2 ? Optional.of(oneIn(4) ? REQUESTER : RESPONDER) : Optional.empty(),
            new MemoryKey(1 + below(4)),
            below(14),
            below(6),
            oneIn(2) ? new AccessFlags(2) : rights(),
            Optional.empty());
    windows.add(call);
    return call;
  }

  private TraceEvent request() {
    Opcode opcode = REQUESTS.get(below(REQUESTS.size()));
    int high = responder().received.high().orElse(0);
    int psn = oneIn(4) ? WIDTHS.psnPlus(high, below(4) - 2) : high;
    return new TraceEvent.Rx(on("a"), RESPONDER, packet(opcode, psn));
  }

  private Packet packet(Opcode opcode, int psn) {
    int payload = opcode.endsMessage() ? below(mtu + 1) : oneIn(6) ? 1 + below(mtu + 1) : mtu;
    boolean data = !opcode.isReadRequest() && !opcode.isAtomicRequest();
    Packet packet = Packet.plain(opcode, psn, true, data ? payload : 0);
    if (opcode.isAtomicRequest()) {
      packet = packet.withAccess(new RemoteAccess(key(), oneIn(2) ? 8 * below(2) : below(16), 8));
    } else if (opcode.isReadRequest()) {
      packet = packet.withAccess(new RemoteAccess(key(), below(16), below(2 * mtu + 1)));
    } else if (opcode.hasReth()) {
      int length = opcode.endsMessage() && !oneIn(4) ? payload : below(3 * mtu + 1);
      packet = packet.withAccess(new RemoteAccess(key(), below(16), length));
    }
    if (opcode.equals(SEND_ONLY_WITH_INVALIDATE)) {
      MemoryKey named = newKey();
      packet = invalidating(packet, named);
      if (!oneIn(3)) {
        due.add(new TraceEvent.InvReturn(on("a"), named, Optional.of(RESPONDER), status()));
      }
    }
    return oneIn(12) ? damaged(packet) : packet;
  }

  private static Packet invalidating(Packet packet, MemoryKey key) {
    return new Packet(
        packet.opcode(),
        packet.psn(),
        packet.ackRequest(),
        packet.payload(),
        packet.access(),
        Optional.of(key),
        packet.syndrome(),
        packet.msn(),
        packet.compare(),
        packet.swap(),
        packet.original(),
        packet.icrc());
  }

  private static Packet damaged(Packet packet) {
    return new Packet(
        packet.opcode(),
        packet.psn(),
        packet.ackRequest(),
        packet.payload(),
        packet.access(),
        packet.invalidate(),
        packet.syndrome(),
        packet.msn(),
        packet.compare(),
        packet.swap(),
        packet.original(),
        Icrc.BAD);
  }

  private TraceEvent answer(int psn, int syndrome) {
    Syndrome judged = new Syndrome(syndrome);
    Stamp stamp = on("a");
    if (oneIn(2)) {
      stamp = new Stamp(stamp.seq(), stamp.timeNanos(), stamp.actor(), stamp.seq());
    }
    return judged.kind() == Syndrome.Kind.ACK
        ? new TraceEvent.Ack(stamp, RESPONDER, psn, 0, judged)
        : new TraceEvent.Nak(stamp, RESPONDER, psn, 0, judged);
  }

  private TraceEvent response() {
    Opcode opcode =
        switch (below(5)) {
          case 0 -> Opcode.RC_READ_RESPONSE_FIRST;
          case 1 -> Opcode.RC_READ_RESPONSE_MIDDLE;
          case 2 -> Opcode.RC_READ_RESPONSE_LAST;
          case 3 -> Opcode.RC_READ_RESPONSE_ONLY;
          default -> Opcode.RC_ATOMIC_ACKNOWLEDGE;
        };
    List<RequestStream.AwaitedRead> reads = responder().received.awaitedReads();
    int psn = reads.isEmpty() || oneIn(3) ? near() : reads.get(below(reads.size())).next;
    return new TraceEvent.Tx(on("a"), RESPONDER, responsePacket(opcode, psn));
  }

  private Packet responsePacket(Opcode opcode, int psn) {
    Packet packet = Packet.plain(opcode, psn, false, mtu);
    if (!opcode.equals(Opcode.RC_ATOMIC_ACKNOWLEDGE)) {
      return packet;
    }
    return new Packet(
        opcode,
        psn,
        false,
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.of(new Syndrome(0x1f)),
        OptionalInt.of(0),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.of(below(3)),
        Icrc.OK);
  }

  /** A check, mostly with the access to memory that follows it. */
  private TraceEvent check() {
    int psn = near();
    AccessKind kind = AccessKind.values()[below(5)];
    MemoryKey key = key();
    int va = below(16);
    int length = below(5);
    if (!oneIn(4)) {
      int mr = regions.isEmpty() ? 1 : regions.get(below(regions.size()));
      boolean write = kind != AccessKind.LOCAL_READ && kind != AccessKind.REMOTE_READ;
      MemoryKey named = oneIn(3) ? key() : key;
      due.add(
          write
              ? new TraceEvent.DmaWrite(on("a"), RESPONDER, psn, mr, named, va, length, frame())
              : new TraceEvent.DmaRead(on("a"), RESPONDER, psn, mr, named, va, length, frame()));
    }
    return new TraceEvent.Check(
        on("a"),
        RESPONDER,
        psn,
        kind,
        key,
        va,
        length,
        length + below(3),
        oneIn(3) ? TraceEvent.CheckVerdict.REFUSE : TraceEvent.CheckVerdict.ACCEPT,
        Optional.empty(),
        OptionalLong.empty());
  }

  private TraceEvent state() {
    QueuePairState[] states = {QueuePairState.ERR, QueuePairState.RTS, QueuePairState.SQD};
    TraceEvent.Mover[] movers = TraceEvent.Mover.values();
    return oneIn(3)
        ? new TraceEvent.QpState(
            on(oneIn(3) ? "b" : "a"),
            oneIn(3) ? REQUESTER : RESPONDER,
            states[below(states.length)],
            oneIn(3) ? Optional.empty() : Optional.of(movers[below(movers.length)]))
        : request();
  }

  /** A work request with the packet that carries it out, an answer, or a completion. */
  private TraceEvent requester() {
    int choice = below(6);
    if (posted.size() < 3 && choice < 3) {
      return post();
    }
    if (choice < 5) {
      int psn = WIDTHS.psnPlus(sendPsn, -1 - below(3));
      Packet packet =
          Packet.plain(Opcode.RC_ACKNOWLEDGE, psn, false, 0)
              .withAeth(new Syndrome(oneIn(2) ? 0x1f : SYNDROMES[below(SYNDROMES.length)]), 0);
      return new TraceEvent.Rx(on("b"), REQUESTER, packet);
    }
    if (posted.isEmpty()) {
      return new TraceEvent.Wc(
          on("b"),
          REQUESTER,
          999,
          WcStatus.SUCCESS,
          Optional.of(WorkOperation.RECV),
          OptionalInt.empty(),
          OptionalLong.empty());
    }
    TraceEvent.Post post = posted.remove(0);
    while (!post.signaled() && !posted.isEmpty() && oneIn(2)) {
      post = posted.remove(0);
    }
    return completion(post);
  }

  private TraceEvent.Wc completion(TraceEvent.Post post) {
    WcStatus[] statuses = WcStatus.values();
    return new TraceEvent.Wc(
        on("b"),
        REQUESTER,
        post.wr(),
        oneIn(2) ? WcStatus.SUCCESS : statuses[below(statuses.length)],
        oneIn(2) ? Optional.empty() : Optional.of(post.operation()),
        OptionalInt.empty(),
        OptionalLong.empty());
  }

  /** A work request and the packets that carry it out, mostly with their accesses to memory. */
  private TraceEvent post() {
    WorkOperation[] operations = {
      WorkOperation.SEND,
      WorkOperation.RDMA_WRITE,
      WorkOperation.RDMA_WRITE,
      WorkOperation.RDMA_READ,
      WorkOperation.ATOMIC_FETCH_AND_ADD
    };
    WorkOperation operation = operations[below(operations.length)];
    int length =
        switch (operation) {
          case ATOMIC_FETCH_AND_ADD -> 8;
          case SEND -> 1;
          default -> below(2 * mtu);
        };
    Optional<RemoteAccess> remote =
        operation == WorkOperation.SEND
            ? Optional.empty()
            : Optional.of(new RemoteAccess(key(), below(8), length));
    TraceEvent.Post post =
        new TraceEvent.Post(
            on("b"),
            REQUESTER,
            ++objects,
            operation,
            remote,
            Optional.empty(),
            Optional.empty(),
            length,
            !oneIn(3));
    if (oneIn(5)) {
      due.add(completion(post));
      return post;
    }
    posted.add(post);
    int first = sendPsn;
    for (Packet packet : packets(operation, remote, length)) {
      due.add(new TraceEvent.Tx(on("b"), REQUESTER, packet));
    }
    if (remote.isPresent() && !oneIn(3)) {
      accesses(operation, first, remote.get());
    }
    return post;
  }

  private List<Packet> packets(WorkOperation operation, Optional<RemoteAccess> remote, int length) {
    Opcode only =
        switch (operation) {
          case SEND -> Opcode.RC_SEND_ONLY;
          case RDMA_READ -> Opcode.RC_READ_REQUEST;
          case ATOMIC_FETCH_AND_ADD -> Opcode.RC_FETCH_ADD;
          default -> Opcode.RC_WRITE_ONLY;
        };
    int count =
        only.equals(Opcode.RC_WRITE_ONLY) || only.isReadRequest() ? (length - 1) / mtu + 1 : 1;
    List<Packet> packets = new ArrayList<>();
    if (count > 1 && only.equals(Opcode.RC_WRITE_ONLY)) {
      packets.add(
          Packet.plain(Opcode.RC_WRITE_FIRST, sendPsn, false, mtu).withAccess(remote.get()));
      packets.add(
          Packet.plain(Opcode.RC_WRITE_LAST, WIDTHS.psnPlus(sendPsn, 1), true, length - mtu));
    } else {
      Packet packet =
          Packet.plain(
              only, sendPsn, true, only.isReadRequest() || only.isAtomicRequest() ? 0 : length);
      packets.add(remote.map(packet::withAccess).orElse(packet));
    }
    sendPsn = WIDTHS.psnPlus(sendPsn, count);
    return packets;
  }

  private void accesses(WorkOperation operation, int first, RemoteAccess remote) {
    boolean write = operation != WorkOperation.RDMA_READ;
    int unit = operation == WorkOperation.ATOMIC_FETCH_AND_ADD ? 8 : mtu;
    int mr =
        ledger
            .keyTable("a")
            .holder(remote.key())
            .map(holder -> holder.isWindow() ? holder.parent.orElse(1) : holder.number)
            .map(Long::intValue)
            .orElse(regions.isEmpty() ? 1 : regions.get(below(regions.size())));
    for (int offset = 0; offset < remote.length(); offset += unit) {
      int psn = WIDTHS.psnPlus(first, offset / unit);
      int length = (int) Math.min(unit, remote.length() - offset);
      if (oneIn(8)) {
        continue;
      }
      due.add(
          write
              ? new TraceEvent.DmaWrite(
                  on("a"), RESPONDER, psn, mr, remote.key(), remote.va() + offset, length, frame())
              : new TraceEvent.DmaRead(
                  on("a"),
                  RESPONDER,
                  psn,
                  mr,
                  remote.key(),
                  remote.va() + offset,
                  length,
                  frame()));
    }
  }
}
