package org.mrcheck.check.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.Syndrome;

/**
 * The requests that flow in one direction of a connection and their answers, as seen at one of its
 * ends. PSNs are compared modulo their space.
 *
 * <p>Memory: what has been answered is forgotten. Where no answers are ever seen (a one-sided
 * capture) at most {@link #REMEMBERED_PACKETS} packets, messages and gaps are kept each, oldest
 * forgotten first.
 */
final class RequestStream {
  /** More than any window of outstanding packets that a real connection has. */
  static final int REMEMBERED_PACKETS = 65_536;

  /** Runs of answered requests that were not seen. */
  static final int REMEMBERED_UNSEEN = 256;

  /** Path MTUs are 256 to 4096 bytes. */
  private static final int SMALLEST_MTU = 256;

  private static final int LARGEST_MTU = 4096;

  /** A READ whose responses are awaited. */
  static final class AwaitedRead {
    final int first;

    long count;

    /** PSN of the next response. */
    int next;

    AwaitedRead(int first, long count) {
      this.first = first;
      this.count = count;
      this.next = first;
    }
  }

  private final NumberWidths widths;

  /** Path MTU in bytes, 0 while it is not known. */
  private int mtu;

  private OptionalInt low = OptionalInt.empty();
  private OptionalInt high = OptionalInt.empty();

  /** How much further {@code high} may be: a READ was seen whose number of responses is unknown. */
  private long slack;

  private final List<Integer> gapHeads = new ArrayList<>();

  /** Messages not yet fully answered, in order of arrival. */
  private final ArrayDeque<Message> open = new ArrayDeque<>();

  /** Those of them that are WRITEs, by first PSN. */
  private final Map<Integer, Message> writes = new LinkedHashMap<>();

  private final List<AwaitedRead> reads = new ArrayList<>();
  private final Map<Integer, RequestPacket> packets = new LinkedHashMap<>();

  /** The last packet forgotten because it was answered: what the next one's opcode follows. */
  private Optional<RequestPacket> lastAnswered = Optional.empty();

  private boolean used;

  /** The connection's first PSN, where it is known: nothing can have come before. */
  private OptionalInt anchor = OptionalInt.empty();

  /** Runs of PSNs that were answered before the recording showed their requests. */
  private final List<MessageSpan> answeredUnseen = new ArrayList<>();

  /** The first PSN seen of a connection joined in its middle. */
  private OptionalInt joinedAt = OptionalInt.empty();

  /** Whether what is remembered may stand out of PSN order. */
  private boolean disordered;

  RequestStream(NumberWidths widths) {
    this.widths = widths;
  }

  /** The connection begins here: nothing has been sent before this PSN. */
  void anchor(int psn) {
    low = OptionalInt.of(psn);
    high = OptionalInt.of(psn);
    slack = 0;
    anchor = OptionalInt.of(psn);
  }

  /** Whether the PSN is the connection's first, so that no request came before it. */
  boolean isFirst(int psn) {
    return anchor.isPresent() && anchor.getAsInt() == psn;
  }

  void setMtu(int bytes) {
    mtu = bytes;
  }

  int mtu() {
    return mtu;
  }

  /** Whether a request was seen. */
  boolean isUsed() {
    return used;
  }

  OptionalInt low() {
    return low;
  }

  OptionalInt high() {
    return high;
  }

  List<Integer> gapHeads() {
    return gapHeads;
  }

  boolean isBeforeLow(int psn) {
    return low.isPresent() && widths.psnBefore(psn, low.getAsInt());
  }

  boolean isBeforeHigh(int psn) {
    return high.isPresent() && widths.psnBefore(psn, high.getAsInt());
  }

  /**
   * Whether the request at the PSN was never seen although it was answered, so that it may yet come
   * for the first time: captures mix up the order of the two directions, and lose packets.
   */
  boolean isAnsweredUnseen(int psn) {
    if (anchor.isEmpty() && joinedAt.isPresent() && widths.psnBefore(psn, joinedAt.getAsInt())) {
      return true;
    }
    for (MessageSpan run : answeredUnseen) {
      if (widths.psnIn(psn, run.first(), run.count())) {
        return true;
      }
    }
    return false;
  }

  private void joinAt(int psn) {
    if (joinedAt.isEmpty()) {
      joinedAt = OptionalInt.of(psn);
    }
  }

