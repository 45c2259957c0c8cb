package org.mrcheck.rnic.workload;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.WcStatus;
import org.mrcheck.rnic.CompletionQueue;
import org.mrcheck.rnic.Connection;
import org.mrcheck.rnic.LocalData;
import org.mrcheck.rnic.MemoryRegion;
import org.mrcheck.rnic.QueuePair;
import org.mrcheck.rnic.ReceiveRequest;
import org.mrcheck.rnic.SendFlags;
import org.mrcheck.rnic.WorkCompletion;
import org.mrcheck.rnic.WorkRequest;

/**
 * One connection, with the local memory of its two ends. Its queue pairs are used by the
 * connection's thread alone; {@link #random} is that thread's, {@link #ownerRandom} the owner's.
 * {@link #rest} may be called by both.
 */
final class Lane {
  /** All rights of a region. */
  static final AccessFlags ALL =
      AccessFlags.of(
          Flag.LOCAL_WRITE, Flag.REMOTE_WRITE, Flag.REMOTE_READ, Flag.REMOTE_ATOMIC, Flag.MW_BIND);

  /** How often a call that says busy is tried again. */
  static final int MOST_ATTEMPTS = 2000;

  /** How often it is tried again when the workload is over. */
  static final int FEW_ATTEMPTS = 50;

  static final int LOCAL_BYTES = 1 << 14;
  private static final int RECEIVE_BYTES = 64;
  private static final int RECEIVES = 16;
  private static final long LOCAL_IOVA = 0x10_0000;
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  final int number;
  final SplittableRandom random;
  final SplittableRandom ownerRandom;
  final RaceBench bench;
  final CompletionQueue hereCompletions;
  final CompletionQueue thereCompletions;
  private MemoryRegion local;
  private MemoryRegion inbox;
  private MemoryKey staleLocal;
  private QueuePair here;
  private QueuePair there;
  private int mtu;
  private int owed;
  private int owedThere;
  private int receives;
  private long nextId = 1;
  private boolean broken;

  Lane(int number, RaceBench bench, SplittableRandom random) {
    this.number = number;
    this.bench = bench;
    this.random = random;
    this.ownerRandom = random.split();
    hereCompletions = bench.requester().createCompletionQueue();
    thereCompletions = bench.responder().createCompletionQueue();
  }

  /** Registers the local memory of both ends and connects them. */
  void open() {
    local = bench.requesterPd().register(ByteBuffer.allocate(LOCAL_BYTES), LOCAL_IOVA, ALL);
    inbox =
        bench
            .responderPd()
            .register(
                ByteBuffer.allocate(RECEIVE_BYTES), LOCAL_IOVA, AccessFlags.of(Flag.LOCAL_WRITE));
    connect();
  }

  /** Disconnects and gives the local memory back. */
  void close() {
    disconnect();
    local.deregister();
    inbox.deregister();
  }

  private void connect() {
    mtu = 256 << random.nextInt(3);
    int psn = random.nextInt(1 << 24);
    int peerPsn = random.nextInt(1 << 24);
    here = bench.requester().createQueuePair(bench.requesterPd(), hereCompletions, ALL);
    there = bench.responder().createQueuePair(bench.responderPd(), thereCompletions, ALL);
    there.connect(new Connection(here.address(), peerPsn, psn, mtu));
    here.connect(new Connection(there.address(), psn, peerPsn, mtu));
    receives = 0;
    owed = 0;
    owedThere = 0;
    broken = false;
    postReceives();
  }

  private void disconnect() {
    if (random.nextBoolean()) {
      here.destroy();
      there.destroy();
    } else {
      there.destroy();
      here.destroy();
    }
    pollAll();
  }

  /** Both queue pairs anew. */
  void reconnect() {
    disconnect();
    connect();
    bench.reconnected();
  }

  /** Both queue pairs anew if a work request has failed. */
  void repair() {
    if (broken) {
      reconnect();
    }
  }

  boolean isBroken() {
    return broken;
  }

  QueuePair here() {
    return here;
  }

  QueuePair there() {
    return there;
  }

  int mtu() {
    return mtu;
  }

  long nextId() {
    return nextId++;
  }

  /** Waits a while, so that others get on; microseconds. */
  static void pause(SplittableRandom random, int least, int most) {
    LockSupport.parkNanos(1000L * random.nextInt(least, most + 1));
  }

  /** Waits a while by the owner's dice; microseconds. */
  void rest(int least, int most) {
    pause(ownerRandom, least, most);
  }

  /** So many bytes of local memory, somewhere. */
  LocalData.Sge place(int length) {
    return new LocalData.Sge(
        local.lkey(), LOCAL_IOVA + (random.nextInt(LOCAL_BYTES - length + 1) & ~7L), length);
  }

  /** Local memory gets another key; the old one is kept, to be used by mistake. */
  void changeLocal() {
    staleLocal = local.lkey();
    local.deregister();
    bench.deregistered();
    local = bench.requesterPd().register(ByteBuffer.allocate(LOCAL_BYTES), LOCAL_IOVA, ALL);
    bench.registered();
  }

