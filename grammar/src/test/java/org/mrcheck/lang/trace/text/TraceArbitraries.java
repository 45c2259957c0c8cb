package org.mrcheck.lang.trace.text;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.arbitraries.StringArbitrary;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.EventName;
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
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.WcStatus;

/** Arbitrary events and headers, with extreme values and odd texts. */
public final class TraceArbitraries {
  private TraceArbitraries() {}

  static Arbitrary<Long> longs() {
    return Arbitraries.longs().edgeCases(edges -> edges.add(0L, -1L, Long.MIN_VALUE));
  }

  static Arbitrary<Long> bits32() {
    return Arbitraries.longs().between(0, 0xffff_ffffL);
  }

  static Arbitrary<Integer> bits24() {
    return Arbitraries.integers().between(0, 0xff_ffff);
  }

  static Arbitrary<MemoryKey> keys() {
    return Arbitraries.integers().map(MemoryKey::new);
  }

  static Arbitrary<AccessFlags> rights() {
    return Arbitraries.integers().map(AccessFlags::new);
  }

  /** Any text: quotes, backslashes, control characters, lone surrogates. */
  static Arbitrary<String> texts() {
    StringArbitrary any = Arbitraries.strings().ofMaxLength(12);
    return Arbitraries.oneOf(
        any.all(),
        any.ascii(),
        any.withChars("\"\\nrtu{}=#% \t\n\r\u0000\u001b\u202e\ud800\udc00é"),
        Arbitraries.of("range", "none", "0x12", "7", "-3", "x", "%host", "#", "a/b", "mrtrace"));
  }

  static Arbitrary<String> names() {
    return Arbitraries.oneOf(
        Arbitraries.of("10.9.0.1", "fe80::1", "a", "7", "-5", "0x12", "wire", "Zürich", "主机"),
        Arbitraries.strings()
            .alpha()
            .numeric()
            .withChars("._:-*()|@")
            .ofMinLength(1)
            .ofMaxLength(9));
  }

  static Arbitrary<QueuePairId> queuePairs() {
    return Combinators.combine(bits24(), Arbitraries.integers().between(1, Integer.MAX_VALUE))
        .as(QueuePairId::new);
  }

  static Arbitrary<Syndrome> syndromes() {
    return Arbitraries.integers().between(0, 255).map(Syndrome::new);
  }

  static Arbitrary<Stamp> stamps() {
    return Combinators.combine(
            Arbitraries.longs().between(1, Long.MAX_VALUE),
            longs(),
            Combinators.combine(names(), names()).as(Actor::new),
            Arbitraries.longs().between(0, Long.MAX_VALUE))
        .as(Stamp::new);
  }

  static Arbitrary<RemoteAccess> accesses() {
    return Combinators.combine(keys(), longs(), bits32()).as(RemoteAccess::new);
  }

  static Arbitrary<Packet> packets() {
    record First(Opcode opcode, int psn, boolean ackRequest, int payload) {}
    record Second(OptionalLong compare, OptionalLong swap, OptionalLong original, Icrc icrc) {}
    return Combinators.combine(
            Combinators.combine(
                    Arbitraries.integers().between(0, 255).map(Opcode::new),
                    bits24(),
                    Arbitraries.of(true, false),
                    Arbitraries.integers().greaterOrEqual(0))
                .as(First::new),
            accesses().optional(),
            keys().optional(),
            syndromes().optional(),
            bits24().optional(),
            Combinators.combine(
                    optionalLongs(longs()),
                    optionalLongs(longs()),
                    optionalLongs(longs()),
                    Arbitraries.of(Icrc.class))
                .as(Second::new))
        .as(
            (first, access, invalidate, syndrome, msn, second) ->
                new Packet(
                    first.opcode(),
                    first.psn(),
                    first.ackRequest(),
                    first.payload(),
                    access,
                    invalidate,
                    syndrome,
                    optionalInt(msn),
                    second.compare(),
                    second.swap(),
                    second.original(),
                    second.icrc()));
  }

  public static Arbitrary<TraceEvent> events() {
    return Arbitraries.of(EventName.class).flatMap(TraceArbitraries::events);
  }

