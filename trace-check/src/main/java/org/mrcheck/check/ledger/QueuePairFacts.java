package org.mrcheck.check.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;

/** What is known of one queue pair. Mutable. */
final class QueuePairFacts {
  /** Atomic results kept for replay; devices negotiate at most 255 outstanding (row R2). */
  static final int REMEMBERED_ATOMICS = 1024;

  /** Requests that arrived again after their answer, kept until newer ones push them out. */
  static final int REMEMBERED_DUPLICATES = 4096;

  /** Work requests that no completion has settled, such as unsignalled ones. */
  static final int REMEMBERED_WORK_REQUESTS = 65_536;

  /** Refused checks kept, oldest forgotten first. */
  static final int REMEMBERED_REFUSALS = 256;

  /** A fatal NAK that this queue pair sent. */
  record FatalNak(Stamp stamp, int psn, Syndrome syndrome) {}

  /** The last key check at a PSN. */
  record CheckedAccess(AccessKind access, MemoryKey key, boolean accepted) {
    boolean isLocal() {
      return RegistrationValues.isLocal(access);
    }
  }

  /** The range that the last accepted check of a remote access at a PSN was about. */
  record Grant(int psn, MemoryKey key, long va, long length) {}

  /** The registration that the first access of a message acted on. */
  record Act(int first, long count, Target target) {}

  /** An access to memory that was made for the peer's request and allowed. */
  record Touch(long va, long length, boolean writes) {}

  /**
   * A key named for invalidation.
   *
   * @param byPeer by a SEND of the peer; else by a work request of the queue pair's own
   * @param executed it was carried out
   * @param reported its completion came, which only a peer's needs
   */
  record NamedKey(MemoryKey key, boolean byPeer, boolean executed, boolean reported) {
    boolean isOver() {
      return executed && reported;
    }
  }

  /** A refused key check. */
  record RefusedCheck(Stamp stamp, int psn, MemoryKey key) {}

  /** A work request that waits for its completion. Mutable: its message is found later. */
  static final class WorkRequest {
    final Stamp stamp;
    final long wr;
    final WorkOperation operation;
    final Optional<RemoteAccess> remote;
    final long length;
    Message message;

    /** Who had the key at the other end when this was posted, as far as that is known. */
    Optional<Target> meant = Optional.empty();

    /** Whether a later work request was seen on the wire before this one. */
    boolean passedOver;

    WorkRequest(
        Stamp stamp, long wr, WorkOperation operation, Optional<RemoteAccess> remote, long length) {
      this.stamp = stamp;
      this.wr = wr;
      this.operation = operation;
      this.remote = remote;
      this.length = length;
    }
  }

  final QueuePairAddress address;
  private final NumberWidths widths;

  OptionalLong pd = OptionalLong.empty();
  Optional<AccessFlags> rights = Optional.empty();
  Optional<QueuePairAddress> peer = Optional.empty();

  /** Events about this queue pair may have been lost. */
  boolean uncertain;

  /** Requests of the peer and this queue pair's answers. */
  RequestStream received;

  /** This queue pair's requests and the answers that reached it. */
  RequestStream sent;

  Optional<Stamp> inError = Optional.empty();
  Optional<FatalNak> fatalNak = Optional.empty();
  OptionalInt lateFrom = OptionalInt.empty();
  Optional<Stamp> errorCompletion = Optional.empty();

  /** Refused checks of remote writes; the first of them ends the connection. */
  final List<RefusedCheck> refused = new ArrayList<>();

  final Map<Integer, CheckedAccess> checked = bounded(REMEMBERED_ATOMICS);
  final Map<Integer, Long> atomicResults = bounded(REMEMBERED_ATOMICS);

  /**
   * WRITE and ATOMIC requests that arrived again after their answer: the keys they carry, by PSN.
   */
  final Map<Integer, Optional<MemoryKey>> duplicates = bounded(REMEMBERED_DUPLICATES);

  /** PSNs of READs that arrived again after their answer, with how many PSNs they take. */
  final Map<Integer, Long> repeatedReads = bounded(REMEMBERED_DUPLICATES);

  final ArrayDeque<WorkRequest> workRequests = new ArrayDeque<>();

  /** Whether posts of work requests that leave as packets are recorded. */
  boolean posted;

  /** Whether some of those are not in {@link #workRequests} although they may be outstanding. */
  boolean forgotPosts;

  /** Accepted checks of requests that are not answered, by PSN. */
  final BoundedMap<Integer, Grant> grants = new BoundedMap<>(RequestStream.REMEMBERED_PACKETS);

  /** What messages that are not answered act on, by their first PSN. */
  final BoundedMap<Integer, Act> acts = new BoundedMap<>(REMEMBERED_DUPLICATES);

  /** Accesses for requests whose completion has not come, by PSN. */
  final BoundedMap<Integer, List<Touch>> touches =
      new BoundedMap<>(RequestStream.REMEMBERED_PACKETS);

  /** Keys named for invalidation and not both executed and reported. */
  final Map<NamedKey, Boolean> namedKeys = bounded(REMEMBERED_DUPLICATES);

  /** Work requests posted and not completed. */
  final WorkQueue sends = new WorkQueue();

  final WorkQueue receives = new WorkQueue();