  /** The key that local memory had before, or another that is nobody's. */
  MemoryKey wrongLocalKey() {
    return staleLocal != null ? staleLocal : new MemoryKey(0xfedc_ba98);
  }

  /** Signalled mostly; fenced now and then. */
  SendFlags flags() {
    int dice = random.nextInt(16);
    return dice == 0 ? SendFlags.FENCED : dice < 4 ? SendFlags.UNSIGNALED : SendFlags.SIGNALED;
  }

  /** A WRITE, small ones inline now and then. */
  void write(MemoryKey key, long address, int length) {
    LocalData data =
        length <= 32 && random.nextInt(4) == 0
            ? new LocalData.Inline(new byte[length])
            : place(length);
    post(new WorkRequest.RdmaWrite(nextId(), data, key, address, flags()));
  }

  void read(MemoryKey key, long address, int length) {
    post(new WorkRequest.RdmaRead(nextId(), place(length), key, address, flags()));
  }

  void atomic(MemoryKey key, long address) {
    post(
        random.nextBoolean()
            ? new WorkRequest.AtomicFetchAndAdd(nextId(), place(8), key, address, 1, flags())
            : new WorkRequest.AtomicCompareAndSwap(
                nextId(), place(8), key, address, 0, 1, flags()));
  }

  void send() {
    post(new WorkRequest.Send(nextId(), place(random.nextInt(1, 33)), flags()));
  }

  /** Posts at the requester. */
  void post(WorkRequest request) {
    here.post(request);
    if (request.flags().signaled()) {
      owed++;
    }
  }

  /** Posts at the responder: binds, fast registrations, invalidations. */
  void postThere(WorkRequest request) {
    there.post(request);
    if (request.flags().signaled()) {
      owedThere++;
    }
  }

  /**
   * A last signalled request of no bytes, so that what came before it is over, and then waits for
   * all that is owed. An error, or nothing for a long time, marks the lane as broken.
   */
  void settle() throws InterruptedException {
    post(
        new WorkRequest.RdmaWrite(
            nextId(), LocalData.NOTHING, new MemoryKey(0), 0, SendFlags.SIGNALED));
    await();
  }

  /** Waits for all that is owed at both ends. */
  void await() throws InterruptedException {
    awaitThere();
    while (owed > 0 && !broken) {
      Optional<WorkCompletion> completion = hereCompletions.poll(PATIENCE);
      if (completion.isEmpty()) {
        broken = true;
      } else {
        owed--;
        took(completion.get());
      }
    }
    poll();
  }

  /** Waits for what the responder's own work requests owe. */
  void awaitThere() throws InterruptedException {
    while (owedThere > 0 && !broken) {
      Optional<WorkCompletion> completion = thereCompletions.poll(PATIENCE);
      if (completion.isEmpty()) {
        broken = true;
      } else {
        tookThere(completion.get());
      }
    }
  }

  /** Takes what is there. */
  void poll() {
    for (Optional<WorkCompletion> next = thereCompletions.poll();
        next.isPresent();
        next = thereCompletions.poll()) {
      tookThere(next.get());
    }
    if (!broken) {
      postReceives();
    }
  }

  private void pollAll() {
    poll();
    for (Optional<WorkCompletion> next = hereCompletions.poll();
        next.isPresent();
        next = hereCompletions.poll()) {
      took(next.get());
    }
  }

  private void took(WorkCompletion completion) {
    bench.completed(completion.status());
    broken |= completion.status() != WcStatus.SUCCESS;
  }

  private void tookThere(WorkCompletion completion) {
    if (completion.workRequestId() < 0) {
      receives--;
    } else {
      owedThere--;
      bench.completed(completion.status());
    }
    broken |= completion.status() != WcStatus.SUCCESS;
  }

  private void postReceives() {
    List<ReceiveRequest> missing = new ArrayList<>();
    while (receives + missing.size() < RECEIVES) {
      missing.add(new ReceiveRequest(-nextId(), inbox.lkey(), LOCAL_IOVA, RECEIVE_BYTES));
    }
    missing.forEach(there::postReceive);
    receives += missing.size();
  }

  /** A WRITE, READ or atomic operation somewhere in what was advertised. */
  void accessSomewhere(Advertisement target, int mostPackets) {
    int dice = random.nextInt(10);
    if (dice == 0 && target.length() >= 8) {
      atomic(target.key(), target.iova() + (random.nextInt(target.length() - 7) & ~7));
      return;
    }
    int length =
        random.nextInt(1, Math.min(LOCAL_BYTES, Math.min(mostPackets * mtu, target.length())) + 1);
    long address = target.iova() + random.nextInt(target.length() - length + 1);
    if (dice < 4) {
      read(target.key(), address, length);
    } else {
      write(target.key(), address, length);
    }
  }
}
