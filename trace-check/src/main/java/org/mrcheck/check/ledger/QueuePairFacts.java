package org.mrcheck.check.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
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
  record CheckedAccess(AccessKind access, MemoryKey key) {}

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

  /** Work requests that put nothing on the wire, until newer ones push them out. */
  final Map<Long, WorkOperation> localWorkRequests = bounded(REMEMBERED_DUPLICATES);

  QueuePairFacts(QueuePairAddress address, NumberWidths widths) {
    this.address = address;
    this.widths = widths;
    this.received = new RequestStream(widths);
    this.sent = new RequestStream(widths);
  }

  /** The queue pair went back to RESET: what was outstanding is discarded. */
  void reset() {
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
    localWorkRequests.clear();
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

  /** Forgets its oldest entry when it grows beyond its limit. */
  private static final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;
    private final int limit;

    BoundedMap(int limit) {
      this.limit = limit;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > limit;
    }
  }

  long longestMessage() {
    return widths.longestMessage();
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
