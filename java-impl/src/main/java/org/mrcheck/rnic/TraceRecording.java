package org.mrcheck.rnic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceEvent.CallStatus;
import org.mrcheck.lang.trace.TraceEvent.CheckVerdict;
import org.mrcheck.lang.trace.TraceEvent.Mover;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.TraceHeader.Completeness;
import org.mrcheck.lang.trace.TraceHeader.Host;
import org.mrcheck.lang.trace.TraceHeader.Observation;
import org.mrcheck.lang.trace.TraceSink;
import org.mrcheck.lang.trace.text.TraceWriter;

/**
 * Where the trace points of one or more devices go. The devices of one recording share its
 * numbering, so that their events stand in one order.
 *
 * <p>A trace point takes the next number with one atomic increment and puts its event into a ring
 * at the place of that number; a background thread hands the events to the sink in the order of
 * their numbers. So numbers have no holes, and the order of two events is that of their increments:
 * if the first trace call happened before the second, so does its event. Nothing is lost: a trace
 * point that runs into a full ring waits for the background thread, which waits for no device. If
 * the sink fails, recording stops, the devices go on, and {@link #close} reports it.
 *
 * <p>Close the devices first, then their recording.
 */
public final class TraceRecording implements AutoCloseable {
  private static final int RING = 1 << 16;
  private static final TraceRecording NOTHING = new TraceRecording();

  private final TracePoints points;
  private final AtomicLong lastNumber = new AtomicLong();
  private final AtomicReferenceArray<TraceEvent> ring;
  private final Thread writer;
  private final TraceSink sink;
  private final Ending ending;
  private final long epochNanos;

  /** Number of the last event handed to the sink; written by the writer alone. */
  private volatile long handedOver;

  /** Set when nothing more will be taken: the sink failed, or the recording is closed. */
  private volatile boolean stopped;

  private volatile boolean closing;
  private volatile Exception failure;

  private TraceRecording() {
    points = TracePoints.OFF;
    ring = null;
    writer = null;
    sink = null;
    ending = null;
    epochNanos = 0;
  }

  /** What is to be done when nothing more comes. */
  private interface Ending {
    void end(boolean whole) throws IOException;
  }

  private TraceRecording(TraceSink sink, Ending ending) {
    points = new Points();
    ring = new AtomicReferenceArray<>(RING);
    this.sink = sink;
    this.ending = ending;
    Instant now = Instant.now();
    epochNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano() - System.nanoTime();
    writer = new Thread(this::write, "trace-writer");
    writer.setDaemon(true);
    writer.start();
  }

  /** Records nothing, at no cost. */
  public static TraceRecording off() {
    return NOTHING;
  }

  /** Hands every event to the sink, in order, always on the same background thread. */
  public static TraceRecording into(TraceSink sink) {
    return new TraceRecording(sink, whole -> {});
  }

  /**
   * Writes a trace as text. The file bears its name only once {@link #close} has written it whole;
   * until then it has a temporary name beside it.
   *
   * @throws IOException if the file cannot be made
   */
  public static TraceRecording toFile(Path file, TraceHeader header) throws IOException {
    TraceWriter writer = TraceWriter.create(file, header);
    return new TraceRecording(
        writer,
        whole -> {
          if (whole) {
            writer.close();
          } else {
            writer.discard();
          }
        });
  }

  /**
   * The header of a recording of soft RNICs: every class of events that they trace is complete.
   *
   * @param source what was run, for people
   * @param hosts the devices' hosts
   * @param attributes declared properties of the recording
   */
  public static TraceHeader header(
      String source, List<String> hosts, Map<String, String> attributes) {
    List<Observation> observed = new ArrayList<>();
    for (EventClass eventClass :
        List.of(
            EventClass.REGISTRATION,
            EventClass.POSTING,
            EventClass.WIRE,
            EventClass.CHECK,
            EventClass.DMA,
            EventClass.QUEUE_PAIR)) {
      observed.add(new Observation(eventClass, "*", Completeness.COMPLETE));
    }
    return new TraceHeader(
        TraceHeader.CURRENT_VERSION,
        hosts.stream()
            .map(host -> new Host(host, ProcessHandle.current().pid(), 1, "monotonic", "little"))
            .toList(),
        Optional.of("memory"),
        Optional.of(source),
        List.copyOf(observed),
        Map.copyOf(attributes));
  }