  private void noteUnseen(int from, int to) {
    answeredUnseen.add(new MessageSpan(from, widths.psnDistance(from, to)));
    if (answeredUnseen.size() > REMEMBERED_UNSEEN) {
      answeredUnseen.remove(0);
    }
  }

  /** Whether the PSN lies from {@code low} on and before {@code high}. */
  boolean isUnanswered(int psn) {
    return low.isPresent()
        && high.isPresent()
        && widths.psnDistance(low.getAsInt(), psn)
            < widths.psnDistance(low.getAsInt(), high.getAsInt());
  }

  /** Whether a READ of unknown length may reach up to the PSN. */
  boolean mayBeBeforeHigh(int psn) {
    return high.isPresent() && widths.psnBefore(psn, widths.psnPlus(high.getAsInt(), slack));
  }

  /** Events were lost: PSNs are unknown again until the next packet. */
  void forget() {
    low = OptionalInt.empty();
    high = OptionalInt.empty();
    slack = 0;
    gapHeads.clear();
    open.clear();
    writes.clear();
    reads.clear();
    packets.clear();
    lastAnswered = Optional.empty();
    anchor = OptionalInt.empty();
    joinedAt = OptionalInt.empty();
    answeredUnseen.clear();
  }

  /** How many PSNs a request occupies; the smallest number possible if the MTU is not known. */
  long span(Packet packet) {
    if (!packet.opcode().isReadRequest() || packet.access().isEmpty()) {
      return 1;
    }
    return packetsFor(packet.access().get().length(), mtu == 0 ? LARGEST_MTU : mtu);
  }

  private static long packetsFor(long length, int unit) {
    return Math.max(
        1, Long.divideUnsigned(length, unit) + (Long.remainderUnsigned(length, unit) == 0 ? 0 : 1));
  }

  /** The message whose packets the PSN is among: the newest that is not fully answered. */
  Optional<Message> messageAt(int psn) {
    for (Iterator<Message> newest = open.descendingIterator(); newest.hasNext(); ) {
      Message message = newest.next();
      if (message.holds(widths, psn)) {
        return Optional.of(message);
      }
    }
    return Optional.empty();
  }

