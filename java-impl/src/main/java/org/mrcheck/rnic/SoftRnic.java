package org.mrcheck.rnic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

  /** Older events are forgotten when nobody takes them. */
  private static final int MOST_ASYNC_EVENTS = 10_000;

  private final RnicConfig config;
  private final Wire wire;
  private final TracePoints trace;
  private final KeyTable keyTable;
  private final Housekeeper housekeeper;
  private final List<Engine> engines = new ArrayList<>();
  private final Map<QueuePairId, QueuePair> queuePairs = new ConcurrentHashMap<>();

  /** By number alone, as packets of a network with other hosts name them. */
  private final Map<Integer, QueuePair> newest = new ConcurrentHashMap<>();

  /** Guarded by itself. */
  private final ArrayDeque<AsyncEvent> asyncEvents = new ArrayDeque<>();

  private final Object atomicLock = new Object();
  private final ThreadLocal<Actor> callers;
  private final Actor unnamedCaller;

  // Guarded by this.
  private final ArrayDeque<Integer> freeQpNumbers = new ArrayDeque<>();
  private final Map<Integer, Integer> incarnations = new HashMap<>();
  private int nextQpNumber = FIRST_QP_NUMBER;
  private long lastPd;
  private long lastSrq;
  private int nextEngine;
  private boolean closed;

  private final LongAdder writesRefusedAtFirst = new LongAdder();
  private final LongAdder writesRefusedInside = new LongAdder();
  private final LongAdder readsRefusedAtFirst = new LongAdder();
  private final LongAdder readsRefusedInside = new LongAdder();

  private volatile Throwable failure;

  private SoftRnic(RnicConfig config, Wire wire) {
    this.config = effective(config);
    this.wire = wire;
    trace = config.recording().points();
    housekeeper = new Housekeeper(this);
    keyTable = new KeyTable(this);
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

  /** Some defects are nothing but another policy. */
  private static RnicConfig effective(RnicConfig config) {
    Policies policies = config.policies();
    for (Defect defect : config.defects()) {
      if (defect.policy().isPresent()) {
        policies = policies.with(defect.policy().get());
      }
    }
    return config.withPolicies(policies);
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
    if (KeyTable.needsHousekeeper(device.config.policies())) {
      device.housekeeper.start();
    }
    return device;
  }

  /** Its name. */
  public String host() {
    return config.host();
  }

  /** How it was built, its policies as its defects leave them. */
  public RnicConfig config() {
    return config;
  }

  /** Allocates a protection domain. */
  public synchronized ProtectionDomain allocateProtectionDomain() {
    ProtectionDomain pd = new ProtectionDomain(this, ++lastPd);
    trace.pdAlloc(caller(), pd.number());
    return pd;
  }

  /** Creates a completion queue. */
  public CompletionQueue createCompletionQueue() {
    return new CompletionQueue(this);
  }

  /**
   * Creates a shared receive queue.
   *
   * @throws IllegalArgumentException if the domain is of another device
   */
  public SharedReceiveQueue createSharedReceiveQueue(ProtectionDomain pd) {
    requireMine(pd);
    synchronized (this) {
      return new SharedReceiveQueue(pd, ++lastSrq);
    }
  }

  /**
   * Creates a reliable queue pair in RESET, as below.
   *
   * @param pd its protection domain
   * @param completions where its work requests and receive requests complete
   * @param rights which remote operations it takes: REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC
   */
  public QueuePair createQueuePair(
      ProtectionDomain pd, CompletionQueue completions, AccessFlags rights) {
    return createQueuePair(pd, QueuePairOptions.reliable(completions, rights));
  }

  /**
   * Creates a queue pair in RESET. It gets the number that was freed last, with the next
   * incarnation.
   *
   * @throws IllegalArgumentException if the domain is of another device, or that of the shared
   *     receive queue is another one
   * @throws IllegalStateException if the device is closed
   */
  public QueuePair createQueuePair(ProtectionDomain pd, QueuePairOptions options) {
    requireMine(pd);
    if (options.sharedReceives().isPresent() && options.sharedReceives().get().pd() != pd) {
      throw new IllegalArgumentException("the shared receive queue is of another domain");
    }
    pd.addUser();
    QueuePair qp;
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("host=" + host() + " is closed");
      }
      Integer freed = freeQpNumbers.poll();
      int number = freed == null ? nextQpNumber++ : freed;
      QueuePairId id = new QueuePairId(number, incarnations.merge(number, 1, Integer::sum));
      Engine engine = engines.get(nextEngine++ % engines.size());
      qp = new QueuePair(this, id, pd, options, engine);
    }
    OptionalLong srq =
        options.sharedReceives().isPresent()
            ? OptionalLong.of(options.sharedReceives().get().number())
            : OptionalLong.empty();
    trace.qpCreate(caller(), qp.id(), pd.number(), options.rights(), srq);
    queuePairs.put(qp.id(), qp);
    newest.put(qp.id().number(), qp);
    return qp;
  }

  private void requireMine(ProtectionDomain pd) {
    if (pd.device() != this) {
      throw new IllegalArgumentException(pd + " is of host=" + pd.device().host());
    }
  }

  /** The oldest asynchronous event that nobody took, as {@code ibv_get_async_event} returns it. */
  public Optional<AsyncEvent> pollAsyncEvent() {
    synchronized (asyncEvents) {
      return Optional.ofNullable(asyncEvents.poll());
    }
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
    housekeeper.stop();
    requireAlive();
  }

  /** The queue pair of that number and incarnation, or null. */
  QueuePair queuePair(QueuePairId id) {
    return queuePairs.get(id);
  }

  /** The newest queue pair of that number, or null: packets of a network name no more. */
  QueuePair newest(int number) {
    return newest.get(number);
  }

  void forget(QueuePair qp) {
    queuePairs.remove(qp.id());
    qp.pd().removeUser();
    newest.remove(qp.id().number(), qp);
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

  void raise(Actor actor, Optional<QueuePairId> qp, AsyncEventType type) {
    trace.async(actor, qp, type.text());
    synchronized (asyncEvents) {
      asyncEvents.add(new AsyncEvent(type, qp));
      if (asyncEvents.size() > MOST_ASYNC_EVENTS) {
        asyncEvents.remove();
      }
    }
  }

  /** Held while an atomic operation is done. */
  Object atomicLock() {
    return atomicLock;
  }

  long nanoTime() {
    return config.scheduler().nanoTime();
  }

  /** Waits for something that the device's threads do. */
  void await(CountDownLatch done) {
    boolean interrupted = false;
    while (true) {
      try {
        if (done.await(100, TimeUnit.MILLISECONDS)) {
          break;
        }
        requireAlive();
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  TracePoints trace() {
    return trace;
  }

  Housekeeper housekeeper() {
    return housekeeper;
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
