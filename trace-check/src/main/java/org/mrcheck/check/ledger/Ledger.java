package org.mrcheck.check.ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.mrcheck.lang.binding.Parameter;
import org.mrcheck.lang.trace.EventClass;
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
import org.mrcheck.lang.trace.TraceHeader.Completeness;
import org.mrcheck.lang.trace.WcStatus;

/**
 * The raw facts of a recording so far, as far as derived values need them. Mutable and not safe for
 * use by several threads.
 *
 * <p>For each event: first {@link #judged}, then {@link #binds}, {@link #open} and the {@linkplain
 * DerivedFunction derived values}, which look at the facts before the event; then {@link #record}.
 *
 * <p>Memory follows live objects: a registration is forgotten when it ends, a packet or message
 * when it is answered, a work request when it or a later one of its queue pair completes. Kept
 * beyond that, with a bound each: the registrations that ended last (4096 a host, to name a stale
 * key), the results of the last 1024 atomics and the last 4096 duplicates of a queue pair, and
 * where no answers are seen the last 65,536 packets, messages and work requests of a queue pair.
 * The events of one key are kept while it is registered; they number a handful unless it is
 * re-registered often.
 */
public final class Ledger {
  /**
   * An event of a key's history.
   *
   * @param line line in the trace, 0 if it was not given
   */
  public record Recorded(TraceEvent event, long line) {}

  private final TraceHeader header;
  private final NumberWidths widths;
  private final Map<String, KeyTable> keyTables = new HashMap<>();
  private final Map<QueuePairAddress, QueuePairFacts> queuePairs = QueuePairFacts.table();

  /** For each queue pair the one that named it as its peer. */
  private final Map<QueuePairAddress, QueuePairAddress> namedBy = new HashMap<>();

  /** By host, then by number. */
  private final Map<String, Map<Long, WorkQueue>> sharedQueues = new HashMap<>();

  /** Queue pairs that were destroyed, oldest forgotten first. */
  final Map<QueuePairAddress, Boolean> deadQueuePairs = new BoundedMap<>(KeyTable.REMEMBERED_ENDED);

  private boolean lossy;

  /** An empty ledger for a recording with addresses of 64 bits and PSNs of 24. */
  public Ledger(TraceHeader header) {
    this(header, NumberWidths.REAL);
  }

  /** An empty ledger. */
  public Ledger(TraceHeader header, NumberWidths widths) {
    this.header = header;
    this.widths = widths;
  }

  /** The widths of addresses and PSNs. */
  public NumberWidths widths() {
    return widths;
  }

  /**
   * The event as its AETH syndrome says it: an {@code ack} whose syndrome is a NAK or an RNR NAK is
   * a {@code nak}, and the reverse. Every other event is returned as it is.
   */
  public static TraceEvent judged(TraceEvent event) {
    if (event instanceof TraceEvent.Ack ack && ack.syndrome().kind() != Syndrome.Kind.ACK) {
      return new TraceEvent.Nak(ack.stamp(), ack.qp(), ack.psn(), ack.msn(), ack.syndrome());
    }
    if (event instanceof TraceEvent.Nak nak && nak.syndrome().kind() == Syndrome.Kind.ACK) {
      return new TraceEvent.Ack(nak.stamp(), nak.qp(), nak.psn(), nak.msn(), nak.syndrome());
    }
    return event;
  }

  /** Whether every event of the class on the host has been recorded so far. */
  public boolean isComplete(EventClass eventClass, String host) {
    return !lossy
        && header.completeness(eventClass, host).filter(Completeness.COMPLETE::equals).isPresent();
  }

  /** Events were lost here: everything live becomes uncertain. */
  public void noteLoss() {
    lossy = true;
    keyTables.values().forEach(KeyTable::noteLoss);
    queuePairs.values().forEach(QueuePairFacts::noteLoss);
    sharedQueues.clear();
  }

  // What an event binds