  /** The WRITE message whose packets the PSN is among: the one that began last before it. */
  Optional<Message> writeMessageAt(int psn) {
    Message nearest = null;
    for (Message message : writes.values()) {
      if (message.holds(widths, psn)
          && (nearest == null
              || widths.psnDistance(message.first, psn) < widths.psnDistance(nearest.first, psn))) {
        nearest = message;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** The WRITE message a request packet belongs to or begins. */
  Optional<MessageSpan> writeMessageOf(Packet packet) {
    if (!packet.opcode().isWrite()) {
      return Optional.empty();
    }
    if (packet.opcode().startsMessage()) {
      return packet
          .access()
          .map(access -> new MessageSpan(packet.psn(), writePackets(packet, access)));
    }
    return writeMessageAt(packet.psn()).map(Message::span);
  }

  private static long writePackets(Packet packet, RemoteAccess access) {
    return packet.opcode().endsMessage() || packet.payload() == 0
        ? 1
        : packetsFor(access.length(), packet.payload());
  }

  /** What a request packet wants of memory; empty for a SEND or if its message is not known. */
  Optional<PacketAccess> accessOf(Packet packet) {
    Opcode opcode = packet.opcode();
    int psn = packet.psn();
    if (packet.access().isPresent()) {
      RemoteAccess remote = packet.access().get();
      if (opcode.isReadRequest()) {
        return Optional.of(whole(packet, AccessKind.REMOTE_READ, remote, remote.length()));
      }
      if (opcode.isAtomicRequest()) {
        return Optional.of(whole(packet, AccessKind.REMOTE_ATOMIC, remote, remote.length()));
      }
      if (opcode.isWrite()) {
        return Optional.of(
            whole(
                packet,
                AccessKind.REMOTE_WRITE,
                remote,
                opcode.endsMessage()
                    ? larger(packet.payload(), remote.length())
                    : packet.payload()));
      }
      return Optional.empty();
    }
    if (!opcode.isWrite()) {
      return Optional.empty();
    }
    return writeMessageAt(psn)
        .map(
            message -> {
              RemoteAccess remote = message.access.orElseThrow();
              long offset = (long) widths.psnDistance(message.first, psn) * message.unit;
              return new PacketAccess(
                  psn,
                  1,
                  AccessKind.REMOTE_WRITE,
                  remote.key(),
                  remote.va(),
                  remote.length(),
                  offset,
                  opcode.endsMessage() && Long.compareUnsigned(remote.length(), offset) > 0
                      ? larger(packet.payload(), remote.length() - offset)
                      : packet.payload());
            });
  }

  /**
   * The last packet of a WRITE stands for all the bytes its RETH announces from there on: a length
   * that overruns its region is seen there, whatever the payload.
   */
  private static long larger(long payload, long announced) {
    return Long.compareUnsigned(payload, announced) >= 0 ? payload : announced;
  }

  private PacketAccess whole(Packet packet, AccessKind kind, RemoteAccess remote, long length) {
    return new PacketAccess(
        packet.psn(), span(packet), kind, remote.key(), remote.va(), remote.length(), 0, length);
  }

  /**
   * A request was seen.
   *
   * @return the message it begins, if it is the next in sequence and begins one
   */
  Optional<Message> request(Stamp stamp, Packet packet) {
    used = true;
    learnMtu(packet);
    int psn = packet.psn();
    joinAt(psn);
    settleSlack(psn);
    if (isBeforeLow(psn)) {
      if (packet.opcode().isReadRequest()) {
        awaitRead(psn, span(packet));
      }
      return Optional.empty();
    }
    long span = span(packet);
    boolean inSequence = high.isEmpty() || high.getAsInt() == psn;
    disordered |= !inSequence;
    if (inSequence) {
      high = OptionalInt.of(widths.psnPlus(psn, span));
      slack = readSlack(packet, span);
    } else if (isBeforeHigh(psn)) {
      int end = widths.psnPlus(psn, span);
      if (widths.psnBefore(high.getAsInt(), end)) {
        high = OptionalInt.of(end);
      }
    } else {
      addGapHead(high.getAsInt());
    }
    if (packet.icrc() == Icrc.BAD) {
      addGapHead(psn);
    }
    remember(new RequestPacket(stamp, packet, span, accessOf(packet)));
    return track(stamp, packet, span).filter(message -> inSequence);
  }

  private void addGapHead(int psn) {
    if (!gapHeads.contains(psn)) {
      gapHeads.add(psn);
      if (gapHeads.size() > REMEMBERED_PACKETS) {
        gapHeads.remove(0);
      }
    }
  }

  private void remember(RequestPacket packet) {
    packets.put(packet.packet().psn(), packet);
    if (packets.size() > REMEMBERED_PACKETS) {
      Iterator<RequestPacket> oldest = packets.values().iterator();
      lastAnswered = Optional.of(oldest.next());
      oldest.remove();
    }
  }

  private Optional<Message> track(Stamp stamp, Packet packet, long span) {
    MessageKind kind = MessageKind.of(packet.opcode());
    int psn = packet.psn();
    if (!packet.opcode().startsMessage()) {
      if (kind == MessageKind.SEND && packet.opcode().endsMessage()) {
        endSend(psn);
      }
      return Optional.empty();
    }
    if (kind == MessageKind.READ) {
      awaitRead(psn, span);
    }
    long count =
        switch (kind) {
          case WRITE -> packet.access().map(access -> writePackets(packet, access)).orElse(1L);
          case SEND -> packet.opcode().endsMessage() ? 1 : 0;
          case READ, ATOMIC -> span;
        };
    int unit = packet.opcode().endsMessage() ? 0 : packet.payload();
    for (Message known : open) {
      if (known.first == psn
          && known.kind == kind
          && known.access.equals(packet.access())
          && known.unit == unit) {
        return Optional.empty();
      }
    }
    open.removeIf(known -> known.first == psn);
    endOpenSends(psn);
    Message message = new Message(kind, psn, count, unit, packet.access(), stamp);
    open.add(message);
    if (kind == MessageKind.WRITE) {
      writes.put(psn, message);
      if (writes.size() > REMEMBERED_PACKETS) {
        writes.remove(writes.keySet().iterator().next());
      }
    }
    if (open.size() > REMEMBERED_PACKETS) {
      open.remove();
    }
    return Optional.of(message);
  }

  /** A SEND's length stands nowhere but in the position of its last packet. */
  private void endSend(int psn) {
    for (Iterator<Message> newest = open.descendingIterator(); newest.hasNext(); ) {
      Message message = newest.next();
      if (message.kind == MessageKind.SEND && !widths.psnBefore(psn, message.first)) {
        message.count = widths.psnDistance(message.first, psn) + 1L;
        return;
      }
    }
  }

  /** A SEND whose last packet was not seen ends where the next message begins. */
  private void endOpenSends(int psn) {
    for (Message message : open) {
      if (message.count == 0 && widths.psnBefore(message.first, psn)) {
        message.count = widths.psnDistance(message.first, psn);
      }
    }
  }

  /** A READ that is asked for again while it is being answered: the answers go on. */
  private void awaitRead(int psn, long span) {
    AwaitedRead awaited = new AwaitedRead(psn, span);
    for (AwaitedRead read : reads) {
      if (read.first == psn) {
        awaited.next = read.next;
      }
    }
    reads.removeIf(read -> read.first == psn);
    reads.add(awaited);
    if (reads.size() > REMEMBERED_PACKETS) {
      reads.remove(0);
    }
  }

  private long readSlack(Packet packet, long span) {
    if (mtu != 0 || !packet.opcode().isReadRequest() || packet.access().isEmpty()) {
      return 0;
    }
    return packetsFor(packet.access().get().length(), SMALLEST_MTU) - span;
  }

  /** The next request shows how many PSNs a READ of unknown span took. */
  private void settleSlack(int psn) {
    if (slack > 0 && high.isPresent()) {
      long beyond = widths.psnDistance(high.getAsInt(), psn);
      if (beyond <= slack) {
        settleLastRead(psn);
        high = OptionalInt.of(psn);
      }
      slack = 0;
    }
  }

  private void settleLastRead(int end) {
    for (Iterator<Message> newest = open.descendingIterator(); newest.hasNext(); ) {
      Message message = newest.next();
      if (message.kind == MessageKind.READ) {
        message.count = widths.psnDistance(message.first, end);
        for (AwaitedRead read : reads) {
          if (read.first == message.first) {
            read.count = message.count;
          }
        }
        return;
      }
    }
  }

  private void learnMtu(Packet packet) {
    int operation = packet.opcode().operation();
    boolean full =
        operation == Opcode.RC_SEND_FIRST.operation()
            || operation == Opcode.RC_SEND_MIDDLE.operation()
            || operation == Opcode.RC_WRITE_FIRST.operation()
            || operation == Opcode.RC_WRITE_MIDDLE.operation()
            || operation == Opcode.RC_READ_RESPONSE_FIRST.operation()
            || operation == Opcode.RC_READ_RESPONSE_MIDDLE.operation();
    if (mtu == 0 && full && isMtu(packet.payload())) {
      mtu = packet.payload();
    }
  }

  private static boolean isMtu(int bytes) {
    return bytes >= SMALLEST_MTU && bytes <= LARGEST_MTU && Integer.bitCount(bytes) == 1;
  }

  /** An acknowledgement or a refusal was seen. */
  void answer(int psn, Syndrome syndrome) {
    answer(psn, syndrome, true);
  }

  /**
   * An acknowledgement or a refusal was seen.
   *
   * @param listening whether a refusal still counts: in ERR nothing is refused any more, what is
   *     open is flushed (row E12)
   */
  void answer(int psn, Syndrome syndrome, boolean listening) {
    if (syndrome.kind() == Syndrome.Kind.ACK) {
      advance(widths.psnPlus(psn, 1));
      return;
    }
    advance(psn);
    if (!listening) {
      return;
    }
    messageAt(psn).ifPresent(message -> message.fate = fateOf(syndrome, message.fate));
  }

  private static Message.Fate fateOf(Syndrome syndrome, Message.Fate otherwise) {
    if (otherwise != Message.Fate.NONE && otherwise != Message.Fate.RNR) {
      return otherwise;
    }
    if (syndrome.kind() == Syndrome.Kind.RNR_NAK) {
      return Message.Fate.RNR;
    }
    if (syndrome.equals(Syndrome.INVALID_REQUEST)) {
      return Message.Fate.INVALID;
    }
    if (syndrome.equals(Syndrome.REMOTE_ACCESS_ERROR)) {
      return Message.Fate.ACCESS;
    }
    if (syndrome.equals(Syndrome.REMOTE_OPERATIONAL_ERROR)) {
      return Message.Fate.OPERATIONAL;
    }
    return otherwise;
  }

  /** A READ response or an atomic acknowledgement was seen. */
  void response(Packet packet) {
    int psn = packet.psn();
    learnMtu(packet);
    boolean last =
        packet.opcode().equals(Opcode.RC_READ_RESPONSE_LAST)
            || packet.opcode().equals(Opcode.RC_READ_RESPONSE_ONLY);
    for (AwaitedRead read : reads) {
      if (read.next == psn) {
        read.next = widths.psnPlus(psn, 1);
      }
    }
    reads.removeIf(
        read ->
            psn == widths.psnPlus(read.first, read.count - 1)
                || last && widths.psnIn(psn, read.first, read.count));
    advance(widths.psnPlus(psn, 1));
  }

  List<AwaitedRead> awaitedReads() {
    return reads;
  }

  /** Everything before the PSN has been answered, hence has arrived. */
  private void advance(int to) {
    if (low.isEmpty() || widths.psnBefore(low.getAsInt(), to)) {
      low = OptionalInt.of(to);
    }
    joinAt(to);
    if (high.isEmpty() || widths.psnBefore(high.getAsInt(), to)) {
      high.ifPresent(from -> noteUnseen(from, to));
      high = OptionalInt.of(to);
      slack = 0;
    }
    gapHeads.removeIf(this::isBeforeLow);
    while (!open.isEmpty() && isAnswered(open.peek())) {
      settle(open.remove());
    }
    Iterator<RequestPacket> oldest = packets.values().iterator();
    while (oldest.hasNext()) {
      RequestPacket packet = oldest.next();
      if (isAnswered(packet)) {
        lastAnswered = Optional.of(later(packet));
        oldest.remove();
      } else if (!disordered) {
        break;
      }
    }
    if (disordered) {
      open.removeIf(
          message -> {
            boolean answered = isAnswered(message);
            if (answered) {
              settle(message);
            }
            return answered;
          });
      writes.values().removeIf(this::isAnswered);
      disordered = !packets.isEmpty();
    }
  }

  private void settle(Message message) {
    if (message.fate == Message.Fate.NONE || message.fate == Message.Fate.RNR) {
      message.fate = Message.Fate.ACKED;
    }
    writes.remove(message.first, message);
  }

  private boolean isAnswered(RequestPacket packet) {
    return isBeforeLow(lastOf(packet));
  }

  private RequestPacket later(RequestPacket packet) {
    return lastAnswered
        .filter(known -> widths.psnBefore(packet.packet().psn(), known.packet().psn()))
        .orElse(packet);
  }

  private boolean isAnswered(Message message) {
    return message.count > 0 && isBeforeLow(widths.psnPlus(message.first, message.count - 1));
  }

  /** The requests received and not answered. */
  Iterable<RequestPacket> unansweredPackets() {
    return packets.values();
  }

  /** The unanswered request that occupies the PSN. */
  Optional<RequestPacket> packetAt(int psn) {
    RequestPacket exact = packets.get(psn);
    if (exact != null) {
      return Optional.of(exact);
    }
    for (RequestPacket packet : packets.values()) {
      if (packet.span() > 1 && widths.psnIn(psn, packet.packet().psn(), packet.span())) {
        return Optional.of(packet);
      }
    }
    return Optional.empty();
  }

  /** All unanswered requests that occupy the PSN: more than one only in broken traffic. */
  List<RequestPacket> packetsAt(int psn) {
    List<RequestPacket> found = new ArrayList<>(1);
    for (RequestPacket packet : packets.values()) {
      if (widths.psnIn(psn, packet.packet().psn(), packet.span())) {
        found.add(packet);
      }
    }
    return found;
  }

  /** The request that ends right before the PSN. */
  Optional<RequestPacket> packetBefore(int psn) {
    int previous = widths.psnPlus(psn, -1);
    Optional<RequestPacket> found =
        packetsAt(previous).stream().filter(packet -> lastOf(packet) == previous).findFirst();
    return found.isPresent() ? found : lastAnswered.filter(packet -> lastOf(packet) == previous);
  }

  private int lastOf(RequestPacket packet) {
    return widths.psnPlus(packet.packet().psn(), packet.span() - 1);
  }

  /** READs and atomics that were received and not answered. */
  long outstandingReadsAndAtomics() {
    return packets.values().stream()
        .filter(
            packet ->
                packet.packet().opcode().isReadRequest()
                    || packet.packet().opcode().isAtomicRequest())
        .count();
  }
}
