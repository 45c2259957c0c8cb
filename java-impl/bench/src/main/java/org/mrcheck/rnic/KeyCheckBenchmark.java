package org.mrcheck.rnic;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.MemoryKey;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many keys one engine thread checks while another thread registers and deregisters as fast as
 * it can. A check takes a reference and gives it back. The baselines do the same look-up and the
 * same comparisons: in a bare array that nothing protects, which no device could use, and in a map
 * behind a read-write lock, which is what a device without a lock-free table would use.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Group)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class KeyCheckBenchmark {
  private static final int REGIONS = 256;
  private static final int LENGTH = 4096;
  private static final long IOVA = 0x7f00_0000_0000L;
  private static final AccessFlags RIGHTS =
      AccessFlags.of(Flag.LOCAL_WRITE, Flag.REMOTE_WRITE, Flag.REMOTE_READ);

  /** What the baselines know of a registration. */
  private record Plain(
      MemoryKey key, ProtectionDomain pd, AccessFlags rights, long iova, long size) {
    boolean permits(MemoryKey asked, ProtectionDomain domain, long va, long length) {
      return key.bits() == asked.bits()
          && pd == domain
          && rights.has(Flag.REMOTE_WRITE)
          && MemoryRegion.covers(iova, size, va, length);
    }
  }

  private SoftRnic device;
  private QueuePair qp;
  private KeyTable table;
  private Actor actor;
  private final MemoryKey[] keys = new MemoryKey[REGIONS];
  private final ByteBuffer memory = ByteBuffer.allocate(LENGTH);
  private int next;

  private final Plain[] array = new Plain[1024];
  private final Map<Integer, Plain> map = new HashMap<>();
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  /** Opens a device with live regions. */
  @Setup(Level.Trial)
  public void open() {
    device = SoftRnic.open(RnicConfig.forHost("responder").withKeyTableCapacity(1024), new Wire());
    ProtectionDomain pd = device.allocateProtectionDomain();
    qp = device.createQueuePair(pd, device.createCompletionQueue(), RIGHTS);
    table = device.keyTable();
    actor = new Actor("responder", "engine0");
    for (int i = 0; i < REGIONS; i++) {
      MemoryRegion region = pd.register(memory, IOVA, RIGHTS);
      keys[i] = region.rkey();
      Plain plain = new Plain(region.rkey(), pd, RIGHTS, IOVA, LENGTH);
      array[region.rkey().index()] = plain;
      map.put(region.rkey().index(), plain);
    }
  }

  /** Closes the device. */
  @TearDown(Level.Trial)
  public void close() {
    device.close();
  }

  private MemoryKey nextKey() {
    // A prime step visits every key and lets no prefetcher guess.
    next = next + 97 & REGIONS - 1;
    return keys[next];
  }

  private boolean checkOne() {
    KeyTarget region =
        table.check(
            actor, qp, 1, AccessKind.REMOTE_WRITE, nextKey(), IOVA + 64, 1024, 1024, 1024, null);
    if (region == null) {
      return false;
    }
    region.release();
    return true;
  }

  /** The checks, beside churn. */
  @Benchmark
  @Group("underChurn")
  @GroupThreads(1)
  public boolean check(CpuTime cpu) {
    cpu.count();
    return checkOne();
  }

  /** The churn. */
  @Benchmark
  @Group("underChurn")
  @GroupThreads(1)
  public void churn() {
    qp.pd().register(memory, IOVA, RIGHTS).deregister();
  }

  /** The checks alone. */
  @Benchmark
  @Group("quiet")
  @GroupThreads(1)
  public boolean checkQuiet(CpuTime cpu) {
    cpu.count();
    return checkOne();
  }

  /** Baseline: the bare look-up. */
  @Benchmark
  @Group("baselineArray")
  @GroupThreads(1)
  public boolean checkArray(CpuTime cpu) {
    cpu.count();
    MemoryKey key = nextKey();
    Plain plain = array[key.index()];
    return plain != null && plain.permits(key, qp.pd(), IOVA + 64, 1024);
  }

  /** Baseline: a map behind a lock, beside churn. */
  @Benchmark
  @Group("baselineLock")
  @GroupThreads(1)
  public boolean checkLock(CpuTime cpu) {
    cpu.count();
    MemoryKey key = nextKey();
    lock.readLock().lock();
    try {
      Plain plain = map.get(key.index());
      return plain != null && plain.permits(key, qp.pd(), IOVA + 64, 1024);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** The lock baseline's churn. */
  @Benchmark
  @Group("baselineLock")
  @GroupThreads(1)
  public void churnLock() {
    lock.writeLock().lock();
    try {
      map.put(1000, array[keys[0].index()]);
    } finally {
      lock.writeLock().unlock();
    }
    lock.writeLock().lock();
    try {
      map.remove(1000);
    } finally {
      lock.writeLock().unlock();
    }
  }
}
