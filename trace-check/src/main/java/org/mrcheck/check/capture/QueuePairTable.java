package org.mrcheck.check.capture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.QueuePairId;

/**
 * The queue pairs of a capture: which bore a number, one after another, and who was connected to
 * whom. Mutable while the importer reads; not for several threads.
 */
final class QueuePairTable {
  private static final int PSN_MASK = 0xff_ffff;

  /** More packets than a connection has in flight, and far fewer than PSNs apart by chance. */
  private static final int MOST_IN_FLIGHT = 1 << 16;

  /** So many packets after its first one, a connection's PSNs still tell what came before it. */
  private static final int YOUNG_CONNECTION = 1 << 22;

  /** How a queue pair or its peer became known. */
  enum Origin {
    MARK("marks"),
    CONNECTION_MANAGEMENT("connection management"),
    INFERENCE("matching PSNs"),
    TRAFFIC("traffic alone");

    private final String phrase;

    Origin(String phrase) {
      this.phrase = phrase;
    }

    String phrase() {
      return phrase;
    }
  }

  /** A number on a host. */
  record Place(String host, int number) {}

  /** One queue pair: one of those that bore its number. */
  static final class QueuePair {
    final String host;
    final QueuePairId id;
    final Origin origin;
    Origin pairedBy;
    QueuePair peer;
    OptionalInt receivePsn = OptionalInt.empty();
    OptionalInt sendPsn = OptionalInt.empty();
    OptionalInt mtu = OptionalInt.empty();

    /** PSN of the last request addressed to it, -1 before the first. */
    int lastRequestPsn = -1;

    /** Whether its own host has said that it was connected. */
    boolean declared;

    /** Whether its {@code qp.connect} is written. */
    boolean connectWritten;

    private QueuePair(String host, QueuePairId id, Origin origin) {
      this.host = host;
      this.id = id;
      this.origin = origin;
    }

    QueuePairAddress address() {
      return new QueuePairAddress(host, id);
    }

    /** A PSN that requests to it, or responses to it, are near; empty where none is known. */
    private OptionalInt psnNear(boolean request) {
      if (request) {
        return lastRequestPsn >= 0 ? OptionalInt.of(lastRequestPsn) : receivePsn;
      }
      if (peer != null && peer.lastRequestPsn >= 0) {
        return OptionalInt.of(peer.lastRequestPsn);
      }
      return sendPsn;
    }

    @Override
    public String toString() {
      return address().toString();
    }
  }

  private final Map<Place, List<QueuePair>> byPlace = new HashMap<>();
  private final List<QueuePair> all = new ArrayList<>();
  private long latePackets;

  /** All queue pairs in the order they became known. */
  List<QueuePair> all() {
    return all;
  }

  /** Packets given to an earlier queue pair of their number than the newest. */
  long latePackets() {
    return latePackets;
  }

  /** The newest queue pair of that number, or null. */
  QueuePair newest(String host, int number) {
    List<QueuePair> known = byPlace.get(new Place(host, number));
    return known == null ? null : known.get(known.size() - 1);
  }

  /** All queue pairs of that number, oldest first. */
  List<QueuePair> of(String host, int number) {
    return byPlace.getOrDefault(new Place(host, number), List.of());
  }

  /** A new queue pair of that number. */
  QueuePair begin(String host, int number, Origin origin) {
    List<QueuePair> known =
        byPlace.computeIfAbsent(new Place(host, number), place -> new ArrayList<>());
    QueuePair made = new QueuePair(host, new QueuePairId(number, known.size() + 1), origin);
    known.add(made);
    all.add(made);
    return made;
  }

  /** Makes two queue pairs each other's peers. */
  static void pair(QueuePair one, QueuePair other, Origin how) {
    one.peer = other;
    other.peer = one;
    one.pairedBy = how;
    other.pairedBy = how;
  }

  /**
   * The queue pair that a packet is addressed to: the newest bearer of the number, unless the
   * packet is late. It is late if its PSN comes before the first of the newest connection and fits
   * the bearer before, or if it is farther from the newest one's PSNs than packets in flight are
   * and nearer to those of the bearer before.
   */
  QueuePair addressed(String host, int number, int psn, boolean request) {
    QueuePair newest = newest(host, number);
    if (newest == null) {
      newest = begin(host, number, Origin.TRAFFIC);
    }
    QueuePair chosen = newest;
    List<QueuePair> known = of(host, number);
    if (known.size() > 1) {
      QueuePair before = known.get(known.size() - 2);
      if (isLate(psn, newest, before, request)) {
        chosen = before;
        latePackets++;
      }
    }
    if (request) {
      chosen.lastRequestPsn = psn;
    }
    return chosen;
  }

  private static boolean isLate(int psn, QueuePair newest, QueuePair before, boolean request) {
    OptionalInt near = newest.psnNear(request);
    OptionalInt nearBefore = before.psnNear(request);
    if (near.isEmpty() || nearBefore.isEmpty()) {
      return false;
    }
    int away = distance(psn, near.getAsInt());
    int awayBefore = distance(psn, nearBefore.getAsInt());
    OptionalInt first = request ? newest.receivePsn : newest.sendPsn;
    boolean beforeFirst =
        first.isPresent()
            && difference(psn, first.getAsInt()) < 0
            && distance(near.getAsInt(), first.getAsInt()) < YOUNG_CONNECTION;
    return beforeFirst && awayBefore <= MOST_IN_FLIGHT
        || away > MOST_IN_FLIGHT && awayBefore < away;
  }

  /** How far two PSNs are apart, either way round. */
  private static int distance(int one, int other) {
    return Math.abs(difference(one, other));
  }

  /** {@code one - other} on the circle of PSNs, from -2^23 to 2^23 - 1. */
  static int difference(int one, int other) {
    return (one - other & PSN_MASK) << 8 >> 8;
  }
}
