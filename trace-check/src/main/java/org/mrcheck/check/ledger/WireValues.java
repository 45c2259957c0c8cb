package org.mrcheck.check.ledger;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;

/** The derived values about packets, PSNs and answers. Sources: rows C2, E1 to E13, R1 to R6. */
final class WireValues {
  private static final DerivedValue JOINED =
      new DerivedValue.Unknown(
          "the recording began in mid-connection and no answer has shown which PSNs are old",
          EventClass.WIRE);
  private static final DerivedValue ANSWERED_UNSEEN =
      new DerivedValue.Unknown(
          "its answer was recorded before it, so the order of the packets is not known",
          EventClass.WIRE);
  private static final DerivedValue PARTIAL_WIRE =
      new DerivedValue.Unknown("not every packet was recorded", EventClass.WIRE);
  private static final DerivedValue REQUEST_NOT_SEEN =
      new DerivedValue.Unknown("the request at this PSN was not recorded", EventClass.WIRE);
  private static final DerivedValue NO_QUEUE_PAIR_RIGHTS =
      new DerivedValue.Unknown(
          "the queue pair's own rights were not recorded", EventClass.QUEUE_PAIR);
  private static final DerivedValue NO_PREDECESSOR =
      new DerivedValue.Unknown(
          "the packet before this one was not recorded, so its opcode sequence is open",
          EventClass.WIRE);
  private static final DerivedValue RECEIVE_BUFFERS =
      new DerivedValue.Unknown(
          "the length of the posted receive buffer was not recorded", EventClass.POSTING);
  private static final DerivedValue LOST_EVENTS =
      new DerivedValue.Unknown("events of this queue pair were lost", EventClass.WIRE);
  private static final DerivedValue NO_ORIGINAL =
      new DerivedValue.Unknown("the atomic's result was not recorded", EventClass.WIRE);

  /** Words of {@code answer}. */
  static final DerivedValue.Word ACK = new DerivedValue.Word("ack");

  static final DerivedValue.Word RNR = new DerivedValue.Word("rnr");
  static final DerivedValue.Word SEQUENCE = new DerivedValue.Word("sequence");
  static final DerivedValue.Word INVALID = new DerivedValue.Word("invalid");
  static final DerivedValue.Word ACCESS = new DerivedValue.Word("access");
  static final DerivedValue.Word OPERATIONAL = new DerivedValue.Word("operational");
  static final DerivedValue.Word OTHER = new DerivedValue.Word("other");

  /** Words of {@code reach}. */
  static final DerivedValue.Word NOTHING = new DerivedValue.Word("none");

  static final DerivedValue.Word SOME = new DerivedValue.Word("some");
  static final DerivedValue.Word ALL = new DerivedValue.Word("all");

  private WireValues() {}

  /**
   * An answer of a responder: an ACK, a NAK, or a response, which acknowledges what is before it.
   */
  private record Answer(int psn, Optional<Syndrome> syndrome, boolean response) {
    static Optional<Answer> of(TraceEvent event) {
      if (event instanceof TraceEvent.Ack ack) {
        return Optional.of(new Answer(ack.psn(), Optional.of(ack.syndrome()), false));
      }
      if (event instanceof TraceEvent.Nak nak) {
        return Optional.of(new Answer(nak.psn(), Optional.of(nak.syndrome()), false));
      }
      if (event instanceof TraceEvent.Tx tx && isResponse(tx.packet())) {
        return Optional.of(new Answer(tx.packet().psn(), Optional.empty(), true));
      }
      return Optional.empty();
    }

    boolean isAck() {
      return syndrome.isPresent() && syndrome.get().kind() == Syndrome.Kind.ACK;
    }

    boolean isNak() {
      return syndrome.isPresent() && syndrome.get().kind() != Syndrome.Kind.ACK;
    }
  }

  static boolean isResponse(Packet packet) {
    return packet.opcode().isReadResponse() || Ledger.isAtomicAcknowledge(packet);
  }

  private static QueuePairFacts facts(Ledger ledger, TraceEvent event, QueuePairId qp) {
    return ledger.queuePair(event.stamp(), qp);
  }

  private static Optional<QueuePairFacts> facts(Ledger ledger, TraceEvent event) {
    return Ledger.queuePairOf(event).map(qp -> facts(ledger, event, qp));
  }

  private static boolean wireIsComplete(Ledger ledger, TraceEvent event, QueuePairFacts facts) {
    return !facts.uncertain && ledger.isComplete(EventClass.WIRE, event.stamp().actor().host());
  }