  /**
   * The parameter tuples the event binds: each has a value for every parameter asked for. Most
   * events bind one; a registration whose two keys differ binds one for each; a packet that is no
   * access to memory, or whose message began before the recording, binds no key and no message, and
   * a completion of an operation that sends nothing binds no work request.
   */
  public List<ParameterValues> binds(TraceEvent event, List<Parameter> by) {
    String host = event.stamp().actor().host();
    ParameterValues values = ParameterValues.ofHost(host);
    boolean everyKey = false;
    for (Parameter parameter : by) {
      switch (parameter) {
        case HOST -> {}
        case KEY -> everyKey = true;
        case MR -> {
          Optional<Long> mr = mrOf(event);
          if (mr.isEmpty()) {
            return List.of();
          }
          values = values.withMr(mr.get());
        }
        case QP -> {
          Optional<QueuePairId> qp = queuePairOf(event);
          if (qp.isEmpty()) {
            return List.of();
          }
          values = values.withQp(qp.get());
        }
        case PSN -> {
          OptionalInt psn = psnOf(event);
          if (psn.isEmpty()) {
            return List.of();
          }
          values = values.withPsn(psn.getAsInt());
        }
        case MESSAGE -> {
          Optional<MessageSpan> message = writeMessageOf(event);
          if (message.isEmpty()) {
            return List.of();
          }
          values = values.withMessage(message.get().first());
        }
        case WR -> {
          Optional<Long> wr = workRequestOf(event);
          if (wr.isEmpty()) {
            return List.of();
          }
          values = values.withWr(wr.get());
        }
      }
    }
    if (!everyKey) {
      return List.of(values);
    }
    List<ParameterValues> bound = new ArrayList<>(1);
    for (MemoryKey key : keysOf(event)) {
      bound.add(values.withKey(key));
    }
    return bound;
  }

  /**
   * The instance that an event creates: the values it bound, with the facts to keep about its
   * packet and message. Call before {@link #record} of the event.
   */
  public Instance open(ParameterValues values, TraceEvent event) {
    if (!(event instanceof TraceEvent.Rx rx)) {
      return Instance.of(values);
    }
    return new Instance(
        values,
        values.psn().isPresent() ? accessOf(rx) : Optional.empty(),
        values.message().isPresent() ? writeMessageOf(rx) : Optional.empty());
  }

  /** The region whose key it is; an invalidated window does not end its region. */
  private Optional<Long> invalidated(Stamp stamp, MemoryKey key) {
    return keyTable(stamp.actor().host())
        .holder(key)
        .filter(holder -> !holder.isWindow())
        .map(holder -> holder.number);
  }

  private Optional<Long> mrOf(TraceEvent event) {
    if (event instanceof TraceEvent.RegCall e) {
      return Optional.of(e.mr());
    }
    if (event instanceof TraceEvent.Reg e) {
      return Optional.of(e.mr());
    }
    if (event instanceof TraceEvent.DeregCall e) {
      return Optional.of(e.mr());
    }
    if (event instanceof TraceEvent.DeregReturn e) {
      return Optional.of(e.mr());
    }
    if (event instanceof TraceEvent.ReregCall e) {
      return Optional.of(e.mr());
    }
    if (event instanceof TraceEvent.ReregReturn e) {
      return Optional.of(e.mr());
    }
    if (event instanceof TraceEvent.BindCall e) {
      return Optional.of(e.mr());
    }
    if (event instanceof TraceEvent.Pin e) {
      return Optional.of(e.mr());
    }
    if (event instanceof TraceEvent.Unpin e) {
      return Optional.of(e.mr());
    }
    if (event instanceof TraceEvent.InvCall e) {
      return invalidated(e.stamp(), e.key());
    }
    if (event instanceof TraceEvent.InvReturn e) {
      return invalidated(e.stamp(), e.key());
    }
    if (event instanceof TraceEvent.DmaRead e) {
      return Optional.of(e.mr());
    }
    if (event instanceof TraceEvent.DmaWrite e) {
      return Optional.of(e.mr());
    }
    if (event instanceof TraceEvent.Check e && e.mr().isPresent()) {
      return Optional.of(e.mr().getAsLong());
    }
    if (event instanceof TraceEvent.CacheFill e) {
      return Optional.of(e.mr());
    }
    if (event instanceof TraceEvent.CacheHit e) {
      return Optional.of(e.mr());
    }
    return Optional.empty();
  }

