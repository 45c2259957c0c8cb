package org.mrcheck.rnic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceEvent.CallStatus;
import org.mrcheck.lang.trace.TraceEvent.CheckVerdict;
import org.mrcheck.lang.trace.TraceSink;

/**
 * Puts the records of all {@link TraceBuffer}s into one order, numbers them 1, 2, 3, ... and hands
 * them on. Of one thread.
 *
 * <h2>The order</h2>
 *
 * <p>It keeps three others. (1) The order of each thread. (2) The order in which the events of a
 * {@link TraceOrder} took their stamps, which is where it matters what came first between threads
 * that share no lock. (3) Whatever happened before: if one thread heard of another's event, by
 * whatever means, its later events stand behind it.
 *
 * <p>Events are taken by their stamps, the least first. Stamps go up along (1) and (2) because a
 * stamp is greater than the last of its thread and of its object, and along (3) because the clock
 * does not go back between two threads of which one has heard of the other. What has to be shown is
 * that nothing that belongs in front comes too late:
 *
 * <ul>
 *   <li>(2): a record names the stamp before it of its object. If that one was not handed on yet,
 *       it is under way, for a thread waits for nothing between stamp and publication; so the
 *       merger waits.
 *   <li>(1), (3): each round looks at all buffers twice and hands on only what the first look saw.
 *       If A happened before B and the first look saw B, the second sees A, because A was published
 *       before B was written. Among all that the second look saw, the least stamp goes first.
 * </ul>
 *
 * <p>Two events of different threads and objects that know nothing of each other may stand either
 * way round, as they may have happened. Where stamps are equal, which takes a clock that ticks more
 * slowly than threads hand things over, a {@code tx} goes before and an {@code rx} behind.
 */
final class TraceMerger {
  static final int REG_CALL = 1;
  static final int REG = 2;
  static final int DEREG_CALL = 3;
  static final int DEREG_RETURN = 4;
  static final int CHECK = 5;
  static final int DMA_READ = 6;
  static final int DMA_WRITE = 7;
  static final int TX = 8;
  static final int RX = 9;
  static final int ACK = 10;
  static final int NAK = 11;

  /** A function from a stamp to the event, as a reference. */
  static final int OTHER = 12;

  static final int HAS_ACCESS = 1;
  static final int HAS_INVALIDATE = 1 << 1;
  static final int HAS_SYNDROME = 1 << 2;
  static final int HAS_MSN = 1 << 3;
  static final int HAS_COMPARE = 1 << 4;
  static final int HAS_SWAP = 1 << 5;
  static final int HAS_ORIGINAL = 1 << 6;
  static final int ACK_REQUEST = 1 << 7;
  static final int ICRC_SHIFT = 8;
  static final int REFUSED = 1;
  static final int HAS_CAUSE = 1 << 1;
  static final int HAS_REGION = 1 << 2;
  static final int ACCESS_SHIFT = 3;

  private static final AccessKind[] ACCESSES = AccessKind.values();
  private static final Icrc[] ICRCS = Icrc.values();

  /** One buffer as the merger sees it. */
  private static final class Source {
    final TraceBuffer buffer;
    long position;
    long references;

    /** What the first look saw. */
    long certain;

    /** What the second look saw. */
    long visible;

    Source(TraceBuffer buffer) {
      this.buffer = buffer;
    }

    long stamp() {
      return buffer.word(position + 1);
    }

    int rank() {
      int kind = (int) buffer.word(position) & 0xff;
      return kind == TX ? 0 : kind == RX ? 2 : 1;
    }
  }

  private final Supplier<List<TraceBuffer>> buffers;
  private final Function<Integer, Actor> actors;
  private final TraceSink sink;
  private final long epochNanos;
  private final List<Source> sources = new ArrayList<>();
  private final List<TraceBuffer> known = new ArrayList<>();

  /** The last stamp handed on of every object. */
  private long[] lastOfOrder = new long[1024];

  private long handedOn;
  private boolean gap;

  /**
   * A merger.
   *
   * @param buffers the buffers that there are now; never loses one that has unread records
   * @param actors by number
   * @param epochNanos what a stamp is to be shifted by to become a time in the trace
   */
  TraceMerger(
      Supplier<List<TraceBuffer>> buffers,
      Function<Integer, Actor> actors,
      TraceSink sink,
      long epochNanos) {
    this.buffers = buffers;
    this.actors = actors;
    this.sink = sink;
    this.epochNanos = epochNanos;
  }

  /** Events handed on so far. */
  long handedOn() {
    return handedOn;
  }

  /** Whether the last round ended because a record that belongs in front is under way. */
  boolean hasGap() {
    return gap;
  }

