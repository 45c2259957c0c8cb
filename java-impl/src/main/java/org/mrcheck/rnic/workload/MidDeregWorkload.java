package org.mrcheck.rnic.workload;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.WcStatus;
import org.mrcheck.rnic.CompletionQueue;
import org.mrcheck.rnic.Connection;
import org.mrcheck.rnic.MemoryRegion;
import org.mrcheck.rnic.ProtectionDomain;
import org.mrcheck.rnic.QueuePair;
import org.mrcheck.rnic.RnicConfig;
import org.mrcheck.rnic.SoftRnic;
import org.mrcheck.rnic.TraceRecording;
import org.mrcheck.rnic.Wire;
import org.mrcheck.rnic.WireTap;
import org.mrcheck.rnic.WorkCompletion;
import org.mrcheck.rnic.WorkRequest;

/**
 * The workload {@code mid-dereg}: regions are deregistered while peers write to them and read from
 * them. Client threads on the host {@code requester} WRITE and READ messages of many packets; owner
 * threads on the host {@code responder} register regions, publish their keys, and deregister them
 * without a word. A refused message puts both ends of its connection into ERR; the client then
 * polls what was flushed, destroys both queue pairs and builds the connection anew.
 *
 * <p>Some requests are wrong on purpose: keys that have died, ranges past the end, operations that
 * the region has no right for, regions of another protection domain, length 0. And now and then a
 * client deregisters its own local region under its own requests.
 */
final class MidDeregWorkload {
  private static final AccessFlags LOCAL_RIGHTS = AccessFlags.of(Flag.LOCAL_WRITE);
  private static final int LOCAL_BYTES = 1 << 14;
  private static final int OWNERS = 2;
  private static final int REGIONS_PER_OWNER = 4;
  private static final int DEPTH = 4;
  private static final byte POISON = (byte) 0xde;
  private static final Duration STARTING = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final WorkloadOptions options;
  private final TraceRecording recording;
  private final SoftRnic requester;
  private final SoftRnic responder;
  private final ProtectionDomain requesterPd;
  private final ProtectionDomain responderPd;
  private final ProtectionDomain foreignPd;

  /** When posting ends; moved once, when the first request has completed. */
  private volatile long endNanos;

  private final AtomicReferenceArray<Advertisement> advertised =
      new AtomicReferenceArray<>(OWNERS * REGIONS_PER_OWNER);

  /** Requests under way to each advertised region; owners like to deregister what is in use. */
  private final AtomicIntegerArray underWayTo = new AtomicIntegerArray(OWNERS * REGIONS_PER_OWNER);

  private final AtomicLongArray completions = new AtomicLongArray(WcStatus.values().length);
  private final AtomicLong operations = new AtomicLong();
  private final AtomicLong registrations = new AtomicLong();
  private final AtomicLong deregistrations = new AtomicLong();
  private final AtomicLong recreated = new AtomicLong();
  private final AtomicLong changedAfterReturn = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean clientsDone;

  private MidDeregWorkload(WorkloadOptions options, TraceRecording recording, WireTap tap) {
    this.options = options;
    this.recording = recording;
    Wire wire = new Wire(options.seededWire(), tap);
    requester =
        SoftRnic.open(
            RnicConfig.forHost(RaceBench.REQUESTER)
                .withSeed(options.seed())
                .withKeyTableCapacity(256)
                .withRetry(options.retryTimeout(), 7)
                .withPolicies(options.policies())
                .withRecording(recording),
            wire);
    responder =
        SoftRnic.open(
            RnicConfig.forHost(RaceBench.RESPONDER)
                .withSeed(options.seed())
                .withKeyTableCapacity(256)
                .withEngines(2)
                .withDmaLatency(Duration.ofNanos(100_000))
                .withPolicies(options.policies())
                .withDefects(options.defects())
                .withRecording(recording),
            wire);
    requesterPd = requester.allocateProtectionDomain();
    responderPd = responder.allocateProtectionDomain();
    foreignPd = responder.allocateProtectionDomain();
    endNanos = System.nanoTime() + STARTING.plus(options.duration()).toNanos();
  }

  /**
   * Runs the workload and returns when everything is torn down; the tap is told what travels on the
   * wire meanwhile. The recording stays open, and so does a tap that can be closed.
   *
   * @throws InterruptedException if interrupted; the workload's threads then stop by themselves
   * @throws IllegalStateException if a thread of the workload or of a device failed: a bug
   */
  static WorkloadSummary run(WorkloadOptions options, TraceRecording recording, WireTap tap)
      throws InterruptedException {
    return new MidDeregWorkload(options, recording, tap).run();
  }