  /** The queue pair an event happened on. */
  static Optional<QueuePairId> queuePairOf(TraceEvent event) {
    if (event instanceof TraceEvent.Rx e) {
      return Optional.of(e.qp());
    }
    if (event instanceof TraceEvent.Tx e) {
      return Optional.of(e.qp());
    }
    if (event instanceof TraceEvent.Ack e) {
      return Optional.of(e.qp());
    }
    if (event instanceof TraceEvent.Nak e) {
      return Optional.of(e.qp());
    }
    if (event instanceof TraceEvent.Check e) {
      return Optional.of(e.qp());
    }
    if (event instanceof TraceEvent.DmaRead e) {
      return Optional.of(e.qp());
    }
    if (event instanceof TraceEvent.DmaWrite e) {
      return Optional.of(e.qp());
    }
    if (event instanceof TraceEvent.Post e) {
      return Optional.of(e.qp());
    }
    if (event instanceof TraceEvent.Wc e) {
      return Optional.of(e.qp());
    }
    if (event instanceof TraceEvent.QpCreate e) {
      return Optional.of(e.qp());
    }
    if (event instanceof TraceEvent.QpConnect e) {
      return Optional.of(e.qp());
    }
    if (event instanceof TraceEvent.QpState e) {
      return Optional.of(e.qp());
    }
    if (event instanceof TraceEvent.Async e) {
      return e.qp();
    }
    if (event instanceof TraceEvent.BindCall e) {
      return e.qp();
    }
    if (event instanceof TraceEvent.InvCall e) {
      return e.qp();
    }
    if (event instanceof TraceEvent.InvReturn e) {
      return e.qp();
    }
    if (event instanceof TraceEvent.QpDestroy e) {
      return Optional.of(e.qp());
    }
    return Optional.empty();
  }

  /** The PSN of a packet, an answer, a check or an access. */
  static OptionalInt psnOf(TraceEvent event) {
    if (event instanceof TraceEvent.Rx e) {
      return OptionalInt.of(e.packet().psn());
    }
    if (event instanceof TraceEvent.Tx e) {
      return OptionalInt.of(e.packet().psn());
    }
    if (event instanceof TraceEvent.Ack e) {
      return OptionalInt.of(e.psn());
    }
    if (event instanceof TraceEvent.Nak e) {
      return OptionalInt.of(e.psn());
    }
    if (event instanceof TraceEvent.Check e) {
      return OptionalInt.of(e.psn());
    }
    if (event instanceof TraceEvent.DmaRead e) {
      return OptionalInt.of(e.psn());
    }
    if (event instanceof TraceEvent.DmaWrite e) {
      return OptionalInt.of(e.psn());
    }
    return OptionalInt.empty();
  }

  private static Optional<Long> workRequestOf(TraceEvent event) {
    if (event instanceof TraceEvent.Post e) {
      return Optional.of(e.wr());
    }
    if (event instanceof TraceEvent.Wc e) {
      return Optional.of(e.wr());
    }
    return Optional.empty();
  }

  /** The keys of the event's host that the event is about. */
  private Set<MemoryKey> keysOf(TraceEvent event) {
    if (event.name().eventClass() == EventClass.REGISTRATION) {
      return keyTable(event.stamp().actor().host()).keysOf(event);
    }
    // A key that a device was shown is looked at even if it is 0, which is nobody's (row K19).
    if (event instanceof TraceEvent.Check e) {
      return Set.of(e.key());
    }
    if (event instanceof TraceEvent.DmaRead e) {
      return Set.of(e.key());
    }
    if (event instanceof TraceEvent.DmaWrite e) {
      return Set.of(e.key());
    }
    if (event instanceof TraceEvent.CacheFill e) {
      return Set.of(e.key());
    }
    if (event instanceof TraceEvent.CacheHit e) {
      return Set.of(e.key());
    }
    if (event instanceof TraceEvent.CacheInval e) {
      return Set.of(e.key());
    }
    if (event instanceof TraceEvent.Rx e) {
      return accessOf(e).map(access -> Set.of(access.key())).orElse(Set.of());
    }
    return Set.of();
  }

  /** What an arriving request packet wants of memory. */
  Optional<PacketAccess> accessOf(TraceEvent.Rx rx) {
    return rx.packet().opcode().isRequest()
        ? queuePair(rx.stamp(), rx.qp()).received.accessOf(rx.packet())
        : Optional.empty();
  }