  /** Arbitrary events of one name; a new name fails here until it has a generator. */
  public static Arbitrary<TraceEvent> events(EventName name) {
    Arbitrary<TraceEvent.CallStatus> status = Arbitraries.of(TraceEvent.CallStatus.class);
    return switch (name) {
      case REG_CALL ->
          Combinators.combine(stamps(), longs(), keys(), queuePairs().optional())
              .as(TraceEvent.RegCall::new);
      case REG ->
          Combinators.combine(
                  Combinators.combine(stamps(), longs(), longs())
                      .as((stamp, mr, pd) -> new Object[] {stamp, mr, pd}),
                  keys(),
                  keys(),
                  longs(),
                  longs(),
                  rights(),
                  queuePairs().optional(),
                  texts().optional())
              .as(
                  (v, key, lkey, va, length, rights, qp, label) ->
                      new TraceEvent.Reg(
                          (Stamp) v[0],
                          (Long) v[1],
                          (Long) v[2],
                          key,
                          lkey,
                          va,
                          length,
                          rights,
                          qp,
                          label));
      case DEREG_CALL ->
          Combinators.combine(stamps(), longs(), keys()).as(TraceEvent.DeregCall::new);
      case DEREG_RETURN ->
          Combinators.combine(stamps(), longs(), keys(), status).as(TraceEvent.DeregReturn::new);
      case REREG_CALL ->
          Combinators.combine(stamps(), longs(), keys(), longs(), longs(), longs(), rights())
              .as(TraceEvent.ReregCall::new);
      case REREG_RETURN ->
          Combinators.combine(stamps(), longs(), keys(), status).as(TraceEvent.ReregReturn::new);
      case BIND_CALL ->
          Combinators.combine(
                  Combinators.combine(stamps(), longs(), Arbitraries.of(1, 2), longs())
                      .as((s, mw, type, mr) -> new Object[] {s, mw, type, mr}),
                  queuePairs().optional(),
                  keys(),
                  longs(),
                  longs(),
                  rights(),
                  texts().optional())
              .as(
                  (v, qp, key, va, length, rights, label) ->
                      new TraceEvent.BindCall(
                          (Stamp) v[0],
                          (Long) v[1],
                          (Integer) v[2],
                          (Long) v[3],
                          qp,
                          key,
                          va,
                          length,
                          rights,
                          label));
      case BIND_RETURN ->
          Combinators.combine(stamps(), longs(), keys(), status).as(TraceEvent.BindReturn::new);
      case INV_CALL ->
          Combinators.combine(stamps(), keys(), queuePairs().optional())
              .as(TraceEvent.InvCall::new);
      case INV_RETURN ->
          Combinators.combine(stamps(), keys(), queuePairs().optional(), status)
              .as(TraceEvent.InvReturn::new);
      case POST ->
          Combinators.combine(
                  stamps(),
                  queuePairs(),
                  longs(),
                  Arbitraries.of(TraceEvent.WorkOperation.class),
                  accesses().optional(),
                  Combinators.combine(keys().optional(), keys().optional()).as(Arrays::asList),
                  bits32(),
                  Arbitraries.of(true, false))
              .as(
                  (stamp, qp, wr, operation, remote, named, length, signaled) ->
                      new TraceEvent.Post(
                          stamp,
                          qp,
                          wr,
                          operation,
                          remote,
                          named.get(0),
                          named.get(1),
                          remote.map(RemoteAccess::length).orElse(length),
                          signaled));
      case WC ->
          Combinators.combine(
                  stamps(),
                  queuePairs(),
                  longs(),
                  Arbitraries.of(WcStatus.class),
                  Arbitraries.of(TraceEvent.WorkOperation.class).optional(),
                  Arbitraries.integers().optional().map(TraceArbitraries::optionalInt),
                  optionalLongs(longs()),
                  keys().optional())
              .as(TraceEvent.Wc::new);
      case RX -> Combinators.combine(stamps(), queuePairs(), packets()).as(TraceEvent.Rx::new);
      case TX -> Combinators.combine(stamps(), queuePairs(), packets()).as(TraceEvent.Tx::new);
      case ACK ->
          Combinators.combine(stamps(), queuePairs(), bits24(), bits24(), syndromes())
              .as(TraceEvent.Ack::new);
      case NAK ->
          Combinators.combine(stamps(), queuePairs(), bits24(), bits24(), syndromes())
              .as(TraceEvent.Nak::new);
      case CHECK_KEY ->
          Combinators.combine(
                  Combinators.combine(
                          stamps(), queuePairs(), bits24(), Arbitraries.of(AccessKind.class))
                      .as((s, qp, psn, access) -> new Object[] {s, qp, psn, access}),
                  keys(),
                  longs(),
                  longs(),
                  longs(),
                  Arbitraries.of(TraceEvent.CheckVerdict.class),
                  texts().optional(),
                  optionalLongs(longs()))
              .as(
                  (v, key, va, length, remaining, verdict, cause, mr) ->
                      new TraceEvent.Check(
                          (Stamp) v[0],
                          (QueuePairId) v[1],
                          (Integer) v[2],
                          (AccessKind) v[3],
                          key,
                          va,
                          length,
                          remaining,
                          verdict,
                          cause,
                          mr));
      case DMA_READ ->
          Combinators.combine(
                  stamps(),
                  queuePairs(),
                  bits24(),
                  longs(),
                  keys(),
                  longs(),
                  longs(),
                  optionalLongs(longs()))
              .as(TraceEvent.DmaRead::new);
      case DMA_WRITE ->
          Combinators.combine(
                  stamps(),
                  queuePairs(),
                  bits24(),
                  longs(),
                  keys(),
                  longs(),
                  longs(),
                  optionalLongs(longs()))
              .as(TraceEvent.DmaWrite::new);
      case CACHE_FILL ->
          Combinators.combine(stamps(), keys(), longs()).as(TraceEvent.CacheFill::new);
      case CACHE_HIT -> Combinators.combine(stamps(), keys(), longs()).as(TraceEvent.CacheHit::new);
      case CACHE_INVAL -> Combinators.combine(stamps(), keys()).as(TraceEvent.CacheInval::new);
      case QP_CREATE ->
          Combinators.combine(stamps(), queuePairs(), longs(), rights(), optionalLongs(longs()))
              .as(TraceEvent.QpCreate::new);
      case QP_CONNECT ->
          Combinators.combine(
                  stamps(),
                  queuePairs(),
                  Combinators.combine(names(), queuePairs()).as(QueuePairAddress::new).optional(),
                  bits24().optional().map(TraceArbitraries::optionalInt),
                  bits24().optional().map(TraceArbitraries::optionalInt),
                  Arbitraries.integers()
                      .greaterOrEqual(1)
                      .optional()
                      .map(TraceArbitraries::optionalInt))
              .as(TraceEvent.QpConnect::new);
      case QP_STATE ->
          Combinators.combine(
                  stamps(),
                  queuePairs(),
                  Arbitraries.of(QueuePairState.class),
                  Arbitraries.of(TraceEvent.Mover.class).optional())
              .as(TraceEvent.QpState::new);
      case ASYNC ->
          Combinators.combine(stamps(), queuePairs().optional(), texts()).as(TraceEvent.Async::new);
      case LOST ->
          Combinators.combine(stamps(), Arbitraries.longs().between(0, Long.MAX_VALUE))
              .as(TraceEvent.Lost::new);
      case PIN ->
          Combinators.combine(stamps(), longs(), longs(), longs(), optionalLongs(longs()))
              .as(TraceEvent.Pin::new);
      case UNPIN ->
          Combinators.combine(stamps(), longs(), longs(), longs(), optionalLongs(longs()))
              .as(TraceEvent.Unpin::new);
      case MW_ALLOC ->
          Combinators.combine(stamps(), longs(), longs(), Arbitraries.of(1, 2))
              .as(TraceEvent.MwAlloc::new);
      case MW_DEALLOC_CALL ->
          Combinators.combine(stamps(), longs(), keys()).as(TraceEvent.MwDeallocCall::new);
      case MW_DEALLOC_RETURN ->
          Combinators.combine(stamps(), longs(), keys(), status)
              .as(TraceEvent.MwDeallocReturn::new);
      case PD_ALLOC -> Combinators.combine(stamps(), longs()).as(TraceEvent.PdAlloc::new);
      case PD_DEALLOC ->
          Combinators.combine(stamps(), longs(), status).as(TraceEvent.PdDealloc::new);
      case QP_DESTROY ->
          Combinators.combine(stamps(), queuePairs(), status).as(TraceEvent.QpDestroy::new);
      case SRQ_POST ->
          Combinators.combine(stamps(), longs(), longs(), keys().optional(), longs())
              .as(TraceEvent.SrqPost::new);
    };
  }