  private WorkloadSummary run() throws InterruptedException {
    long start = System.nanoTime();
    SplittableRandom seeds = new SplittableRandom(options.seed());
    List<Thread> owners = new ArrayList<>();
    for (int number = 0; number < OWNERS; number++) {
      int first = number * REGIONS_PER_OWNER;
      SplittableRandom random = seeds.split();
      owners.add(start("owner" + number, () -> own(first, random)));
    }
    List<Thread> clients = new ArrayList<>();
    for (int number = 0; number < options.queuePairs(); number++) {
      SplittableRandom random = seeds.split();
      clients.add(start("client" + number, () -> new Client(random).work()));
    }
    for (Thread client : clients) {
      client.join();
    }
    clientsDone = true;
    for (Thread owner : owners) {
      owner.join();
    }
    Throwable problem = failure.get();
    if (problem != null) {
      throw new IllegalStateException("workload failed: " + problem, problem);
    }
    requester.close();
    responder.close();
    Map<WcStatus, Long> byStatus = new EnumMap<>(WcStatus.class);
    for (WcStatus status : WcStatus.values()) {
      long count = completions.get(status.ordinal());
      if (count > 0) {
        byStatus.put(status, count);
      }
    }
    return new WorkloadSummary(
        operations.get(),
        byStatus,
        registrations.get(),
        deregistrations.get(),
        recreated.get(),
        responder.counters(),
        changedAfterReturn.get(),
        recording.events(),
        Duration.ofNanos(System.nanoTime() - start));
  }

  private interface Task {
    void perform() throws InterruptedException;
  }