  private Optional<MessageSpan> writeMessageOf(TraceEvent event) {
    if (event instanceof TraceEvent.Rx rx) {
      return queuePair(rx.stamp(), rx.qp()).received.writeMessageOf(rx.packet());
    }
    if (event instanceof TraceEvent.DmaWrite write) {
      return queuePair(write.stamp(), write.qp())
          .received
          .writeMessageAt(write.psn())
          .map(Message::span);
    }
    return Optional.empty();
  }

  // What is known

  /** The events of the key's present registration, in order, for {@code replays key}. */
  public List<Recorded> history(String host, MemoryKey key) {
    KeyTable table = keyTables.get(host);
    return table == null ? List.of() : table.history(key);
  }

  /** The region of that number, while it is registered. */
  public Optional<Registration> registration(String host, long mr) {
    return keyTable(host).region(mr).flatMap(holder -> holder.registration);
  }

  /** The region or window that has the key as its rkey or lkey, while it is registered. */
  public Optional<Registration> registration(String host, MemoryKey key) {
    return keyTable(host).holder(key).flatMap(holder -> holder.registration);
  }

  /** Why the device refused, or should have refused, what a packet wants of memory. */
  public Attribution attribute(String host, QueuePairId qp, PacketAccess access) {
    return Attribution.of(this, host, queuePair(new QueuePairAddress(host, qp)), access);
  }

  /**
   * Why the request that a remote access error names was refused; empty for any other NAK, or if
   * the request is not known or wants nothing of memory. May be called before or after {@link
   * #record} of the NAK.
   */
  public Optional<Attribution> attribute(TraceEvent.Nak nak) {
    if (!nak.syndrome().equals(Syndrome.REMOTE_ACCESS_ERROR)) {
      return Optional.empty();
    }
    QueuePairFacts facts = queuePair(nak.stamp(), nak.qp());
    return facts
        .received
        .packetAt(nak.psn())
        .flatMap(RequestPacket::access)
        .map(access -> attribute(nak.stamp().actor().host(), nak.qp(), access));
  }

  KeyTable keyTable(String host) {
    return keyTables.computeIfAbsent(host, absent -> new KeyTable());
  }

  /** All queue pairs seen on a host. */
  List<QueuePairFacts> queuePairsOf(String host) {
    return queuePairs.values().stream().filter(facts -> facts.address.host().equals(host)).toList();
  }

  QueuePairFacts queuePair(Stamp stamp, QueuePairId qp) {
    return queuePair(new QueuePairAddress(stamp.actor().host(), qp));
  }

  QueuePairFacts queuePair(QueuePairAddress address) {
    return queuePairs.computeIfAbsent(address, absent -> new QueuePairFacts(absent, widths));
  }

  /** The other end of a connection, from either end's word. */
  Optional<QueuePairFacts> peerOf(QueuePairFacts facts) {
    QueuePairAddress other = facts.peer.orElse(namedBy.get(facts.address));
    return Optional.ofNullable(other == null ? null : queuePairs.get(other));
  }

  // Taking events

  /** Takes the next event. */
  public void record(TraceEvent event) {
    record(event, 0);
  }

