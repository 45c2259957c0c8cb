package org.mrcheck.rnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.MemoryKey;

class KeyTableTest {
  private static final AccessFlags RIGHTS =
      AccessFlags.of(Flag.LOCAL_WRITE, Flag.REMOTE_WRITE, Flag.REMOTE_READ);

  @Test
  void register_atTheSameIndex_changesTheTagEachTime() {
    RnicConfig config =
        RnicConfig.forHost("a").withPolicies(Policies.strict().with(Policies.IndexReuse.LIFO));
    try (SoftRnic device = SoftRnic.open(config, new Wire())) {
      ProtectionDomain pd = device.allocateProtectionDomain();
      int index = -1;
      Set<Integer> tags = new HashSet<>();
      for (int i = 0; i < 256; i++) {
        MemoryRegion region = pd.register(ByteBuffer.allocate(1), 0, RIGHTS);
        assertThat(index == -1 || index == region.rkey().index()).isTrue();
        index = region.rkey().index();
        tags.add(region.rkey().tag());
        region.deregister();
      }
      assertThat(tags).hasSize(256);
    }
  }

  @Test
  void register_untilTheTableIsFull_neverGivesIndexZeroAndThenFails() {
    RnicConfig config = RnicConfig.forHost("a").withKeyTableCapacity(8);
    try (SoftRnic device = SoftRnic.open(config, new Wire())) {
      ProtectionDomain pd = device.allocateProtectionDomain();
      Set<Integer> indices = new HashSet<>();
      List<MemoryRegion> regions = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        regions.add(pd.register(ByteBuffer.allocate(1), 0, RIGHTS));
        indices.add(regions.get(i).rkey().index());
      }
      assertThat(indices).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7);
      assertThatThrownBy(() -> pd.register(ByteBuffer.allocate(1), 0, RIGHTS))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("capacity=8");
      regions.get(3).deregister();
      assertThat(pd.register(ByteBuffer.allocate(1), 0, RIGHTS).rkey().index()).isEqualTo(4);
    }
  }

  @Test
  void register_remoteWriteWithoutLocalWrite_isRejected() {
    try (SoftRnic device = SoftRnic.open(RnicConfig.forHost("a"), new Wire())) {
      ProtectionDomain pd = device.allocateProtectionDomain();
      assertThatThrownBy(
              () -> pd.register(ByteBuffer.allocate(1), 0, AccessFlags.of(Flag.REMOTE_WRITE)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void check_keyOutsideTheTable_isRefused() {
    RnicConfig config = RnicConfig.forHost("a").withKeyTableCapacity(8);
    try (SoftRnic device = SoftRnic.open(config, new Wire())) {
      QueuePair qp = queuePair(device);
      for (int bits : new int[] {0, 0x800, 0x7fffffff, 0x80000000, 0xffffffff}) {
        assertThat(check(device, qp, new MemoryKey(bits), 0, 1)).isNull();
      }
    }
  }

  @Test
  void check_underChurn_neverReachesARegionWhoseDeregistrationHasReturned() throws Exception {
    Churn churn = new Churn(Set.of());
    churn.run(1_000);

    assertThat(churn.accepted.get()).isPositive();
    assertThat(churn.refused.get()).isPositive();
    assertThat(churn.heldAfterReturn.get()).isZero();
    assertThat(churn.wrongKey.get()).isZero();
    assertThat(churn.oracle.complaints()).isEmpty();
    assertThat(churn.oracle.counts()).containsKeys(EventName.REG, EventName.CHECK_KEY);
  }

  @Test
  void check_underChurnWithDeregDoesNotDrain_reachesSuchRegions() throws Exception {
    Churn churn = new Churn(Set.of(Defect.DEREG_DOES_NOT_DRAIN));
    churn.run(1_000);

    assertThat(churn.heldAfterReturn.get()).isPositive();
  }

  private static QueuePair queuePair(SoftRnic device) {
    return device.createQueuePair(
        device.allocateProtectionDomain(), device.createCompletionQueue(), RIGHTS);
  }

  private static KeyTarget check(
      SoftRnic device, QueuePair qp, MemoryKey key, long va, int length) {
    return device
        .keyTable()
        .check(
            new Actor(device.host(), Thread.currentThread().getName()),
            qp,
            0,
            AccessKind.REMOTE_WRITE,
            key,
            va,
            length,
            length,
            length,
            null);
  }

  /**
   * Two threads check keys, guessed ones of a few indices with every tag, while two others register
   * and deregister at the same indices so fast that tags wrap around all the time.
   */
  private static final class Churn {
    final TraceOracle oracle = new TraceOracle();
    final AtomicLong accepted = new AtomicLong();
    final AtomicLong refused = new AtomicLong();
    final AtomicLong heldAfterReturn = new AtomicLong();
    final AtomicLong wrongKey = new AtomicLong();
    private final Set<Defect> defects;
    private final Set<Long> returned = ConcurrentHashMap.newKeySet();
    private final AtomicReferenceArray<MemoryKey> recent = new AtomicReferenceArray<>(2);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean over;

    Churn(Set<Defect> defects) {
      this.defects = defects;
    }

    void run(long millis) throws Exception {
      TraceRecording recording = TraceRecording.into(oracle);
      RnicConfig config =
          RnicConfig.forHost("a")
              .withKeyTableCapacity(4)
              .withDefects(defects)
              .withRecording(recording);
      SoftRnic device = SoftRnic.open(config, new Wire());
      QueuePair qp = queuePair(device);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        int number = i;
        threads.add(thread("owner" + i, () -> own(qp.pd(), number)));
        threads.add(thread("checker" + i, () -> checkKeys(device, qp, number)));
      }
      threads.forEach(Thread::start);
      Thread.sleep(millis);
      over = true;
      for (Thread thread : threads) {
        thread.join();
      }
      device.close();
      recording.close();
      assertThat(failure.get()).isNull();
    }

    private Thread thread(String name, Runnable task) {
      Thread thread = new Thread(task, name);
      thread.setUncaughtExceptionHandler((who, problem) -> failure.set(problem));
      return thread;
    }

    private void own(ProtectionDomain pd, int number) {
      ByteBuffer memory = ByteBuffer.allocate(16);
      while (!over) {
        MemoryRegion region = pd.register(memory, 0, RIGHTS);
        recent.set(number, region.rkey());
        if (number == 0) {
          Thread.yield();
        }
        region.deregister();
        returned.add(region.number());
      }
    }

    private void checkKeys(SoftRnic device, QueuePair qp, int number) {
      SplittableRandom random = new SplittableRandom(number);
      while (!over) {
        MemoryKey key = recent.get(random.nextInt(2));
        if (key == null || random.nextInt(4) == 0) {
          key = MemoryKey.of(random.nextInt(1, 4), random.nextInt(256));
        }
        KeyTarget region = check(device, qp, key, 0, 16);
        if (region == null) {
          refused.incrementAndGet();
          continue;
        }
        accepted.incrementAndGet();
        if (!((KeyEntry) region).rkey().equals(key)) {
          wrongKey.incrementAndGet();
        }
        for (int i = random.nextInt(50); i > 0; i--) {
          Thread.onSpinWait();
        }
        if (random.nextInt(4) == 0) {
          Thread.yield();
        }
        if (returned.contains(region.number())) {
          heldAfterReturn.incrementAndGet();
        }
        region.release();
      }
    }
  }
}