  private Thread start(String name, Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.perform();
              } catch (InterruptedException | RuntimeException | Error problem) {
                failure.compareAndSet(null, problem);
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private boolean isOver() {
    return System.nanoTime() - endNanos >= 0
        || options.maxOperations() > 0 && operations.get() >= options.maxOperations()
        || failure.get() != null;
  }

  // Owners.

  /** One region's life, again and again. */
  private final class Holding {
    private final int place;
    private ByteBuffer memory;
    private MemoryRegion region;

    Holding(int place) {
      this.place = place;
    }

    void register(SplittableRandom random) {
      inspect();
      int length = random.nextInt(4 << 10, 32 << 10);
      memory = ByteBuffer.allocate(length);
      long iova =
          random.nextInt(16) == 0
              ? -length
              : 0x7f00_0000_0000L + ((long) random.nextInt(1 << 20) << 12);
      int kind = random.nextInt(10);
      AccessFlags rights =
          kind == 0
              ? AccessFlags.of(Flag.LOCAL_WRITE, Flag.REMOTE_WRITE)
              : kind == 1
                  ? AccessFlags.of(Flag.REMOTE_READ)
                  : AccessFlags.of(Flag.LOCAL_WRITE, Flag.REMOTE_WRITE, Flag.REMOTE_READ);
      ProtectionDomain pd = random.nextInt(200) == 0 ? foreignPd : responderPd;
      region = pd.register(memory, iova, rights);
      registrations.incrementAndGet();
      advertised.set(place, new Advertisement(region.rkey(), iova, length, rights));
    }

    void deregister() {
      region.deregister();
      deregistrations.incrementAndGet();
      region = null;
      // The memory is the owner's alone now: whatever changes it from here on is an intruder.
      for (int i = 0; i < memory.capacity(); i++) {
        memory.put(i, POISON);
      }
    }

    /** Looks whether anybody wrote after deregistration had returned. */
    void inspect() {
      if (memory == null) {
        return;
      }
      for (int i = 0; i < memory.capacity(); i++) {
        if (memory.get(i) != POISON) {
          changedAfterReturn.incrementAndGet();
          break;
        }
      }
      memory = null;
    }
  }

  private void own(int first, SplittableRandom random) {
    Holding[] holdings = new Holding[REGIONS_PER_OWNER];
    for (int i = 0; i < REGIONS_PER_OWNER; i++) {
      holdings[i] = new Holding(first + i);
      holdings[i].register(random);
    }
    while (!clientsDone && failure.get() == null) {
      LockSupport.parkNanos(random.nextLong(200_000, 2_000_000));
      awaitOperations(random.nextInt(2, 16));
      Holding holding = holdings[random.nextInt(REGIONS_PER_OWNER)];
      Holding other = holdings[random.nextInt(REGIONS_PER_OWNER)];
      if (underWayTo.get(other.place) > underWayTo.get(holding.place)) {
        holding = other;
      }
      if (holding.region != null) {
        holding.deregister();
        if (random.nextInt(8) != 0) {
          // Otherwise clients go on using the dead key until another takes its place.
          advertised.set(holding.place, null);
        }
      }
      if (random.nextInt(4) != 0) {
        LockSupport.parkNanos(random.nextLong(10_000, 500_000));
      }
      for (Holding idle : holdings) {
        if (idle.region == null && random.nextInt(4) != 0) {
          idle.register(random);
        }
      }
    }
    for (Holding holding : holdings) {
      if (holding.region != null) {
        holding.deregister();
      }
      holding.inspect();
    }
  }

  /** Lets clients get on where the machine is so busy that time alone would starve them. */
  private void awaitOperations(int count) {
    long goal = operations.get() + count;
    for (int i = 0; i < 500 && operations.get() < goal && !clientsDone; i++) {
      LockSupport.parkNanos(100_000);
    }
  }

  // Clients.

  /** One connection and the application thread that uses it. */
  private final class Client {
    private final SplittableRandom random;
    private final ByteBuffer memory = ByteBuffer.allocate(LOCAL_BYTES);
    private final CompletionQueue localCompletions = requester.createCompletionQueue();
    private final CompletionQueue remoteCompletions = responder.createCompletionQueue();
    private MemoryRegion local;
    private MemoryKey staleLocal;
    private Advertisement remembered;
    private QueuePair here;
    private QueuePair there;
    private int mtu;
    private int underWay;

    /** Where the requests under way go, oldest first, as they complete. */
    private final ArrayDeque<Integer> places = new ArrayDeque<>();

    private long nextId = 1;

    Client(SplittableRandom random) {
      this.random = random;
      for (int i = 0; i < LOCAL_BYTES; i++) {
        memory.put(i, (byte) random.nextInt(0, 0x80));
      }
    }

    void work() throws InterruptedException {
      registerLocal();
      connect();
      while (!isOver()) {
        boolean broken = false;
        while (underWay < DEPTH && !isOver()) {
          post();
        }
        if (random.nextInt(2000) == 0) {
          // Under its own requests: they are drained packet by packet, the rest is an error.
          local.deregister();
          deregistrations.incrementAndGet();
          staleLocal = local.lkey();
          broken = complete(underWay);
          registerLocal();
        } else {
          broken = complete(1);
        }
        if (broken) {
          complete(underWay);
          disconnect();
          connect();
          recreated.incrementAndGet();
        }
      }
      complete(underWay);
      disconnect();
      local.deregister();
      deregistrations.incrementAndGet();
    }

    private void registerLocal() {
      local = requesterPd.register(memory, 0x10_0000, LOCAL_RIGHTS);
      registrations.incrementAndGet();
    }

    private void connect() {
      mtu = 256 << random.nextInt(3);
      int psn = random.nextInt(1 << 24);
      int peerPsn = random.nextInt(1 << 24);
      here = requester.createQueuePair(requesterPd, localCompletions, AccessFlags.NONE);
      there =
          responder.createQueuePair(
              responderPd, remoteCompletions, AccessFlags.of(Flag.REMOTE_WRITE, Flag.REMOTE_READ));
      there.connect(new Connection(here.address(), peerPsn, psn, mtu));
      here.connect(new Connection(there.address(), psn, peerPsn, mtu));
    }

    private void disconnect() {
      here.destroy();
      there.destroy();
    }

    private void post() {
      int place = random.nextInt(advertised.length());
      Advertisement target = advertised.get(place);
      if (target == null) {
        Thread.onSpinWait();
        return;
      }
      int dice = random.nextInt(1000);
      if (dice < 3 && remembered != null) {
        target = remembered;
      } else if (random.nextInt(64) == 0) {
        remembered = target;
      }
      boolean read = random.nextInt(10) < 3;
      if (dice >= 3 && !target.rights().has(read ? Flag.REMOTE_READ : Flag.REMOTE_WRITE)) {
        read = !read;
      }
      int length = dice < 20 ? 0 : random.nextInt(1, Math.min(32 * mtu, target.length()) + 1);
      length = Math.min(length, LOCAL_BYTES);
      long offset = random.nextInt(target.length() - length + 1);
      if (dice >= 995) {
        // Past the end, by up to two packets.
        offset = target.length() - length + random.nextInt(1, 2 * mtu + 1);
      }
      MemoryKey lkey = dice == 3 && staleLocal != null ? staleLocal : local.lkey();
      long localAddress = local.iova() + random.nextInt(LOCAL_BYTES - length + 1);
      long id = nextId++;
      long address = target.iova() + offset;
      places.add(place);
      underWayTo.incrementAndGet(place);
      here.post(
          read
              ? new WorkRequest.RdmaRead(id, lkey, localAddress, length, target.key(), address)
              : new WorkRequest.RdmaWrite(id, lkey, localAddress, length, target.key(), address));
      underWay++;
    }

    /** Polls that many completions; whether one of them was an error. */
    private boolean complete(int count) throws InterruptedException {
      boolean broken = false;
      for (int i = 0; i < count && underWay > 0; i++) {
        Optional<WorkCompletion> completion = localCompletions.poll(PATIENCE);
        if (completion.isEmpty()) {
          throw new IllegalStateException("no completion: qp=" + here.id() + " left=" + underWay);
        }
        underWay--;
        underWayTo.decrementAndGet(places.remove());
        if (operations.incrementAndGet() == 1) {
          endNanos = System.nanoTime() + options.duration().toNanos();
        }
        WcStatus status = completion.get().status();
        completions.incrementAndGet(status.ordinal());
        broken |= status != WcStatus.SUCCESS;
      }
      return broken;
    }
  }
}