  /** Takes the next event, which stands in that line of the trace. */
  public void record(TraceEvent unjudged, long line) {
    TraceEvent event = judged(unjudged);
    if (event.name().eventClass() == EventClass.REGISTRATION) {
      keyTable(event.stamp().actor().host()).record(new Recorded(event, line));
      if (event instanceof TraceEvent.InvReturn done) {
        invalidated(done);
      }
    } else if (event instanceof TraceEvent.Rx rx) {
      receive(rx);
    } else if (event instanceof TraceEvent.Tx tx) {
      transmit(tx);
    } else if (event instanceof TraceEvent.Ack ack) {
      QueuePairFacts facts = queuePair(ack.stamp(), ack.qp());
      facts.received.answer(ack.psn(), ack.syndrome());
      facts.forgetAnswered();
    } else if (event instanceof TraceEvent.Nak nak) {
      refuse(nak);
    } else if (event instanceof TraceEvent.Check check) {
      check(check);
    } else if (event instanceof TraceEvent.DmaRead read) {
      touch(
          read.stamp(),
          read.qp(),
          read.psn(),
          read.mr(),
          read.key(),
          read.va(),
          read.length(),
          event);
    } else if (event instanceof TraceEvent.DmaWrite write) {
      touch(
          write.stamp(),
          write.qp(),
          write.psn(),
          write.mr(),
          write.key(),
          write.va(),
          write.length(),
          event);
    } else if (event instanceof TraceEvent.SrqPost post) {
      sharedQueue(post.stamp().actor().host(), post.srq())
          .add(new WorkQueue.Entry(post.wr(), true, Optional.empty()));
    } else if (event instanceof TraceEvent.QpDestroy destroy) {
      if (destroy.status() == TraceEvent.CallStatus.OK) {
        QueuePairAddress gone = new QueuePairAddress(destroy.stamp().actor().host(), destroy.qp());
        queuePairs.remove(gone);
        deadQueuePairs.put(gone, true);
      }
    } else if (event instanceof TraceEvent.Post post) {
      post(post);
    } else if (event instanceof TraceEvent.Wc wc) {
      complete(wc);
    } else if (event instanceof TraceEvent.QpCreate create) {
      QueuePairFacts facts = queuePair(create.stamp(), create.qp());
      facts.create();
      facts.srq = create.srq();
      facts.pd = OptionalLong.of(create.pd());
      facts.rights = Optional.of(create.rights());
    } else if (event instanceof TraceEvent.QpConnect connect) {
      connect(connect);
    } else if (event instanceof TraceEvent.QpState state) {
      QueuePairFacts facts = queuePair(state.stamp(), state.qp());
      if (state.state() == QueuePairState.RESET) {
        facts.reset();
      } else if (state.state() == QueuePairState.ERR) {
        if (facts.inError.isEmpty()) {
          facts.inError = Optional.of(state.stamp());
        }
        facts.errorFromOutside |= !state.by().equals(Optional.of(TraceEvent.Mover.DEVICE));
      }
    } else if (event instanceof TraceEvent.Lost) {
      noteLoss();
    }
  }

  private void connect(TraceEvent.QpConnect connect) {
    QueuePairFacts facts = queuePair(connect.stamp(), connect.qp());
    connect
        .peer()
        .ifPresent(
            peer -> {
              facts.peer = Optional.of(peer);
              namedBy.put(peer, facts.address);
            });
    connect
        .mtu()
        .ifPresent(
            mtu -> {
              facts.received.setMtu(mtu);
              facts.sent.setMtu(mtu);
            });
    // A connection that is told late, after its first packets, has its PSNs from those.
    if (!facts.received.isUsed()) {
      connect.receivePsn().ifPresent(facts.received::anchor);
    }
    if (!facts.sent.isUsed()) {
      connect.sendPsn().ifPresent(facts.sent::anchor);
    }
  }

  private void receive(TraceEvent.Rx rx) {
    QueuePairFacts facts = queuePair(rx.stamp(), rx.qp());
    Packet packet = rx.packet();
    if (packet.opcode().isRequest()) {
      receiveRequest(facts, rx);
    } else if (facts.answersNothing(packet.psn())) {
      return;
    } else if (packet.syndrome().isPresent() && packet.opcode().isAcknowledge()) {
      facts.sent.answer(packet.psn(), packet.syndrome().get(), facts.inError.isEmpty());
    } else if (packet.opcode().isReadResponse() || isAtomicAcknowledge(packet)) {
      facts.sent.response(packet);
    }
  }

  private void receiveRequest(QueuePairFacts facts, TraceEvent.Rx rx) {
    Packet packet = rx.packet();
    int psn = packet.psn();
    boolean stopped = facts.inError.isPresent() || facts.fatalNak.isPresent();
    if (stopped && facts.lateFrom.isEmpty() && !facts.received.mayBeBeforeHigh(psn)) {
      facts.lateFrom = OptionalInt.of(psn);
    }
    if (facts.received.isBeforeLow(psn)) {
      if (packet.opcode().isWrite() || packet.opcode().isAtomicRequest()) {
        facts.duplicates.put(psn, packet.access().map(RemoteAccess::key));
      } else if (packet.opcode().isReadRequest()) {
        facts.repeatedReads.put(psn, facts.received.span(packet));
      }
    } else {
      facts.forgetRepeats(psn, facts.received.span(packet));
      packet.invalidate().ifPresent(key -> facts.name(key, true));
    }
    Optional<Message> begun = facts.received.request(rx.stamp(), packet);
    begun.ifPresent(
        message ->
            peerOf(facts)
                .filter(peer -> !peer.sent.isUsed())
                .ifPresent(peer -> match(peer, message)));
  }