  /** The events numbered so far. */
  public long events() {
    return lastNumber.get();
  }

  TracePoints points() {
    return points;
  }

  boolean isOff() {
    return points == TracePoints.OFF;
  }

  /**
   * Writes what was numbered and closes the sink. What devices trace after this is not recorded.
   *
   * @throws UncheckedIOException if the trace could not be written; then there is no file
   * @throws IllegalStateException if the sink failed in another way; the cause says how
   */
  @Override
  public void close() {
    if (isOff()) {
      return;
    }
    closing = true;
    LockSupport.unpark(writer);
    boolean interrupted = false;
    while (writer.isAlive()) {
      try {
        writer.join();
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    Exception failed = failure;
    if (failed instanceof UncheckedIOException unchecked) {
      throw new UncheckedIOException("the trace could not be written", unchecked.getCause());
    }
    if (failed instanceof IOException io) {
      throw new UncheckedIOException("the trace could not be written", io);
    }
    if (failed != null) {
      throw new IllegalStateException("the trace could not be written: " + failed, failed);
    }
  }

  private void write() {
    try {
      long next = 1;
      int idle = 0;
      while (true) {
        int place = (int) next & RING - 1;
        TraceEvent event = ring.getAcquire(place);
        if (event != null) {
          ring.setRelease(place, null);
          sink.accept(event);
          handedOver = next;
          next++;
          idle = 0;
        } else if (closing && next > lastNumber.get()) {
          break;
        } else if (idle++ < 20) {
          Thread.yield();
        } else {
          LockSupport.parkNanos(50_000);
        }
      }
      stopped = true;
    } catch (RuntimeException | Error problem) {
      failure = problem instanceof Exception exception ? exception : new Exception(problem);
      stopped = true;
    }
    try {
      ending.end(failure == null);
    } catch (IOException | RuntimeException problem) {
      if (failure == null) {
        failure = problem;
      }
    }
  }

  private Stamp next(Actor actor) {
    long number = lastNumber.incrementAndGet();
    return new Stamp(number, epochNanos + System.nanoTime(), actor);
  }

  private void put(TraceEvent event) {
    long number = event.stamp().seq();
    while (number - handedOver > RING && !stopped) {
      LockSupport.parkNanos(20_000);
    }
    if (!stopped) {
      ring.setRelease((int) number & RING - 1, event);
    }
  }

  /** Builds the records. */
  private final class Points implements TracePoints {
    @Override
    public void regCall(Actor actor, long mr, MemoryKey key) {
      put(new TraceEvent.RegCall(next(actor), mr, key));
    }

    @Override
    public void reg(Actor actor, MemoryRegion region) {
      put(
          new TraceEvent.Reg(
              next(actor),
              region.number(),
              region.pd().number(),
              region.rkey(),
              region.lkey(),
              region.iova(),
              region.length(),
              region.rights(),
              Optional.empty()));
    }

    @Override
    public void deregCall(Actor actor, long mr, MemoryKey key) {
      put(new TraceEvent.DeregCall(next(actor), mr, key));
    }

    @Override
    public void deregReturn(Actor actor, long mr, MemoryKey key) {
      put(new TraceEvent.DeregReturn(next(actor), mr, key, CallStatus.OK));
    }

    @Override
    public void check(
        Actor actor,
        QueuePairId qp,
        int psn,
        AccessKind access,
        MemoryKey key,
        long va,
        long length,
        long remaining,
        CheckVerdict verdict,
        String cause,
        MemoryRegion region) {
      put(
          new TraceEvent.Check(
              next(actor),
              qp,
              psn,
              access,
              key,
              va,
              length,
              remaining,
              verdict,
              Optional.ofNullable(cause),
              region == null ? OptionalLong.empty() : OptionalLong.of(region.number())));
    }

    @Override
    public void dmaRead(
        Actor actor, QueuePairId qp, int psn, MemoryRegion region, long va, long length) {
      put(new TraceEvent.DmaRead(next(actor), qp, psn, region.number(), region.rkey(), va, length));
    }

    @Override
    public void dmaWrite(
        Actor actor, QueuePairId qp, int psn, MemoryRegion region, long va, long length) {
      put(
          new TraceEvent.DmaWrite(
              next(actor), qp, psn, region.number(), region.rkey(), va, length));
    }

    @Override
    public void tx(Actor actor, QueuePairId qp, Packet packet) {
      put(new TraceEvent.Tx(next(actor), qp, packet));
    }

    @Override
    public void rx(Actor actor, QueuePairId qp, Packet packet) {
      put(new TraceEvent.Rx(next(actor), qp, packet));
    }

    @Override
    public void ack(Actor actor, QueuePairId qp, int psn, int msn, Syndrome syndrome) {
      put(new TraceEvent.Ack(next(actor), qp, psn, msn, syndrome));
    }

    @Override
    public void nak(Actor actor, QueuePairId qp, int psn, int msn, Syndrome syndrome) {
      put(new TraceEvent.Nak(next(actor), qp, psn, msn, syndrome));
    }

    @Override
    public void post(Actor actor, QueuePairId qp, WorkRequest request, boolean signaled) {
      put(
          new TraceEvent.Post(
              next(actor),
              qp,
              request.id(),
              request.operation(),
              request.remote(),
              request.lkey(),
              request.invalidated(),
              request.length(),
              signaled));
    }

    @Override
    public void srqPost(Actor actor, long srq, ReceiveRequest request) {
      put(
          new TraceEvent.SrqPost(
              next(actor), srq, request.id(), Optional.of(request.lkey()), request.length()));
    }

    @Override
    public void postReceive(Actor actor, QueuePairId qp, ReceiveRequest request) {
      put(
          new TraceEvent.Post(
              next(actor),
              qp,
              request.id(),
              TraceEvent.WorkOperation.RECV,
              Optional.empty(),
              Optional.of(request.lkey()),
              request.length()));
    }

    @Override
    public void wc(Actor actor, WorkCompletion completion) {
      put(
          new TraceEvent.Wc(
              next(actor),
              completion.qp(),
              completion.workRequestId(),
              completion.status(),
              completion.operation(),
              OptionalInt.empty(),
              completion.length(),
              completion.invalidated()));
    }

    @Override
    public void qpCreate(
        Actor actor, QueuePairId qp, long pd, AccessFlags rights, OptionalLong srq) {
      put(new TraceEvent.QpCreate(next(actor), qp, pd, rights, srq));
    }

    @Override
    public void qpConnect(
        Actor actor, QueuePairId qp, QueuePairAddress peer, int receivePsn, int sendPsn, int mtu) {
      put(
          new TraceEvent.QpConnect(
              next(actor),
              qp,
              Optional.of(peer),
              OptionalInt.of(receivePsn),
              OptionalInt.of(sendPsn),
              OptionalInt.of(mtu)));
    }

    @Override
    public void qpState(Actor actor, QueuePairId qp, QueuePairState state, Mover by) {
      put(new TraceEvent.QpState(next(actor), qp, state, Optional.of(by)));
    }

    @Override
    public void qpDestroy(Actor actor, QueuePairId qp) {
      put(new TraceEvent.QpDestroy(next(actor), qp, CallStatus.OK));
    }

    @Override
    public void async(Actor actor, Optional<QueuePairId> qp, String event) {
      put(new TraceEvent.Async(next(actor), qp, event));
    }
  }

  /** The events of the common list that the device never emits, because it lacks the feature. */
  public static List<EventName> notEmittedYet() {
    return List.of(
        EventName.REREG_CALL,
        EventName.REREG_RETURN,
        EventName.BIND_CALL,
        EventName.BIND_RETURN,
        EventName.INV_CALL,
        EventName.INV_RETURN,
        EventName.CACHE_FILL,
        EventName.CACHE_HIT,
        EventName.CACHE_INVAL,
        EventName.PIN,
        EventName.UNPIN,
        EventName.MW_ALLOC,
        EventName.MW_DEALLOC_CALL,
        EventName.MW_DEALLOC_RETURN,
        EventName.PD_ALLOC,
        EventName.PD_DEALLOC,
        EventName.LOST);
  }
}