  /** Hands on what can be; returns how many events that was. */
  int round() {
    for (Source source : sources) {
      source.certain = source.buffer.published();
    }
    adopt();
    for (Source source : sources) {
      source.visible = source.buffer.published();
    }
    int count = 0;
    gap = false;
    boolean more = true;
    while (more) {
      Source first = null;
      long least = Long.MAX_VALUE;
      long second = Long.MAX_VALUE;
      for (int i = 0; i < sources.size(); i++) {
        Source source = sources.get(i);
        if (source.position < source.visible) {
          long stamp = source.stamp();
          if (first == null || stamp < least || stamp == least && source.rank() < first.rank()) {
            second = first == null ? second : least;
            least = stamp;
            first = source;
          } else if (stamp < second) {
            second = stamp;
          }
        }
      }
      if (first == null) {
        break;
      }
      do {
        if (first.position >= first.certain || !isNext(first)) {
          gap = first.position < first.certain;
          more = false;
          break;
        }
        handOn(first);
        count++;
      } while (first.position < first.visible && first.stamp() < second);
      first.buffer.consumed(first.position);
    }
    return count;
  }

  /**
   * Hands on the event that {@link #hasGap} waits in front of, and says that something is missing
   * there. For the end of a recording whose thread died in the middle of a trace point.
   */
  void skipGap() {
    for (Source source : sources) {
      if (source.position < source.visible && !isNext(source)) {
        long stamp = source.stamp();
        sink.accept(
            new TraceEvent.Lost(
                new Stamp(
                    ++handedOn, epochNanos + stamp, actorOf(source.buffer.word(source.position))),
                0));
        int order = (int) source.buffer.word(source.position + 3);
        lastOfOrder[order] = source.buffer.word(source.position + 2);
        return;
      }
    }
  }

  /** Forgets buffers of threads that have ended; returns those. */
  List<TraceBuffer> abandoned() {
    List<TraceBuffer> gone = new ArrayList<>();
    sources.removeIf(
        source -> {
          boolean over =
              source.buffer.isAbandoned() && source.position == source.buffer.published();
          if (over) {
            gone.add(source.buffer);
            known.remove(source.buffer);
          }
          return over;
        });
    return gone;
  }

  private void adopt() {
    List<TraceBuffer> now = buffers.get();
    for (TraceBuffer buffer : now) {
      if (!known.contains(buffer)) {
        known.add(buffer);
        sources.add(new Source(buffer));
      }
    }
  }

  private boolean isNext(Source source) {
    int order = (int) source.buffer.word(source.position + 3);
    if (order == 0) {
      return true;
    }
    if (order >= lastOfOrder.length) {
      lastOfOrder = Arrays.copyOf(lastOfOrder, Math.max(order + 1, 2 * lastOfOrder.length));
    }
    return lastOfOrder[order] == source.buffer.word(source.position + 2);
  }

  private Actor actorOf(long firstWord) {
    return actors.apply((int) (firstWord >>> 32));
  }

  private void handOn(Source source) {
    TraceBuffer buffer = source.buffer;
    long at = source.position;
    long first = buffer.word(at);
    long stampWord = buffer.word(at + 1);
    long orderWord = buffer.word(at + 3);
    int order = (int) orderWord;
    if (order != 0) {
      lastOfOrder[order] = stampWord;
    }
    int kind = (int) first & 0xff;
    int flags = (int) (first >>> 16) & 0xffff;
    int detail = (int) (orderWord >>> 32);
    Stamp stamp = new Stamp(++handedOn, epochNanos + stampWord, actorOf(first));
    TraceEvent event =
        switch (kind) {
          case REG_CALL ->
              new TraceEvent.RegCall(stamp, buffer.word(at + 4), new MemoryKey(detail));
          case REG -> reg(buffer, at, stamp, detail);
          case DEREG_CALL ->
              new TraceEvent.DeregCall(stamp, buffer.word(at + 4), new MemoryKey(detail));
          case DEREG_RETURN ->
              new TraceEvent.DeregReturn(
                  stamp, buffer.word(at + 4), new MemoryKey(detail), CallStatus.values()[flags]);
          case CHECK -> check(source, at, stamp, detail, flags);
          case DMA_READ ->
              new TraceEvent.DmaRead(
                  stamp,
                  qp(buffer.word(at + 4)),
                  detail,
                  buffer.word(at + 5),
                  new MemoryKey((int) buffer.word(at + 6)),
                  buffer.word(at + 7),
                  buffer.word(at + 6) >>> 32,
                  OptionalLong.of(buffer.word(at + 8)));
          case DMA_WRITE ->
              new TraceEvent.DmaWrite(
                  stamp,
                  qp(buffer.word(at + 4)),
                  detail,
                  buffer.word(at + 5),
                  new MemoryKey((int) buffer.word(at + 6)),
                  buffer.word(at + 7),
                  buffer.word(at + 6) >>> 32,
                  OptionalLong.of(buffer.word(at + 8)));
          case TX -> new TraceEvent.Tx(stamp, qp(buffer.word(at + 4)), packet(buffer, at, flags));
          case RX -> new TraceEvent.Rx(stamp, qp(buffer.word(at + 4)), packet(buffer, at, flags));
          case ACK ->
              new TraceEvent.Ack(
                  stamp,
                  qp(buffer.word(at + 4)),
                  detail,
                  (int) buffer.word(at + 5),
                  new Syndrome(flags));
          case NAK ->
              new TraceEvent.Nak(
                  stamp,
                  qp(buffer.word(at + 4)),
                  detail,
                  (int) buffer.word(at + 5),
                  new Syndrome(flags));
          case OTHER -> other(source, stamp);
          default -> throw new IllegalStateException("kind=" + kind);
        };
    source.position = at + (first >>> 8 & 0xff);
    sink.accept(event);
  }