  private void transmit(TraceEvent.Tx tx) {
    QueuePairFacts facts = queuePair(tx.stamp(), tx.qp());
    Packet packet = tx.packet();
    if (packet.opcode().isRequest()) {
      facts.sent.request(tx.stamp(), packet).ifPresent(message -> match(facts, message));
    } else if (packet.opcode().isReadResponse() || isAtomicAcknowledge(packet)) {
      if (isAtomicAcknowledge(packet) && packet.original().isPresent()) {
        facts.atomicResults.putIfAbsent(packet.psn(), packet.original().getAsLong());
      }
      facts.received.response(packet);
      facts.forgetAnswered();
    }
  }

  static boolean isAtomicAcknowledge(Packet packet) {
    return packet.opcode().equals(Opcode.RC_ATOMIC_ACKNOWLEDGE);
  }

  private void refuse(TraceEvent.Nak nak) {
    QueuePairFacts facts = queuePair(nak.stamp(), nak.qp());
    facts.received.answer(nak.psn(), nak.syndrome());
    facts.forgetAnswered();
    if (nak.syndrome().isFatal() && facts.fatalNak.isEmpty()) {
      facts.fatalNak =
          Optional.of(new QueuePairFacts.FatalNak(nak.stamp(), nak.psn(), nak.syndrome()));
    }
  }

  private void check(TraceEvent.Check check) {
    QueuePairFacts facts = queuePair(check.stamp(), check.qp());
    facts.checked.remove(check.psn());
    boolean accepted = check.verdict() == TraceEvent.CheckVerdict.ACCEPT;
    facts.checked.put(
        check.psn(), new QueuePairFacts.CheckedAccess(check.access(), check.key(), accepted));
    if (RegistrationValues.isLocal(check.access())) {
      facts.localFault |= !accepted;
    } else if (accepted) {
      // A refusal of a request that came again leaves what was accepted before: its access may be
      // under way.
      facts.grants.remove(check.psn());
      if (!facts.received.isBeforeLow(check.psn())) {
        facts.grants.put(
            check.psn(),
            new QueuePairFacts.Grant(check.psn(), check.key(), check.va(), check.length()));
      }
    }
    if (WireValues.changesMemory(check.access()) && !accepted) {
      facts.refused.add(new QueuePairFacts.RefusedCheck(check.stamp(), check.psn(), check.key()));
      if (facts.refused.size() > QueuePairFacts.REMEMBERED_REFUSALS) {
        facts.refused.remove(0);
      }
    }
  }

  /** A device accessed memory for a request of the peer. */
  private void touch(
      Stamp stamp,
      QueuePairId qp,
      int psn,
      long mr,
      MemoryKey key,
      long va,
      long length,
      TraceEvent event) {
    QueuePairFacts facts = queuePair(stamp, qp);
    if (WireValues.isLocalDma(facts, psn)) {
      return;
    }
    String host = stamp.actor().host();
    facts
        .spanAt(psn)
        .filter(span -> !facts.acts.containsKey(span.first()))
        .ifPresent(
            span ->
                facts.acts.put(
                    span.first(),
                    new QueuePairFacts.Act(span.first(), span.count(), target(host, mr, key))));
    boolean awaited =
        facts
            .peer
            .filter(peer -> header.completeness(EventClass.POSTING, peer.host()).isPresent())
            .isPresent();
    if (awaited && RegistrationValues.isAllowed(this, event)) {
      facts
          .touches
          .computeIfAbsent(psn, absent -> new ArrayList<>(1))
          .add(new QueuePairFacts.Touch(va, length, event instanceof TraceEvent.DmaWrite));
    }
  }

  /** What an access acts on that names the region and the key. */
  Target target(String host, long mr, MemoryKey key) {
    Target target = new Target(host, mr, Target.REGION);
    for (KeyTable.Holder bearer : keyTable(host).bearers(mr, key)) {
      if (bearer.isWindow()) {
        target = Target.of(host, bearer);
      }
    }
    return target;
  }

