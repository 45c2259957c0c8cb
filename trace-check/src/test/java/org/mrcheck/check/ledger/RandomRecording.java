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
          Opcode.RC_SEND_ONLY);
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
  private final List<Long> posted = new ArrayList<>();
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
    due.add(new TraceEvent.QpCreate(on("a"), RESPONDER, 1 + below(2), rights()));
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
    return switch (below(20)) {
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
    return oneIn(3) ? new AccessFlags(below(16)) : new AccessFlags(15);
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
      case 7 -> new TraceEvent.ReregReturn(on("a"), mr, key, status());
      case 8, 9 -> bind(mr);
      case 10 -> new TraceEvent.InvCall(on("a"), key());
      default -> new TraceEvent.InvReturn(on("a"), key(), status());
    };
  }

  private TraceEvent bind(int mr) {
    if (!windows.isEmpty() && oneIn(2)) {
      TraceEvent.BindCall call = windows.get(below(windows.size()));
      return new TraceEvent.BindReturn(on("a"), call.mw(), call.key(), status());
    }
    int mw = !windows.isEmpty() && oneIn(3) ? (int) windows.get(0).mw() : 100 + ++objects;
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
            rights(),
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
    return oneIn(12) ? damaged(packet) : packet;
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
    return judged.kind() == Syndrome.Kind.ACK
        ? new TraceEvent.Ack(on("a"), RESPONDER, psn, 0, judged)
        : new TraceEvent.Nak(on("a"), RESPONDER, psn, 0, judged);
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
              ? new TraceEvent.DmaWrite(on("a"), RESPONDER, psn, mr, named, va, length)
              : new TraceEvent.DmaRead(on("a"), RESPONDER, psn, mr, named, va, length));
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
    return oneIn(3)
        ? new TraceEvent.QpState(on("a"), RESPONDER, states[below(states.length)])
        : request();
  }

  /** A work request with the packet that carries it out, an answer, or a completion. */
  private TraceEvent requester() {
    int choice = below(6);
    if (posted.size() < 3 && choice < 3) {
      long wr = ++objects;
      posted.add(wr);
      int psn = sendPsn;
      sendPsn = WIDTHS.psnPlus(sendPsn, 1);
      if (!oneIn(5)) {
        due.add(
            new TraceEvent.Tx(on("b"), REQUESTER, Packet.plain(Opcode.RC_SEND_ONLY, psn, true, 1)));
      } else {
        sendPsn = psn;
      }
      return new TraceEvent.Post(
          on("b"), REQUESTER, wr, WorkOperation.SEND, Optional.empty(), Optional.empty(), 1);
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
    WcStatus[] statuses = WcStatus.values();
    return new TraceEvent.Wc(
        on("b"),
        REQUESTER,
        posted.remove(0),
        oneIn(2) ? WcStatus.SUCCESS : statuses[below(statuses.length)],
        Optional.empty(),
        OptionalInt.empty(),
        OptionalLong.empty());
  }
}