  private static QueuePairId qp(long word) {
    return new QueuePairId((int) word, (int) (word >>> 32));
  }

  private static TraceEvent reg(TraceBuffer buffer, long at, Stamp stamp, int key) {
    long keyAndRights = buffer.word(at + 8);
    return new TraceEvent.Reg(
        stamp,
        buffer.word(at + 4),
        buffer.word(at + 5),
        new MemoryKey(key),
        new MemoryKey((int) keyAndRights),
        buffer.word(at + 6),
        buffer.word(at + 7),
        new AccessFlags((int) (keyAndRights >>> 32)),
        Optional.empty());
  }

  private static TraceEvent check(Source source, long at, Stamp stamp, int psn, int flags) {
    TraceBuffer buffer = source.buffer;
    long keyAndLength = buffer.word(at + 5);
    Optional<String> cause = Optional.empty();
    if ((flags & HAS_CAUSE) != 0) {
      cause = Optional.of((String) buffer.takeReference(source.references++));
    }
    return new TraceEvent.Check(
        stamp,
        qp(buffer.word(at + 4)),
        psn,
        ACCESSES[flags >>> ACCESS_SHIFT],
        new MemoryKey((int) keyAndLength),
        buffer.word(at + 6),
        buffer.word(at + 7),
        buffer.word(at + 8),
        (flags & REFUSED) == 0 ? CheckVerdict.ACCEPT : CheckVerdict.REFUSE,
        cause,
        (flags & HAS_REGION) == 0 ? OptionalLong.empty() : OptionalLong.of(buffer.word(at + 9)));
  }

  @SuppressWarnings("unchecked")
  private static TraceEvent other(Source source, Stamp stamp) {
    Object builder = source.buffer.takeReference(source.references++);
    return ((Function<Stamp, TraceEvent>) builder).apply(stamp);
  }

  private static Packet packet(TraceBuffer buffer, long at, int flags) {
    long psnAndOpcode = buffer.word(at + 5);
    long next = at + 6;
    Optional<RemoteAccess> access = Optional.empty();
    Optional<MemoryKey> invalidate = Optional.empty();
    Optional<Syndrome> syndrome = Optional.empty();
    OptionalInt msn = OptionalInt.empty();
    OptionalLong compare = OptionalLong.empty();
    OptionalLong swap = OptionalLong.empty();
    OptionalLong original = OptionalLong.empty();
    if ((flags & HAS_ACCESS) != 0) {
      long keyAndLength = buffer.word(next);
      access =
          Optional.of(
              new RemoteAccess(
                  new MemoryKey((int) keyAndLength), buffer.word(next + 1), keyAndLength >>> 32));
      next += 2;
    }
    if ((flags & HAS_INVALIDATE) != 0) {
      invalidate = Optional.of(new MemoryKey((int) buffer.word(next++)));
    }
    if ((flags & (HAS_SYNDROME | HAS_MSN)) != 0) {
      long aeth = buffer.word(next++);
      if ((flags & HAS_SYNDROME) != 0) {
        syndrome = Optional.of(new Syndrome((int) aeth));
      }
      if ((flags & HAS_MSN) != 0) {
        msn = OptionalInt.of((int) (aeth >>> 32));
      }
    }
    if ((flags & HAS_COMPARE) != 0) {
      compare = OptionalLong.of(buffer.word(next++));
    }
    if ((flags & HAS_SWAP) != 0) {
      swap = OptionalLong.of(buffer.word(next++));
    }
    if ((flags & HAS_ORIGINAL) != 0) {
      original = OptionalLong.of(buffer.word(next));
    }
    return new Packet(
        new Opcode((int) (psnAndOpcode >>> 24) & 0xff),
        (int) psnAndOpcode & 0xff_ffff,
        (flags & ACK_REQUEST) != 0,
        (int) (psnAndOpcode >>> 32),
        access,
        invalidate,
        syndrome,
        msn,
        compare,
        swap,
        original,
        ICRCS[flags >>> ICRC_SHIFT]);
  }
}