  /** An invalidation was executed or refused. */
  private void invalidated(TraceEvent.InvReturn done) {
    String host = done.stamp().actor().host();
    if (done.qp().isEmpty()) {
      if (done.status() == TraceEvent.CallStatus.OK) {
        keyTable(host).invalidatedByNobodyKnown.put(done.key(), true);
      }
      return;
    }
    boolean succeeded = done.status() == TraceEvent.CallStatus.OK;
    queuePair(new QueuePairAddress(host, done.qp().get()))
        .revise(
            named ->
                !named.key().equals(done.key())
                    ? named
                    : succeeded
                        ? new QueuePairFacts.NamedKey(
                            named.key(), named.byPeer(), true, named.reported() || !named.byPeer())
                        : null);
  }

  // Work requests and completions

  /** The receives posted to a shared receive queue and not completed. */
  WorkQueue sharedQueue(String host, long srq) {
    return sharedQueues
        .computeIfAbsent(host, absent -> new HashMap<>())
        .computeIfAbsent(srq, absent -> new WorkQueue());
  }

  /**
   * The queue that a completion is of, if that is known. Where the completion does not say: the one
   * that the work request stands in.
   */
  Optional<CompletionValues.Queue> queueOf(QueuePairFacts facts, TraceEvent.Wc wc) {
    CompletionValues.Queue receiving =
        facts.srq.isPresent() ? CompletionValues.Queue.SHARED : CompletionValues.Queue.RECEIVE;
    if (wc.operation().isPresent()) {
      return Optional.of(
          wc.operation().get() == TraceEvent.WorkOperation.RECV
              ? receiving
              : CompletionValues.Queue.SEND);
    }
    if (facts.sends.find(wc.wr()).isPresent()) {
      return Optional.of(CompletionValues.Queue.SEND);
    }
    if (facts.receives.find(wc.wr()).isPresent()
        || facts.srq.isPresent()
            && sharedQueue(facts.address.host(), facts.srq.getAsLong()).find(wc.wr()).isPresent()) {
      return Optional.of(receiving);
    }
    return isComplete(EventClass.POSTING, facts.address.host()) && !facts.uncertain
        ? Optional.of(CompletionValues.Queue.SEND)
        : Optional.empty();
  }

  /** The work requests of the queue that a completion is of. */
  WorkQueue workQueue(QueuePairFacts facts, CompletionValues.Queue queue) {
    return switch (queue) {
      case SEND -> facts.sends;
      case RECEIVE -> facts.receives;
      case SHARED -> sharedQueue(facts.address.host(), facts.srq.orElse(0));
    };
  }

  private void enqueue(QueuePairFacts facts, TraceEvent.Post post) {
    boolean receive = post.operation() == TraceEvent.WorkOperation.RECV;
    Optional<MemoryKey> named =
        post.operation() == TraceEvent.WorkOperation.LOCAL_INV
            ? post.invalidate().filter(key -> !key.equals(MemoryKey.NONE))
            : Optional.empty();
    (receive ? facts.receives : facts.sends)
        .add(new WorkQueue.Entry(post.wr(), receive || post.signaled(), named));
    named.ifPresent(key -> facts.name(key, false));
  }

  /** Who has the key at the other end, as far as that is known. */
  private Optional<Target> meantBy(QueuePairFacts facts, TraceEvent.Post post) {
    if (facts.peer.isEmpty() || post.remote().isEmpty()) {
      return Optional.empty();
    }
    String host = facts.peer.get().host();
    Optional<KeyTable.Holder> holder = keyTable(host).holder(post.remote().get().key());
    if (holder.isPresent()) {
      return holder.get().uncertain ? Optional.empty() : Optional.of(Target.of(host, holder.get()));
    }
    return isComplete(EventClass.REGISTRATION, host)
        ? Optional.of(Target.nobody())
        : Optional.empty();
  }

  private void post(TraceEvent.Post post) {
    QueuePairFacts facts = queuePair(post.stamp(), post.qp());
    enqueue(facts, post);
    if (!sendsRequest(post.operation())) {
      return;
    }
    QueuePairFacts.WorkRequest request =
        new QueuePairFacts.WorkRequest(
            post.stamp(), post.wr(), post.operation(), post.remote(), post.length());
    request.meant = meantBy(facts, post);
    facts.posted = true;
    facts.workRequests.add(request);
    if (facts.workRequests.size() > QueuePairFacts.REMEMBERED_WORK_REQUESTS) {
      facts.workRequests.remove();
      facts.forgotPosts = true;
    }
  }

