package org.mrcheck.rnic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.QueuePairId;

/**
 * An RDMA device in software: protection domains, memory regions, reliable connections, a key table
 * and threads of its own. It has the verbs' objects and words, and no native code. Safe for several
 * threads.
 */
public final class SoftRnic implements AutoCloseable {
  private static final int FIRST_QP_NUMBER = 0x11;

  private final RnicConfig config;
  private final Wire wire;
  private final TracePoints trace;
  private final KeyTable keyTable;
  private final List<Engine> engines = new ArrayList<>();
  private final Map<QueuePairId, QueuePair> queuePairs = new ConcurrentHashMap<>();
  private final ThreadLocal<Actor> callers;
  private final Actor unnamedCaller;

  // Guarded by this.
  private final ArrayDeque<Integer> freeQpNumbers = new ArrayDeque<>();
  private final Map<Integer, Integer> incarnations = new HashMap<>();
  private int nextQpNumber = FIRST_QP_NUMBER;
  private long lastPd;
  private int nextEngine;
  private boolean closed;

  private final LongAdder writesRefusedAtFirst = new LongAdder();
  private final LongAdder writesRefusedInside = new LongAdder();
  private final LongAdder readsRefusedAtFirst = new LongAdder();
  private final LongAdder readsRefusedInside = new LongAdder();

  private volatile Throwable failure;

  private SoftRnic(RnicConfig config, Wire wire) {
    this.config = config;
    this.wire = wire;
    trace = config.recording().points();
    keyTable = new KeyTable(this, config.keyTableCapacity(), config.seed());
    unnamedCaller = new Actor(config.host(), "application");
    callers =
        ThreadLocal.withInitial(
            () ->
                new Actor(
                    config.host(),
                    Thread.currentThread().getName().replaceAll("[^A-Za-z0-9_.-]", "_")));
    for (int number = 0; number < config.engines(); number++) {
      engines.add(new Engine(this, number));
    }
  }

  /**
   * Opens a device on a wire and starts its threads.
   *
   * @throws IllegalArgumentException if the wire has a device with that host
   */
  public static SoftRnic open(RnicConfig config, Wire wire) {
    SoftRnic device = new SoftRnic(config, wire);
    wire.attach(device);
    device.engines.forEach(Engine::start);
    return device;
  }

  /** Its name. */
  public String host() {
    return config.host();
  }

  /** How it was built. */
  public RnicConfig config() {
    return config;
  }

  /** Allocates a protection domain. */
  public synchronized ProtectionDomain allocateProtectionDomain() {
    return new ProtectionDomain(this, ++lastPd);
  }

  /** Creates a completion queue. */
  public CompletionQueue createCompletionQueue() {
    return new CompletionQueue(this);
  }

  /**
   * Creates a queue pair in RESET. It gets the number that was freed last, with the next
   * incarnation.
   *
   * @param pd its protection domain
   * @param sendCompletions where its work requests complete
   * @param rights which remote operations it takes: REMOTE_WRITE, REMOTE_READ
   * @throws IllegalStateException if the device is closed
   */
  public QueuePair createQueuePair(
      ProtectionDomain pd, CompletionQueue sendCompletions, AccessFlags rights) {
    Objects.requireNonNull(sendCompletions, "sendCompletions");
    if (pd.device() != this) {
      throw new IllegalArgumentException(pd + " is of host=" + pd.device().host());
    }
    QueuePair qp;
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("host=" + host() + " is closed");
      }
      Integer freed = freeQpNumbers.poll();
      int number = freed == null ? nextQpNumber++ : freed;
      QueuePairId id = new QueuePairId(number, incarnations.merge(number, 1, Integer::sum));
      Engine engine = engines.get(nextEngine++ % engines.size());
      qp = new QueuePair(this, id, pd, rights, sendCompletions, engine);
    }
    trace.qpCreate(caller(), qp.id(), pd.number(), rights);
    queuePairs.put(qp.id(), qp);
    return qp;
  }

  /** What it has refused so far. */
  public RnicCounters counters() {
    return new RnicCounters(
        writesRefusedAtFirst.sum(),
        writesRefusedInside.sum(),
        readsRefusedAtFirst.sum(),
        readsRefusedInside.sum());
  }

  /**
   * Stops the threads. Queue pairs and regions that still exist are gone without further events.
   *
   * @throws IllegalStateException if one of the device's threads has failed; that is a bug
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    wire.detach(this);
    engines.forEach(Engine::stop);
    requireAlive();
  }

  void arrive(QueuePairId id, Wire.Frame frame) {
    QueuePair qp = queuePairs.get(id);
    if (qp != null) {
      qp.engine().arrive(qp, frame);
    }
  }

  void forget(QueuePair qp) {
    queuePairs.remove(qp.id());
    synchronized (this) {
      freeQpNumbers.push(qp.id().number());
    }
  }

  void countRefusal(AccessKind access, boolean inside) {
    if (access == AccessKind.REMOTE_READ) {
      (inside ? readsRefusedInside : readsRefusedAtFirst).increment();
    } else {
      (inside ? writesRefusedInside : writesRefusedAtFirst).increment();
    }
  }

  /** The calling application thread as an actor: its role is the thread's name. */
  Actor caller() {
    return config.recording().isOff() ? unnamedCaller : callers.get();
  }

  /** Who decides which of the device's threads goes on. */
  Scheduler scheduler() {
    return config.scheduler();
  }

  TracePoints trace() {
    return trace;
  }

  KeyTable keyTable() {
    return keyTable;
  }

  Wire wire() {
    return wire;
  }

  boolean has(Defect defect) {
    return config.defects().contains(defect);
  }

  /** Called by a thread of the device that cannot go on. */
  void fail(Throwable problem) {
    if (failure == null) {
      failure = problem;
    }
  }

  void requireAlive() {
    Throwable problem = failure;
    if (problem != null) {
      throw new IllegalStateException("host=" + host() + " has failed: " + problem, problem);
    }
  }

  static void joinUninterruptibly(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