  /** Those that a reset took away: at most one completion each may still come. */
  final WorkQueue discarded = new WorkQueue();

  /** The shared receive queue it takes receives from. */
  OptionalLong srq = OptionalLong.empty();

  /** Somebody other than the device moved it to ERR. */
  boolean errorFromOutside;

  /** A check of a local key was refused. */
  boolean localFault;

  QueuePairFacts(QueuePairAddress address, NumberWidths widths) {
    this.address = address;
    this.widths = widths;
    this.received = new RequestStream(widths);
    this.sent = new RequestStream(widths);
  }

  /** The queue pair was made: whatever had its number before is forgotten. */
  void create() {
    reset();
    discarded.clear();
    srq = OptionalLong.empty();
  }

  /** The queue pair went back to RESET: what was outstanding is discarded. */
  void reset() {
    discarded.addAll(sends);
    discarded.addAll(receives);
    sends.clear();
    receives.clear();
    grants.clear();
    acts.clear();
    touches.clear();
    namedKeys.clear();
    errorFromOutside = false;
    localFault = false;
    peer = Optional.empty();
    received = new RequestStream(widths);
    sent = new RequestStream(widths);
    inError = Optional.empty();
    fatalNak = Optional.empty();
    lateFrom = OptionalInt.empty();
    errorCompletion = Optional.empty();
    refused.clear();
    checked.clear();
    atomicResults.clear();
    duplicates.clear();
    repeatedReads.clear();
    workRequests.clear();
    posted = false;
    forgotPosts = false;
    uncertain = false;
  }

  /** Events were lost. */
  void noteLoss() {
    uncertain = true;
    received.forget();
    sent.forget();
    duplicates.clear();
    repeatedReads.clear();
    atomicResults.clear();
    workRequests.clear();
    forgotPosts = true;
    grants.clear();
    acts.clear();
    touches.clear();
    namedKeys.clear();
    sends.clear();
    receives.clear();
    discarded.clear();
  }

  /** What the responder has answered needs no check and no registration any more. */
  void forgetAnswered() {
    if (grants.size() <= 64) {
      grants.values().removeIf(grant -> !isNeeded(grant));
    } else {
      for (Iterator<Grant> oldest = grants.values().iterator(); oldest.hasNext(); ) {
        if (isNeeded(oldest.next())) {
          break;
        }
        oldest.remove();
      }
    }
    acts.values()
        .removeIf(act -> received.isBeforeLow(widths.psnPlus(act.first(), act.count() - 1)));
  }

  private boolean isNeeded(Grant grant) {
    return !received.isBeforeLow(grant.psn())
        || received.writeMessageAt(grant.psn()).isPresent()
        || received.packetAt(grant.psn()).isPresent();
  }

  /** The WRITE message, or the READ or other request, that a PSN belongs to. */
  Optional<MessageSpan> spanAt(int psn) {
    Optional<Message> write = received.writeMessageAt(psn);
    if (write.isPresent()) {
      return write.map(Message::span);
    }
    return received.packetsAt(psn).stream()
        .filter(packet -> !packet.packet().opcode().isWrite())
        .findFirst()
        .map(packet -> new MessageSpan(packet.packet().psn(), packet.span()));
  }

  /** A key is named for invalidation. */
  void name(MemoryKey key, boolean byPeer) {
    namedKeys.put(new NamedKey(key, byPeer, false, false), true);
  }

  /** Changes what is known of the keys named for invalidation; null forgets one. */
  void revise(UnaryOperator<NamedKey> change) {
    if (namedKeys.isEmpty()) {
      return;
    }
    List<NamedKey> before = List.copyOf(namedKeys.keySet());
    namedKeys.clear();
    for (NamedKey named : before) {
      NamedKey after = change.apply(named);
      if (after != null && !after.isOver()) {
        namedKeys.put(after, true);
      }
    }
  }

  /** A new request takes these PSNs: what older ones left there is forgotten, for PSNs wrap. */
  void forgetRepeats(int psn, long span) {
    duplicates.remove(psn);
    atomicResults.remove(psn);
    repeatedReads.keySet().removeIf(first -> widths.psnIn(first, psn, span));
  }

  private static <K, V> Map<K, V> bounded(int limit) {
    return new BoundedMap<>(limit);
  }

  long longestMessage() {
    return widths.longestMessage();
  }

  /**
   * Whether an answer with that PSN answers nothing that is outstanding, as an old connection of
   * the same number leaves it on the network; the requester drops it (L90). False where what is
   * outstanding is not known.
   */
  boolean answersNothing(int psn) {
    if (!sent.isUsed()) {
      return !uncertain;
    }
    if (!posted || forgotPosts) {
      return false;
    }
    for (WorkRequest request : workRequests) {
      Message message = request.message;
      if (message != null && (message.count == 0 || message.holds(widths, psn))) {
        return false;
      }
    }
    return true;
  }

  /** The work request of that number that has waited longest. */
  Optional<WorkRequest> workRequest(long wr) {
    return workRequests.stream().filter(request -> request.wr == wr).findFirst();
  }

  /** An empty table of queue pairs. */
  static Map<QueuePairAddress, QueuePairFacts> table() {
    return new HashMap<>();
  }
}