  /** Whether the operation puts a request on the wire. */
  static boolean sendsRequest(TraceEvent.WorkOperation operation) {
    return switch (operation) {
      case SEND,
          SEND_WITH_IMM,
          SEND_WITH_INV,
          RDMA_WRITE,
          RDMA_WRITE_WITH_IMM,
          RDMA_READ,
          ATOMIC_CMP_AND_SWP,
          ATOMIC_FETCH_AND_ADD ->
          true;
      case LOCAL_INV, BIND_MW, REG_MR, RECV -> false;
    };
  }

  /** Finds the work request a message carries out: work requests go out in the order posted. */
  private static void match(QueuePairFacts requester, Message message) {
    boolean found = false;
    for (QueuePairFacts.WorkRequest request : requester.workRequests) {
      if (request.message == null && !request.passedOver && carriesOut(message, request)) {
        request.message = message;
        found = true;
        break;
      }
    }
    if (!found) {
      return;
    }
    for (QueuePairFacts.WorkRequest request : requester.workRequests) {
      if (request.message == message) {
        return;
      }
      request.passedOver |= request.message == null;
    }
  }

  private static boolean carriesOut(Message message, QueuePairFacts.WorkRequest request) {
    MessageKind kind =
        switch (request.operation) {
          case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> MessageKind.WRITE;
          case RDMA_READ -> MessageKind.READ;
          case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> MessageKind.ATOMIC;
          default -> MessageKind.SEND;
        };
    return kind == message.kind
        && (request.remote.isEmpty()
            || message.access.isEmpty()
            || request.remote.get().key().equals(message.access.get().key())
                && request.remote.get().va() == message.access.get().va()
                && (kind == MessageKind.ATOMIC
                    || request.remote.get().length() == message.access.get().length()));
  }

  private void complete(TraceEvent.Wc wc) {
    QueuePairFacts facts = queuePair(wc.stamp(), wc.qp());
    if (wc.status() != WcStatus.SUCCESS && facts.errorCompletion.isEmpty()) {
      facts.errorCompletion = Optional.of(wc.stamp());
    }
    CompletionValues.Queue queue = queueOf(facts, wc).orElse(CompletionValues.Queue.SEND);
    retire(facts, wc, queue);
    if (queue != CompletionValues.Queue.SEND) {
      return;
    }
    // Completions of one send queue are in order: this one settles all that were posted before it.
    if (facts.workRequest(wc.wr()).isPresent()) {
      while (true) {
        QueuePairFacts.WorkRequest settled = facts.workRequests.remove();
        forgetTouches(facts, settled);
        if (settled.wr == wc.wr()) {
          break;
        }
      }
    }
  }

  /** What the peer did for a work request is of no interest once that is settled. */
  private void forgetTouches(QueuePairFacts facts, QueuePairFacts.WorkRequest settled) {
    if (settled.message == null || facts.peer.isEmpty()) {
      return;
    }
    QueuePairFacts peer = queuePairs.get(facts.peer.get());
    if (peer == null || peer.touches.isEmpty()) {
      return;
    }
    long count = Math.max(1, settled.message.count);
    if (count > peer.touches.size()) {
      int first = settled.message.first;
      peer.touches.keySet().removeIf(psn -> widths.psnIn(psn, first, count));
      return;
    }
    for (long packet = 0; packet < count; packet++) {
      peer.touches.remove(widths.psnPlus(settled.message.first, packet));
    }
  }

  private void retire(QueuePairFacts facts, TraceEvent.Wc wc, CompletionValues.Queue queue) {
    WorkQueue work = workQueue(facts, queue);
    if (work.find(wc.wr()).isEmpty()) {
      facts.discarded.remove(wc.wr());
    } else if (queue == CompletionValues.Queue.SHARED) {
      work.remove(wc.wr());
    } else {
      work.retire(wc.wr());
    }
    if (wc.status() == WcStatus.SUCCESS && wc.invalidated().isPresent()) {
      MemoryKey key = wc.invalidated().get();
      facts.revise(
          named ->
              named.byPeer() && named.key().equals(key)
                  ? new QueuePairFacts.NamedKey(key, true, named.executed(), true)
                  : named);
    }
  }
}
