package org.mrcheck.rnic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
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
import org.mrcheck.lang.trace.RemoteAccess;
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
 * <p>A trace point writes some words into a buffer of its thread. A background thread puts the
 * buffers' events into one order, numbers them 1, 2, 3, ... without holes and hands them to the
 * sink; {@link TraceMerger} says which order that is and why. Nothing is lost: a trace point that
 * runs into a full buffer waits for the background thread, which waits for no device. If the sink
 * fails, recording stops, the devices go on, and {@link #close} reports it. If the process is
 * killed, what the sink has got is a beginning of the trace that lacks nothing.
 *
 * <p>Close the devices first, then their recording.
 */
public final class TraceRecording implements AutoCloseable {
  private static final long FLUSH_NANOS = 20_000_000;
  private static final long GIVE_UP_NANOS = 2_000_000_000;
  private static final TraceRecording NOTHING = new TraceRecording();

  private final TracePoints points;
  private final ThreadLocal<TraceBuffer> buffer;
  private final List<TraceBuffer> buffers = new CopyOnWriteArrayList<>();

  /** Of buffers that are gone from the list; guarded by the list's monitor. */
  private long eventsOfEndedThreads;

  private final AtomicInteger lastOrder = new AtomicInteger();
  private final Map<Actor, Integer> actorNumbers = new ConcurrentHashMap<>();
  private volatile Actor[] actors = new Actor[0];
  private final TraceMerger merger;
  private final Thread writer;
  private final Output output;

  /** Set when nothing more will be taken: the sink failed, or the recording is closed. */
  private volatile boolean stopped;

  private volatile boolean closing;
  private volatile Exception failure;

  private TraceRecording() {
    points = TracePoints.OFF;
    buffer = null;
    merger = null;
    writer = null;
    output = null;
  }

  /** What is to be done with what the sink has got. */
  private interface Output {
    /** Nothing: the sink is somebody else's. */
    Output NONE =
        new Output() {
          @Override
          public void flush() {}

          @Override
          public void end(boolean whole) {}
        };

    /** Makes it survive the process. */
    void flush() throws IOException;

    /** Nothing more comes. */
    void end(boolean whole) throws IOException;
  }

  private TraceRecording(TraceSink sink, Output output, Scheduler scheduler) {
    points = new Points();
    this.output = output;
    buffer = ThreadLocal.withInitial(() -> newBuffer(scheduler::nanoTime));
    long epochNanos = 0;
    if (scheduler.isFree()) {
      Instant now = Instant.now();
      epochNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano() - System.nanoTime();
    }
    merger = new TraceMerger(() -> buffers, number -> actors[number], sink, epochNanos);
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
    return into(sink, Scheduler.free());
  }

  /**
   * Hands every event to the sink, in order, always on the same background thread. The scheduler is
   * that of the devices; its clock gives the times of the events.
   */
  public static TraceRecording into(TraceSink sink, Scheduler scheduler) {
    return new TraceRecording(sink, Output.NONE, scheduler);
  }

  /**
   * Hands every event to the writer and has it flush now and then, so that what was recorded
   * survives a killed process. The writer is the caller's to close or to discard.
   */
  public static TraceRecording into(TraceWriter writer, Scheduler scheduler) {
    return new TraceRecording(
        writer,
        new Output() {
          @Override
          public void flush() throws IOException {
            writer.flush();
          }

          @Override
          public void end(boolean whole) {}
        },
        scheduler);
  }

  /**
   * Writes a trace as text. The file bears its name only once {@link #close} has written it whole;
   * until then it has a temporary name beside it. A killed process leaves the temporary file, a
   * beginning of the trace that can be checked.
   *
   * @throws IOException if the file cannot be made
   */
  public static TraceRecording toFile(Path file, TraceHeader header) throws IOException {
    TraceWriter writer = TraceWriter.create(file, header);
    return new TraceRecording(
        writer,
        new Output() {
          @Override
          public void flush() throws IOException {
            writer.flush();
          }

          @Override
          public void end(boolean whole) throws IOException {
            if (whole) {
              writer.close();
            } else {
              writer.discard();
            }
          }
        },
        Scheduler.free());
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
            EventClass.CACHE,
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

  /** The events traced so far. */
  public long events() {
    synchronized (buffers) {
      long events = eventsOfEndedThreads;
      for (TraceBuffer each : buffers) {
        events += each.events();
      }
      return events;
    }
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
      int idle = 0;
      long lastFlush = System.nanoTime();
      long closedAt = 0;
      boolean flushed = true;
      while (true) {
        boolean last = closing;
        int count = merger.round();
        if (count > 0) {
          idle = 0;
          flushed = false;
        } else if (last && !merger.hasGap()) {
          break;
        } else if (last) {
          long now = System.nanoTime();
          closedAt = closedAt == 0 ? now : closedAt;
          if (now - closedAt > GIVE_UP_NANOS) {
            merger.skipGap();
          }
          Thread.yield();
        } else if (idle++ < 20) {
          Thread.yield();
        } else {
          forget(merger.abandoned());
          LockSupport.parkNanos(50_000);
        }
        if (!flushed && System.nanoTime() - lastFlush > FLUSH_NANOS) {
          output.flush();
          lastFlush = System.nanoTime();
          flushed = true;
        }
      }
    } catch (IOException | RuntimeException | Error problem) {
      failure = problem instanceof Exception exception ? exception : new Exception(problem);
    }
    stopped = true;
    try {
      output.end(failure == null);
    } catch (IOException | RuntimeException problem) {
      if (failure == null) {
        failure = problem;
      }
    }
  }

  private void forget(List<TraceBuffer> gone) {
    synchronized (buffers) {
      for (TraceBuffer each : gone) {
        eventsOfEndedThreads += each.events();
        buffers.remove(each);
      }
    }
  }

  private TraceBuffer newBuffer(LongSupplier clock) {
    TraceBuffer created = new TraceBuffer(this, clock);
    buffers.add(created);
    return created;
  }

  boolean isStopped() {
    return stopped;
  }

  /** A number for an object that orders events. */
  int nextOrder() {
    return isOff() ? 0 : lastOrder.incrementAndGet();
  }

  int numberOf(Actor actor) {
    Integer number = actorNumbers.get(actor);
    if (number != null) {
      return number;
    }
    synchronized (actorNumbers) {
      return actorNumbers.computeIfAbsent(
          actor,
          added -> {
            Actor[] longer = Arrays.copyOf(actors, actors.length + 1);
            longer[actors.length] = added;
            actors = longer;
            return actors.length - 1;
          });
    }
  }

  /** Writes the records of the calling thread; what is frequent as words, the rest as objects. */
  private final class Points implements TracePoints {
    /**
     * Records an event that is not frequent.
     *
     * @param order the object it is ordered by, where several threads may trace about it without a
     *     common lock; otherwise null
     * @param event makes the event, later and on another thread: it must read nothing that changes
     */
    private void put(Actor actor, TraceOrder order, Function<Stamp, TraceEvent> event) {
      TraceBuffer to = buffer.get();
      if (to.begin(TraceMerger.OTHER, 0, actor, order, 0, TraceBuffer.HEADER_WORDS)) {
        to.put(event);
        to.end();
      }
    }

    private static long word(QueuePairId qp) {
      return qp.number() | (long) qp.incarnation() << 32;
    }

    @Override
    public void regCall(Actor actor, KeyEntry entry, Optional<QueuePairId> qp) {
      if (qp.isPresent()) {
        put(
            actor,
            entry.slot(),
            stamp -> new TraceEvent.RegCall(stamp, entry.number(), entry.rkey(), qp));
        return;
      }
      TraceBuffer to = buffer.get();
      int key = entry.rkey().bits();
      if (to.begin(TraceMerger.REG_CALL, 0, actor, entry.slot(), key, 5)) {
        to.put(entry.number());
        to.end();
      }
    }

    @Override
    public void reg(Actor actor, KeyEntry entry, Optional<QueuePairId> qp) {
      if (qp.isPresent()) {
        put(
            actor,
            entry.slot(),
            stamp ->
                new TraceEvent.Reg(
                    stamp,
                    entry.number(),
                    entry.pd().number(),
                    entry.rkey(),
                    entry.lkey(),
                    entry.va(),
                    entry.length(),
                    entry.rights(),
                    qp,
                    Optional.empty()));
        return;
      }
      TraceBuffer to = buffer.get();
      int key = entry.rkey().bits();
      if (to.begin(TraceMerger.REG, 0, actor, entry.slot(), key, 9)) {
        to.put(entry.number());
        to.put(entry.pd().number());
        to.put(entry.va());
        to.put(entry.length());
        to.put(Integer.toUnsignedLong(entry.lkey().bits()) | (long) entry.rights().bits() << 32);
        to.end();
      }
    }

    @Override
    public void deregCall(Actor actor, KeyEntry entry) {
      TraceBuffer to = buffer.get();
      int key = entry.rkey().bits();
      if (to.begin(TraceMerger.DEREG_CALL, 0, actor, entry.slot(), key, 5)) {
        to.put(entry.number());
        to.end();
      }
    }

    @Override
    public void deregReturn(Actor actor, KeyEntry entry, CallStatus status) {
      TraceBuffer to = buffer.get();
      int key = entry.rkey().bits();
      if (to.begin(TraceMerger.DEREG_RETURN, status.ordinal(), actor, entry.slot(), key, 5)) {
        to.put(entry.number());
        to.end();
      }
    }

    @Override
    public void reregCall(Actor actor, KeyEntry old, KeyEntry asked) {
      put(
          actor,
          old.slot(),
          stamp ->
              new TraceEvent.ReregCall(
                  stamp,
                  old.number(),
                  old.rkey(),
                  asked.pd().number(),
                  asked.va(),
                  asked.length(),
                  asked.rights()));
    }

    @Override
    public void reregReturn(Actor actor, KeyEntry entry, CallStatus status) {
      put(
          actor,
          entry.slot(),
          stamp -> new TraceEvent.ReregReturn(stamp, entry.number(), entry.rkey(), status));
    }

    @Override
    public void pin(Actor actor, KeyEntry entry, Translation translation) {
      put(
          actor,
          entry.slot(),
          stamp ->
              new TraceEvent.Pin(
                  stamp,
                  entry.number(),
                  translation.iova(),
                  translation.length(),
                  OptionalLong.of(translation.busAddress(translation.iova()))));
    }

    @Override
    public void unpin(Actor actor, KeyEntry entry, Translation translation) {
      put(
          actor,
          entry.slot(),
          stamp ->
              new TraceEvent.Unpin(
                  stamp,
                  entry.number(),
                  translation.iova(),
                  translation.length(),
                  OptionalLong.of(translation.busAddress(translation.iova()))));
    }

    @Override
    public void pdAlloc(Actor actor, long pd) {
      put(actor, null, stamp -> new TraceEvent.PdAlloc(stamp, pd));
    }

    @Override
    public void pdDealloc(Actor actor, long pd, CallStatus status) {
      put(actor, null, stamp -> new TraceEvent.PdDealloc(stamp, pd, status));
    }

    @Override
    public void mwAlloc(Actor actor, MemoryWindow window) {
      put(
          actor,
          window.slot(),
          stamp ->
              new TraceEvent.MwAlloc(
                  stamp, window.number(), window.pd().number(), window.type().ordinal() + 1));
    }

    @Override
    public void mwDeallocCall(Actor actor, MemoryWindow window, boolean bound) {
      MemoryKey key = bound ? window.rkey() : MemoryKey.NONE;
      put(actor, window.slot(), stamp -> new TraceEvent.MwDeallocCall(stamp, window.number(), key));
    }

    @Override
    public void mwDeallocReturn(Actor actor, MemoryWindow window, boolean bound) {
      MemoryKey key = bound ? window.rkey() : MemoryKey.NONE;
      put(
          actor,
          window.slot(),
          stamp -> new TraceEvent.MwDeallocReturn(stamp, window.number(), key, CallStatus.OK));
    }

    @Override
    public void bindCall(Actor actor, MemoryWindow window, KeyEntry asked, QueuePairId qp) {
      boolean type2 = window.type() == MemoryWindow.Type.TYPE_2;
      put(
          actor,
          window.slot(),
          stamp ->
              new TraceEvent.BindCall(
                  stamp,
                  window.number(),
                  type2 ? 2 : 1,
                  asked.number(),
                  type2 ? Optional.of(qp) : Optional.empty(),
                  asked.rkey(),
                  asked.va(),
                  asked.length(),
                  asked.rights(),
                  Optional.empty()));
    }

    @Override
    public void bindReturn(Actor actor, MemoryWindow window, KeyEntry asked, CallStatus status) {
      put(
          actor,
          window.slot(),
          stamp -> new TraceEvent.BindReturn(stamp, window.number(), asked.rkey(), status));
    }

    @Override
    public void invCall(Actor actor, KeyEntry entry, Optional<QueuePairId> qp) {
      put(actor, entry.slot(), stamp -> new TraceEvent.InvCall(stamp, entry.rkey(), qp));
    }

    @Override
    public void invReturn(
        Actor actor, KeyEntry entry, Optional<QueuePairId> qp, CallStatus status) {
      put(actor, entry.slot(), stamp -> new TraceEvent.InvReturn(stamp, entry.rkey(), qp, status));
    }

    @Override
    public void cacheFill(Actor actor, KeyEntry entry) {
      put(
          actor,
          entry.slot(),
          stamp -> new TraceEvent.CacheFill(stamp, entry.rkey(), entry.registration().number()));
    }

    @Override
    public void cacheHit(Actor actor, MemoryKey key, KeyEntry entry) {
      put(
          actor,
          entry.slot(),
          stamp -> new TraceEvent.CacheHit(stamp, key, entry.registration().number()));
    }

    @Override
    public void cacheInval(Actor actor, KeyEntry entry) {
      put(actor, entry.slot(), stamp -> new TraceEvent.CacheInval(stamp, entry.rkey()));
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
        KeyEntry entry,
        TraceOrder order) {
      TraceBuffer to = buffer.get();
      int flags =
          access.ordinal() << TraceMerger.ACCESS_SHIFT
              | (verdict == CheckVerdict.REFUSE ? TraceMerger.REFUSED : 0)
              | (cause == null ? 0 : TraceMerger.HAS_CAUSE)
              | (entry == null ? 0 : TraceMerger.HAS_REGION);
      if (to.begin(TraceMerger.CHECK, flags, actor, order, psn, entry == null ? 9 : 10)) {
        to.put(word(qp));
        to.put(Integer.toUnsignedLong(key.bits()));
        to.put(va);
        to.put(length);
        to.put(remaining);
        if (entry != null) {
          to.put(entry.number());
        }
        if (cause != null) {
          to.put(cause);
        }
        to.end();
      }
    }

    private void dma(
        int kind,
        Actor actor,
        QueuePairId qp,
        int psn,
        KeyEntry entry,
        MemoryKey key,
        long va,
        long length,
        long dmaAddress) {
      TraceBuffer to = buffer.get();
      if (to.begin(kind, 0, actor, entry.slot(), psn, 9)) {
        to.put(word(qp));
        to.put(entry.number());
        to.put(Integer.toUnsignedLong(key.bits()) | length << 32);
        to.put(va);
        to.put(dmaAddress);
        to.end();
      }
    }

    @Override
    public void dmaRead(
        Actor actor,
        QueuePairId qp,
        int psn,
        KeyEntry entry,
        MemoryKey key,
        long va,
        long length,
        long dmaAddress) {
      dma(TraceMerger.DMA_READ, actor, qp, psn, entry, key, va, length, dmaAddress);
    }

    @Override
    public void dmaWrite(
        Actor actor,
        QueuePairId qp,
        int psn,
        KeyEntry entry,
        MemoryKey key,
        long va,
        long length,
        long dmaAddress) {
      dma(TraceMerger.DMA_WRITE, actor, qp, psn, entry, key, va, length, dmaAddress);
    }

    private void packet(int kind, Actor actor, QueuePair qp, Packet packet) {
      TraceBuffer to = buffer.get();
      int flags = packet.icrc().ordinal() << TraceMerger.ICRC_SHIFT;
      int size = 6;
      if (packet.ackRequest()) {
        flags |= TraceMerger.ACK_REQUEST;
      }
      if (packet.access().isPresent()) {
        flags |= TraceMerger.HAS_ACCESS;
        size += 2;
      }
      if (packet.invalidate().isPresent()) {
        flags |= TraceMerger.HAS_INVALIDATE;
        size++;
      }
      if (packet.syndrome().isPresent() || packet.msn().isPresent()) {
        flags |= packet.syndrome().isPresent() ? TraceMerger.HAS_SYNDROME : 0;
        flags |= packet.msn().isPresent() ? TraceMerger.HAS_MSN : 0;
        size++;
      }
      if (packet.compare().isPresent()) {
        flags |= TraceMerger.HAS_COMPARE;
        size++;
      }
      if (packet.swap().isPresent()) {
        flags |= TraceMerger.HAS_SWAP;
        size++;
      }
      if (packet.original().isPresent()) {
        flags |= TraceMerger.HAS_ORIGINAL;
        size++;
      }
      if (!to.begin(kind, flags, actor, qp.order(), 0, size)) {
        return;
      }
      to.put(word(qp.id()));
      to.put(
          packet.psn()
              | packet.opcode().code() << 24 & 0xffff_ffffL
              | (long) packet.payload() << 32);
      if (packet.access().isPresent()) {
        RemoteAccess access = packet.access().get();
        to.put(Integer.toUnsignedLong(access.key().bits()) | access.length() << 32);
        to.put(access.va());
      }
      if (packet.invalidate().isPresent()) {
        to.put(packet.invalidate().get().bits());
      }
      if ((flags & (TraceMerger.HAS_SYNDROME | TraceMerger.HAS_MSN)) != 0) {
        int syndrome = packet.syndrome().isPresent() ? packet.syndrome().get().bits() : 0;
        to.put(syndrome | (long) packet.msn().orElse(0) << 32);
      }
      if (packet.compare().isPresent()) {
        to.put(packet.compare().getAsLong());
      }
      if (packet.swap().isPresent()) {
        to.put(packet.swap().getAsLong());
      }
      if (packet.original().isPresent()) {
        to.put(packet.original().getAsLong());
      }
      to.end();
    }

    @Override
    public void tx(Actor actor, QueuePair qp, Packet packet) {
      packet(TraceMerger.TX, actor, qp, packet);
    }

    @Override
    public void rx(Actor actor, QueuePair qp, Packet packet) {
      packet(TraceMerger.RX, actor, qp, packet);
    }

    private void answer(int kind, Actor actor, QueuePair qp, int psn, int msn, Syndrome syndrome) {
      TraceBuffer to = buffer.get();
      if (to.begin(kind, syndrome.bits(), actor, qp.order(), psn, 6)) {
        to.put(word(qp.id()));
        to.put(msn);
        to.end();
      }
    }

    @Override
    public void ack(Actor actor, QueuePair qp, int psn, int msn, Syndrome syndrome) {
      answer(TraceMerger.ACK, actor, qp, psn, msn, syndrome);
    }

    @Override
    public void nak(Actor actor, QueuePair qp, int psn, int msn, Syndrome syndrome) {
      answer(TraceMerger.NAK, actor, qp, psn, msn, syndrome);
    }

    @Override
    public void post(Actor actor, QueuePairId qp, WorkRequest request, boolean signaled) {
      put(
          actor,
          null,
          stamp ->
              new TraceEvent.Post(
                  stamp,
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
          actor,
          null,
          stamp ->
              new TraceEvent.SrqPost(
                  stamp, srq, request.id(), Optional.of(request.lkey()), request.length()));
    }

    @Override
    public void postReceive(Actor actor, QueuePairId qp, ReceiveRequest request) {
      put(
          actor,
          null,
          stamp ->
              new TraceEvent.Post(
                  stamp,
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
          actor,
          null,
          stamp ->
              new TraceEvent.Wc(
                  stamp,
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
      put(actor, null, stamp -> new TraceEvent.QpCreate(stamp, qp, pd, rights, srq));
    }

    @Override
    public void qpConnect(
        Actor actor, QueuePairId qp, QueuePairAddress peer, int receivePsn, int sendPsn, int mtu) {
      put(
          actor,
          null,
          stamp ->
              new TraceEvent.QpConnect(
                  stamp,
                  qp,
                  Optional.of(peer),
                  OptionalInt.of(receivePsn),
                  OptionalInt.of(sendPsn),
                  OptionalInt.of(mtu)));
    }

    @Override
    public void qpState(Actor actor, QueuePair qp, QueuePairState state, Mover by) {
      put(
          actor,
          qp.order(),
          stamp -> new TraceEvent.QpState(stamp, qp.id(), state, Optional.of(by)));
    }

    @Override
    public void qpDestroy(Actor actor, QueuePairId qp) {
      put(actor, null, stamp -> new TraceEvent.QpDestroy(stamp, qp, CallStatus.OK));
    }

    @Override
    public void async(Actor actor, Optional<QueuePairId> qp, String event) {
      put(actor, null, stamp -> new TraceEvent.Async(stamp, qp, event));
    }
  }

  /** The events of the common list that the device never emits, because it lacks the feature. */
  public static List<EventName> notEmittedYet() {
    return List.of(EventName.LOST);
  }
}