  // Requests

  /** {@code fresh}: the request has not been answered before (row R1); true for other packets. */
  static DerivedValue fresh(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Rx rx) || !rx.packet().opcode().isRequest()) {
      return DerivedValue.TRUE;
    }
    RequestStream stream = facts(ledger, event, rx.qp()).received;
    if (stream.low().isEmpty()) {
      return JOINED;
    }
    if (!stream.isBeforeLow(rx.packet().psn())) {
      return DerivedValue.TRUE;
    }
    return stream.isAnsweredUnseen(rx.packet().psn())
            && !wireIsComplete(ledger, event, facts(ledger, event, rx.qp()))
        ? ANSWERED_UNSEEN
        : DerivedValue.FALSE;
  }

  /** {@code damaged}: the frame's invariant CRC was wrong, so it may have been dropped. */
  static DerivedValue damaged(TraceEvent event) {
    return DerivedValue.of(event instanceof TraceEvent.Rx rx && rx.packet().icrc() == Icrc.BAD);
  }

  /** {@code isRequest}: the packet is a request. */
  static DerivedValue isRequest(TraceEvent event) {
    if (event instanceof TraceEvent.Tx tx) {
      return DerivedValue.of(tx.packet().opcode().isRequest());
    }
    return DerivedValue.of(event instanceof TraceEvent.Rx rx && rx.packet().opcode().isRequest());
  }

  /**
   * {@code fatalNakArrived}: an acknowledgement with a fatal NAK reached the requester (E2), and
   * answers something.
   */
  static DerivedValue fatalNakArrived(Ledger ledger, TraceEvent event) {
    return DerivedValue.of(
        event instanceof TraceEvent.Rx rx
            && rx.packet().opcode().isAcknowledge()
            && rx.packet().syndrome().map(Syndrome::isFatal).orElse(false)
            && !ledger.queuePair(rx.stamp(), rx.qp()).answersNothing(rx.packet().psn()));
  }

  // Answers

  /** {@code answer}: what kind of answer the syndrome is (row E1). */
  static DerivedValue answer(TraceEvent event) {
    Optional<Syndrome> syndrome = Answer.of(event).flatMap(Answer::syndrome);
    if (syndrome.isEmpty()) {
      return OTHER;
    }
    return switch (syndrome.get().kind()) {
      case ACK -> ACK;
      case RNR_NAK -> RNR;
      case RESERVED -> OTHER;
      case NAK ->
          switch (syndrome.get().value()) {
            case 0 -> SEQUENCE;
            case 1 -> INVALID;
            case 2 -> ACCESS;
            case 3 -> OPERATIONAL;
            default -> OTHER;
          };
    };
  }

  /**
   * {@code covers}: the answer acknowledges the whole of the instance's packet. An ACK acknowledges
   * up to its PSN, a NAK or a response what is before its PSN.
   */
  static DerivedValue covers(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    Optional<PacketAccess> packet = instance.flatMap(Instance::packet);
    Optional<Answer> answer = Answer.of(event);
    if (packet.isEmpty() || answer.isEmpty()) {
      return DerivedValue.FALSE;
    }
    return DerivedValue.of(
        acknowledges(ledger.widths(), answer.get(), lastOf(ledger, packet.get())));
  }

  /** An ACK acknowledges up to its PSN, a NAK or a response what is before its PSN. */
  private static boolean acknowledges(NumberWidths widths, Answer answer, int psn) {
    return answer.isAck()
        ? !widths.psnBefore(answer.psn(), psn)
        : widths.psnBefore(psn, answer.psn());
  }

  private static int lastOf(Ledger ledger, PacketAccess packet) {
    return ledger.widths().psnPlus(packet.psn(), packet.span() - 1);
  }

  /** {@code exact}: the NAK names a PSN of the instance's packet; a READ has many. */
  static DerivedValue exact(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    return DerivedValue.of(
        Answer.of(event).map(Answer::isNak).orElse(false) && inSpan(ledger, instance, event));
  }

  private static boolean inSpan(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    OptionalInt psn = Ledger.psnOf(event);
    return psn.isPresent()
        && instance
            .flatMap(Instance::packet)
            .map(packet -> ledger.widths().psnIn(psn.getAsInt(), packet.psn(), packet.span()))
            .orElse(false);
  }

  /** {@code answers}: the response is one of those to the instance's request. */
  static DerivedValue answers(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    return DerivedValue.of(
        Answer.of(event).map(Answer::response).orElse(false) && inSpan(ledger, instance, event));
  }

  /** {@code completes}: the response is the last to the instance's request. */
  static DerivedValue completes(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    return DerivedValue.of(
        event instanceof TraceEvent.Tx tx
            && isResponse(tx.packet())
            && inSpan(ledger, instance, event)
            && (isLastResponse(tx.packet())
                || instance
                    .flatMap(Instance::packet)
                    .map(packet -> tx.packet().psn() == lastOf(ledger, packet))
                    .orElse(false)));
  }

  /** Whether the opcode says that no response to the same request follows. */
  static boolean isLastResponse(Packet packet) {
    return packet.opcode().equals(Opcode.RC_READ_RESPONSE_LAST)
        || packet.opcode().equals(Opcode.RC_READ_RESPONSE_ONLY)
        || Ledger.isAtomicAcknowledge(packet);
  }

  /** {@code received}: everything the ACK acknowledges has arrived. */
  static DerivedValue received(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Ack ack)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = facts(ledger, event, ack.qp());
    if (facts.received.isBeforeHigh(ack.psn())) {
      return DerivedValue.TRUE;
    }
    if (facts.received.mayBeBeforeHigh(ack.psn()) || !wireIsComplete(ledger, event, facts)) {
      return PARTIAL_WIRE;
    }
    return facts.received.high().isEmpty() ? JOINED : DerivedValue.FALSE;
  }

  /** {@code inOrder}: a READ response is the next of its READ, or one that has been sent before. */
  static DerivedValue inOrder(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Tx tx) || !tx.packet().opcode().isReadResponse()) {
      return DerivedValue.TRUE;
    }
    QueuePairFacts facts = facts(ledger, event, tx.qp());
    NumberWidths widths = ledger.widths();
    int psn = tx.packet().psn();
    if (facts.received.isBeforeLow(psn)) {
      return DerivedValue.TRUE;
    }
    boolean matched = false;
    for (RequestStream.AwaitedRead read : facts.received.awaitedReads()) {
      if (widths.psnIn(psn, read.first, read.count)) {
        matched = true;
        if (widths.psnDistance(read.first, psn) <= widths.psnDistance(read.first, read.next)) {
          return DerivedValue.TRUE;
        }
      }
    }
    if (matched && wireIsComplete(ledger, event, facts)) {
      return DerivedValue.FALSE;
    }
    if (facts.received.mayBeBeforeHigh(psn) && !facts.received.isBeforeHigh(psn)) {
      return PARTIAL_WIRE;
    }
    return wireIsComplete(ledger, event, facts) && facts.received.high().isPresent()
        ? DerivedValue.FALSE
        : PARTIAL_WIRE;
  }

  /** {@code atExpected}: the NAK's PSN was received and not yet answered (rows C2, E4). */
  static DerivedValue atExpected(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Nak nak)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = facts(ledger, event, nak.qp());
    RequestStream stream = facts.received;
    int psn = nak.psn();
    if (stream.isBeforeLow(psn)) {
      return facts.uncertain ? LOST_EVENTS : DerivedValue.FALSE;
    }
    if (nak.syndrome().equals(Syndrome.PSN_SEQUENCE_ERROR)) {
      if (stream.gapHeads().contains(psn)) {
        return DerivedValue.TRUE;
      }
      return wireIsComplete(ledger, event, facts) && stream.high().isPresent()
          ? DerivedValue.FALSE
          : PARTIAL_WIRE;
    }
    if (stream.low().isEmpty() && stream.isBeforeHigh(psn)) {
      return JOINED;
    }
    if (stream.isUnanswered(psn)) {
      return DerivedValue.TRUE;
    }
    if (stream.mayBeBeforeHigh(psn) || !wireIsComplete(ledger, event, facts)) {
      return PARTIAL_WIRE;
    }
    return stream.high().isEmpty() ? JOINED : DerivedValue.FALSE;
  }

  /** {@code insideRead}: the NAK stands in the place of a response to an outstanding READ (E3). */
  static DerivedValue insideRead(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Nak nak)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = facts(ledger, event, nak.qp());
    if (!facts.received.isBeforeLow(nak.psn())) {
      for (RequestStream.AwaitedRead read : facts.received.awaitedReads()) {
        if (ledger.widths().psnIn(nak.psn(), read.first, read.count)) {
          return DerivedValue.TRUE;
        }
      }
    }
    return wireIsComplete(ledger, event, facts) ? DerivedValue.FALSE : PARTIAL_WIRE;
  }

  /** {@code atReplay}: the NAK refuses a READ that arrived again after its answer (row R3). */
  static DerivedValue atReplay(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Nak nak)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = facts(ledger, event, nak.qp());
    for (Map.Entry<Integer, Long> read : facts.repeatedReads.entrySet()) {
      if (ledger.widths().psnIn(nak.psn(), read.getKey(), read.getValue())) {
        return DerivedValue.TRUE;
      }
    }
    return wireIsComplete(ledger, event, facts) ? DerivedValue.FALSE : PARTIAL_WIRE;
  }

  /**
   * {@code repeated}: the NAK was sent before with the same PSN and code. Only a capture may hold a
   * frame twice; in a device's own recording a second NAK is a second one.
   */
  static DerivedValue repeated(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Nak nak) || nak.stamp().frame() == 0) {
      return DerivedValue.FALSE;
    }
    return DerivedValue.of(
        facts(ledger, event, nak.qp())
            .fatalNak
            .filter(fatal -> fatal.psn() == nak.psn() && fatal.syndrome().equals(nak.syndrome()))
            .isPresent());
  }

  /** {@code beyondFatal}: the answer is for the PSN of a fatal NAK sent before, or a later one. */
  static DerivedValue beyondFatal(Ledger ledger, TraceEvent event) {
    Optional<Answer> answer = Answer.of(event);
    return DerivedValue.of(
        answer.isPresent()
            && facts(ledger, event)
                .flatMap(facts -> facts.fatalNak)
                .filter(fatal -> !ledger.widths().psnBefore(answer.get().psn(), fatal.psn()))
                .isPresent());
  }

  /**
   * {@code late}: of a request, it arrives after the queue pair sent a fatal NAK or went to ERR; of
   * an answer, a check or a DMA for the peer, it is for a request that arrived then (row E13).
   */
  static DerivedValue late(Ledger ledger, TraceEvent event) {
    Optional<QueuePairFacts> facts = facts(ledger, event);
    if (facts.isEmpty()) {
      return DerivedValue.FALSE;
    }
    if (event instanceof TraceEvent.Rx rx) {
      return DerivedValue.of(
          rx.packet().opcode().isRequest()
              && (facts.get().inError.isPresent() || facts.get().fatalNak.isPresent()));
    }
    OptionalInt psn = Ledger.psnOf(event);
    if (facts.get().lateFrom.isEmpty() || psn.isEmpty() || !isForPeer(facts.get(), event)) {
      return DerivedValue.FALSE;
    }
    return DerivedValue.of(
        !ledger.widths().psnBefore(psn.getAsInt(), facts.get().lateFrom.getAsInt()));
  }

  /** Whether an answer, a check or a DMA serves a request of the peer, not one of its own. */
  private static boolean isForPeer(QueuePairFacts facts, TraceEvent event) {
    if (event instanceof TraceEvent.Tx tx) {
      return isResponse(tx.packet());
    }
    if (event instanceof TraceEvent.Check check) {
      return !RegistrationValues.isLocal(check.access());
    }
    if (event instanceof TraceEvent.DmaRead read) {
      return !isLocalDma(facts, read.psn());
    }
    if (event instanceof TraceEvent.DmaWrite write) {
      return !isLocalDma(facts, write.psn());
    }
    return true;
  }

  /**
   * Whether a DMA serves a request of its own queue pair: its PSN then belongs to the other
   * direction. The check made before it tells; without one, a request sent with that PSN does.
   */
  static boolean isLocalDma(QueuePairFacts facts, int psn) {
    QueuePairFacts.CheckedAccess checked = facts.checked.get(psn);
    if (checked != null) {
      return RegistrationValues.isLocal(checked.access());
    }
    return facts.received.packetAt(psn).isEmpty() && facts.sent.packetAt(psn).isPresent();
  }

  // NAK-1

  /**
   * {@code invalidRequestPossible}: true where no request is known at the NAK's PSN, which is
   * NakOnlyAtExpectedPsn's business; else the request at the NAK's PSN shows a cause for NAK code
   * 1: an atomic's address not a multiple of 8, a length above 2^31, an operation the queue pair
   * has no right for (row C11), an opcode out of sequence or unknown, a payload that does not fit
   * length and MTU, more than one READ or atomic outstanding (rows C2, C4).
   */
  static DerivedValue invalidRequestPossible(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Nak nak)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = facts(ledger, event, nak.qp());
    List<RequestPacket> requests = facts.received.packetsAt(nak.psn());
    if (requests.isEmpty()) {
      return wireIsComplete(ledger, event, facts) && facts.received.low().isPresent()
          ? DerivedValue.TRUE
          : REQUEST_NOT_SEEN;
    }
    DerivedValue answer = DerivedValue.FALSE;
    for (RequestPacket request : requests) {
      DerivedValue one =
          invalidRequestPossible(facts, request, wireIsComplete(ledger, event, facts));
      if (one.equals(DerivedValue.TRUE)) {
        return one;
      }
      answer = one instanceof DerivedValue.Unknown ? one : answer;
    }
    return answer;
  }

  /**
   * {@code accessErrorPossible}: true where no request is known at the NAK's PSN, which is
   * NakOnlyAtExpectedPsn's business; else the request at the NAK's PSN names a key. A SEND without
   * invalidate names none (row C5): what is wrong with its receive buffer is NAK code 1 or 3 (rows
   * C2, E10).
   */
  static DerivedValue accessErrorPossible(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Nak nak)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = facts(ledger, event, nak.qp());
    List<RequestPacket> requests = facts.received.packetsAt(nak.psn());
    if (requests.isEmpty()) {
      return wireIsComplete(ledger, event, facts) && facts.received.low().isPresent()
          ? DerivedValue.TRUE
          : REQUEST_NOT_SEEN;
    }
    return DerivedValue.of(requests.stream().anyMatch(WireValues::namesKey));
  }

  private static boolean namesKey(RequestPacket request) {
    return !request.packet().opcode().isSend() || request.packet().invalidate().isPresent();
  }

  private static DerivedValue invalidRequestPossible(
      QueuePairFacts facts, RequestPacket request, boolean complete) {
    Opcode opcode = request.packet().opcode();
    if (invalidCause(facts, request).isPresent()) {
      return DerivedValue.TRUE;
    }
    if (opcode.isWrite() && request.access().isEmpty()) {
      // Every message under way is known, unless packets went unrecorded.
      return complete && facts.received.low().isPresent() ? DerivedValue.TRUE : NO_PREDECESSOR;
    }
    if (opcode.isSend()) {
      return RECEIVE_BUFFERS;
    }
    if (facts.rights.isEmpty()) {
      return NO_QUEUE_PAIR_RIGHTS;
    }
    int psn = request.packet().psn();
    if (facts.received.packetBefore(psn).isEmpty() && !complete && !facts.received.isFirst(psn)) {
      return NO_PREDECESSOR;
    }
    return DerivedValue.FALSE;
  }

  /** The cause for NAK code 1 that a request shows, for people. */
  static Optional<String> invalidCause(QueuePairFacts facts, RequestPacket request) {
    Packet packet = request.packet();
    Opcode opcode = packet.opcode();
    if (!opcode.isReliableConnection() || !opcode.isRequest() || !isKnown(opcode)) {
      return Optional.of("opcode " + opcode + " is no request of a reliable connection");
    }
    if (packet.access().isPresent()) {
      RemoteAccess remote = packet.access().get();
      if (opcode.isAtomicRequest() && (remote.va() & 7) != 0) {
        return Optional.of(
            "atomic address 0x" + Long.toHexString(remote.va()) + " is not a multiple of 8");
      }
    }
    Optional<PacketAccess> access = request.access();
    if (access.isPresent()
        && Long.compareUnsigned(access.get().remaining(), facts.longestMessage()) > 0) {
      return Optional.of(
          "length "
              + Long.toUnsignedString(access.get().messageLength())
              + " exceeds the longest message");
    }
    Optional<Flag> right = operationRight(opcode);
    Optional<AccessFlags> rights = facts.rights;
    if (right.isPresent() && rights.isPresent() && !rights.get().has(right.get())) {
      return Optional.of("the queue pair itself lacks " + right.get().text());
    }
    Optional<String> outOfSequence = outOfSequence(facts, packet);
    if (outOfSequence.isPresent()) {
      return outOfSequence;
    }
    Optional<String> misfit = payloadMisfit(facts, request);
    if (misfit.isPresent()) {
      return misfit;
    }
    if ((opcode.isReadRequest() || opcode.isAtomicRequest())
        && facts.received.outstandingReadsAndAtomics() > 1) {
      return Optional.of("more than one READ or atomic is outstanding");
    }
    return Optional.empty();
  }

  private static boolean isKnown(Opcode opcode) {
    return !opcode.toString().startsWith("OPCODE_");
  }

  private static Optional<Flag> operationRight(Opcode opcode) {
    if (opcode.isWrite()) {
      return Optional.of(Flag.REMOTE_WRITE);
    }
    if (opcode.isReadRequest()) {
      return Optional.of(Flag.REMOTE_READ);
    }
    return opcode.isAtomicRequest() ? Optional.of(Flag.REMOTE_ATOMIC) : Optional.empty();
  }

  private static Optional<String> outOfSequence(QueuePairFacts facts, Packet packet) {
    return facts
        .received
        .packetBefore(packet.psn())
        .map(RequestPacket::packet)
        .filter(before -> !follows(before.opcode(), packet.opcode()))
        .map(before -> packet.opcode() + " follows " + before.opcode());
  }

  /** Whether the later packet's opcode may come right after the earlier's (row C2). */
  static boolean follows(Opcode earlier, Opcode later) {
    return earlier.endsMessage()
        ? later.startsMessage()
        : !later.startsMessage() && MessageKind.of(earlier) == MessageKind.of(later);
  }

  private static Optional<String> payloadMisfit(QueuePairFacts facts, RequestPacket request) {
    Packet packet = request.packet();
    Opcode opcode = packet.opcode();
    int mtu = facts.received.mtu();
    if (opcode.isReadRequest() || opcode.isAtomicRequest()) {
      return Optional.empty();
    }
    if (mtu != 0) {
      boolean full = !opcode.endsMessage();
      if (full ? packet.payload() != mtu : packet.payload() > mtu) {
        return Optional.of(
            "payload of " + packet.payload() + " bytes in " + opcode + " at a path MTU of " + mtu);
      }
    }
    if (opcode.endsMessage() && !opcode.startsMessage() && packet.payload() == 0) {
      return Optional.of("the last packet of several is empty");
    }
    if (opcode.isWrite() && request.access().isPresent()) {
      PacketAccess access = request.access().get();
      long rest = access.messageLength() - access.offset();
      boolean fits =
          opcode.endsMessage()
              ? packet.payload() == rest
              : Long.compareUnsigned(packet.payload(), rest) < 0
                  && Long.compareUnsigned(access.offset(), access.messageLength()) <= 0;
      if (!fits) {
        return Optional.of(
            "payload of "
                + packet.payload()
                + " bytes where the RETH announces "
                + Long.toUnsignedString(rest)
                + " more");
      }
    }
    return Optional.empty();
  }

  // Duplicates and effects

  /**
   * {@code duplicate}: the DMA executes a WRITE or atomic that arrived again after it had been
   * answered (row R1).
   */
  static DerivedValue duplicate(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.DmaWrite write)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = facts(ledger, event, write.qp());
    Optional<MemoryKey> key = facts.duplicates.get(write.psn());
    return DerivedValue.of(
        key != null
            && key.map(write.key()::equals).orElse(true)
            && !isLocalDma(facts, write.psn()));
  }

  /** {@code sameOriginal}: a repeated atomic acknowledgement carries the value first returned. */
  static DerivedValue sameOriginal(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Tx tx) || !Ledger.isAtomicAcknowledge(tx.packet())) {
      return DerivedValue.TRUE;
    }
    Long first = facts(ledger, event, tx.qp()).atomicResults.get(tx.packet().psn());
    if (first == null) {
      return DerivedValue.TRUE;
    }
    return tx.packet().original().isEmpty()
        ? NO_ORIGINAL
        : DerivedValue.of(first == tx.packet().original().getAsLong());
  }

  /**
   * {@code afterRefusal}: a check for a remote write under this key was refused on this queue pair
   * at this PSN or an earlier one.
   */
  static DerivedValue afterRefusal(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.DmaWrite write)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = facts(ledger, event, write.qp());
    for (QueuePairFacts.RefusedCheck refused : facts.refused) {
      if (refused.key().equals(write.key())
          && !ledger.widths().psnBefore(write.psn(), refused.psn())) {
        return DerivedValue.of(!isLocalDma(facts, write.psn()));
      }
    }
    return DerivedValue.FALSE;
  }

  /** {@code reach}: how much of the instance's message the answer acknowledges. */
  static DerivedValue reach(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    Optional<MessageSpan> message = instance.flatMap(Instance::message);
    Optional<Answer> answer = Answer.of(event);
    if (message.isEmpty() || answer.isEmpty()) {
      return NOTHING;
    }
    NumberWidths widths = ledger.widths();
    int first = message.get().first();
    if (acknowledges(widths, answer.get(), widths.psnPlus(first, message.get().count() - 1))) {
      return ALL;
    }
    return acknowledges(widths, answer.get(), first) ? SOME : NOTHING;
  }

  /** {@code inside}: the NAK names a packet of the instance's message. */
  static DerivedValue inside(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    return DerivedValue.of(
        event instanceof TraceEvent.Nak nak
            && instance
                .flatMap(Instance::message)
                .map(message -> ledger.widths().psnIn(nak.psn(), message.first(), message.count()))
                .orElse(false));
  }

  // States

  /** {@code toErr}, {@code toReset}, {@code toReady}: the state a queue pair entered. */
  static DerivedValue entered(TraceEvent event, QueuePairState... states) {
    if (event instanceof TraceEvent.QpState entered) {
      for (QueuePairState state : states) {
        if (entered.state() == state) {
          return DerivedValue.TRUE;
        }
      }
    }
    return DerivedValue.FALSE;
  }

  /** Whether an access kind changes memory for a peer. */
  static boolean changesMemory(AccessKind kind) {
    return kind == AccessKind.REMOTE_WRITE || kind == AccessKind.REMOTE_ATOMIC;
  }

  // Accesses of messages

  private static final DerivedValue NOT_CHECKED =
      new DerivedValue.Unknown("not every key check was recorded", EventClass.CHECK);

  /** Words of {@code meant}. */
  static final DerivedValue.Word SAME = new DerivedValue.Word("same");

  private static Optional<RegistrationValues.Dma> dma(TraceEvent event) {
    return RegistrationValues.Dma.of(event);
  }

  /** {@code checked}: an accepted check let the access in; true for what was answered before. */
  static DerivedValue checked(Ledger ledger, TraceEvent event) {
    Optional<RegistrationValues.Dma> found = dma(event);
    if (found.isEmpty()) {
      return DerivedValue.FALSE;
    }
    RegistrationValues.Dma dma = found.get();
    QueuePairFacts facts = facts(ledger, event, dma.qp());
    int psn = dma.psn();
    if (isLocalDma(facts, psn) || facts.received.isBeforeLow(psn)) {
      return DerivedValue.TRUE;
    }
    QueuePairFacts.Grant own = facts.grants.get(psn);
    if (own != null && lets(own, dma)) {
      return DerivedValue.TRUE;
    }
    NumberWidths widths = ledger.widths();
    Optional<MessageSpan> span = facts.spanAt(psn);
    if (span.isPresent()) {
      int first = span.get().first();
      long count = widths.psnDistance(first, psn) + 1L;
      for (QueuePairFacts.Grant grant : facts.grants.values()) {
        if (widths.psnIn(grant.psn(), first, count) && lets(grant, dma)) {
          return DerivedValue.TRUE;
        }
      }
    }
    return !facts.uncertain
            && !facts.grants.hasForgotten()
            && facts.received.low().isPresent()
            && ledger.isComplete(EventClass.CHECK, dma.host())
            && ledger.isComplete(EventClass.WIRE, dma.host())
        ? DerivedValue.FALSE
        : NOT_CHECKED;
  }

  private static boolean lets(QueuePairFacts.Grant grant, RegistrationValues.Dma dma) {
    return grant.key().equals(dma.key())
        && Long.compareUnsigned(dma.va(), grant.va()) >= 0
        && Long.compareUnsigned(dma.length(), grant.length()) <= 0
        && Long.compareUnsigned(dma.va() - grant.va(), grant.length() - dma.length()) <= 0;
  }

  /**
   * {@code meant}: whether the access acts on the registration that had the key when its request
   * was posted; unknown where that was not recorded (K8).
   */
  static DerivedValue meant(Ledger ledger, TraceEvent event) {
    Optional<RegistrationValues.Dma> found = dma(event);
    if (found.isEmpty()) {
      return CompletionValues.UNKNOWN;
    }
    RegistrationValues.Dma dma = found.get();
    QueuePairFacts facts = facts(ledger, event, dma.qp());
    if (isLocalDma(facts, dma.psn()) || facts.peer.isEmpty() || facts.uncertain) {
      return CompletionValues.UNKNOWN;
    }
    return meantBy(ledger, facts, dma.psn())
        .flatMap(request -> request.meant)
        .map(target -> target.equals(ledger.target(dma.host(), dma.mr(), dma.key())) ? SAME : OTHER)
        .orElse(CompletionValues.UNKNOWN);
  }

  /** The peer's work request whose message the PSN is among, if it is known whom it meant. */
  static Optional<QueuePairFacts.WorkRequest> meantBy(
      Ledger ledger, QueuePairFacts facts, int psn) {
    QueuePairFacts.WorkRequest newest = null;
    if (facts.peer.isPresent()) {
      for (QueuePairFacts.WorkRequest request : ledger.queuePair(facts.peer.get()).workRequests) {
        if (request.message != null
            && request.meant.isPresent()
            && request.message.holds(ledger.widths(), psn)) {
          newest = request;
        }
      }
    }
    return Optional.ofNullable(newest);
  }

  /** {@code sameRegistration}: it acts on the registration of its message's first access. */
  static DerivedValue sameRegistration(Ledger ledger, TraceEvent event) {
    return DerivedValue.of(
        dma(event)
            .map(
                dma -> {
                  QueuePairFacts facts = facts(ledger, event, dma.qp());
                  return isLocalDma(facts, dma.psn())
                      || facts
                          .spanAt(dma.psn())
                          .map(span -> facts.acts.get(span.first()))
                          .map(
                              act ->
                                  act.target()
                                      .equals(ledger.target(dma.host(), dma.mr(), dma.key())))
                          .orElse(true);
                })
            .orElse(false));
  }

  // Faults of local keys

  /** {@code localFault}: the last check at the NAK's PSN was of a local key and refused. */
  static DerivedValue localFault(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Nak nak)) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts.CheckedAccess checked = facts(ledger, event, nak.qp()).checked.get(nak.psn());
    return DerivedValue.of(checked != null && checked.isLocal() && !checked.accepted());
  }

  /** {@code byDevice}: the device moved the queue pair of its own accord. */
  static DerivedValue byDevice(TraceEvent event) {
    return DerivedValue.of(
        event instanceof TraceEvent.QpState state
            && state.by().equals(Optional.of(TraceEvent.Mover.DEVICE)));
  }

  /** {@code peerFault}: a check of a local key was refused at the other end. */
  static DerivedValue peerFault(Ledger ledger, TraceEvent event) {
    return DerivedValue.of(
        facts(ledger, event)
            .flatMap(facts -> facts.peer)
            .filter(peer -> ledger.queuePair(peer).localFault)
            .isPresent());
  }

  /** {@code ownCause}: the queue pair has a cause of its own to go to ERR (E11). */
  static DerivedValue ownCause(Ledger ledger, TraceEvent event) {
    Optional<QueuePairFacts> found = facts(ledger, event);
    if (found.isEmpty()) {
      return DerivedValue.FALSE;
    }
    QueuePairFacts facts = found.get();
    String host = facts.address.host();
    if (facts.fatalNak.isPresent()
        || facts.errorCompletion.isPresent()
        || facts.localFault
        || facts.errorFromOutside
        || !facts.workRequests.isEmpty()
        || !facts.sends.isEmpty()
        || !facts.namedKeys.isEmpty()
        || ledger.keyTable(host).isEndingSomething()) {
      return DerivedValue.TRUE;
    }
    boolean complete =
        wireIsComplete(ledger, event, facts)
            && ledger.isComplete(EventClass.CHECK, host)
            && ledger.isComplete(EventClass.POSTING, host)
            && ledger.isComplete(EventClass.REGISTRATION, host);
    DerivedValue answer = complete ? DerivedValue.FALSE : PARTIAL_WIRE;
    for (RequestPacket request : facts.received.unansweredPackets()) {
      for (Map.Entry<Integer, QueuePairFacts.CheckedAccess> check : facts.checked.entrySet()) {
        if (!check.getValue().accepted()
            && ledger.widths().psnIn(check.getKey(), request.packet().psn(), request.span())) {
          return DerivedValue.TRUE;
        }
      }
      DerivedValue invalid = invalidRequestPossible(facts, request, complete);
      if (invalid.equals(DerivedValue.TRUE)) {
        return invalid;
      }
      answer = invalid instanceof DerivedValue.Unknown ? invalid : answer;
    }
    return answer;
  }
}