  public static Arbitrary<TraceHeader> headers() {
    Arbitrary<TraceHeader.Host> host =
        Combinators.combine(
                names(),
                Arbitraries.longs().between(0, Long.MAX_VALUE),
                Arbitraries.integers().between(1, Integer.MAX_VALUE),
                texts(),
                Arbitraries.of("little", "big"))
            .as(TraceHeader.Host::new);
    Arbitrary<TraceHeader.Observation> observation =
        Combinators.combine(
                Arbitraries.of(EventClass.class),
                Arbitraries.oneOf(names(), Arbitraries.just("*")),
                Arbitraries.of(TraceHeader.Completeness.class))
            .as(TraceHeader.Observation::new);
    Arbitrary<Map<String, String>> attributes = Arbitraries.maps(texts(), texts()).ofMaxSize(4);
    return Combinators.combine(
            host.list().ofMaxSize(3).uniqueElements(TraceHeader.Host::name),
            texts().optional(),
            texts().optional(),
            observation
                .list()
                .ofMaxSize(4)
                .uniqueElements(one -> Arrays.asList(one.eventClass(), one.host())),
            attributes)
        .as(
            (hosts, transport, source, observed, all) ->
                new TraceHeader(1, hosts, transport, source, observed, all));
  }

  static OptionalInt optionalInt(Optional<Integer> value) {
    return value.map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  static Arbitrary<OptionalLong> optionalLongs(Arbitrary<Long> longs) {
    return longs.optional().map(v -> v.map(OptionalLong::of).orElse(OptionalLong.empty()));
  }
}
