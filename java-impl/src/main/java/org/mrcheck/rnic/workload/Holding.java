package org.mrcheck.rnic.workload;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.SplittableRandom;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.TraceEvent.CallStatus;
import org.mrcheck.rnic.MemoryRegion;
import org.mrcheck.rnic.ProtectionDomain;
import org.mrcheck.rnic.ReregFlag;

/**
 * One region of the responder's application at a time, registered, told to the peers, taken away.
 * Of its owner's thread alone, except {@link #advertised}.
 */
final class Holding {
  private static final long FIRST_PAGE = 0x7f00_0000_0000L;

  private final RaceBench bench;
  private volatile Advertisement advertised;
  private MemoryRegion region;

  Holding(RaceBench bench) {
    this.bench = bench;
  }

  /** What the peers know of it; null while they know nothing. */
  Advertisement advertised() {
    return advertised;
  }

  MemoryRegion region() {
    return region;
  }

  boolean isHeld() {
    return region != null;
  }

  /** Registers memory that nobody had before and tells the peers. */
  void register(ProtectionDomain pd, int length, AccessFlags rights, SplittableRandom random) {
    long iova = FIRST_PAGE + ((long) random.nextInt(1 << 20) << 12);
    region = pd.register(ByteBuffer.allocate(length), iova, rights);
    bench.registered();
    advertised = new Advertisement(region.rkey(), iova, length, rights);
  }

  /** Everything is allowed. */
  void register(int length, SplittableRandom random) {
    register(bench.responderPd(), length, Lane.ALL, random);
  }

  /** Tells the peers no more. */
  void withdraw() {
    advertised = null;
  }

  /** Changes pages, rights or domain, and tells the peers afterwards. */
  void reregister(int length, ProtectionDomain pd, SplittableRandom random) {
    EnumSet<ReregFlag> change = EnumSet.noneOf(ReregFlag.class);
    for (ReregFlag flag : ReregFlag.values()) {
      if (random.nextInt(flag == ReregFlag.CHANGE_TRANSLATION ? 2 : 4) == 0) {
        change.add(flag);
      }
    }
    if (change.isEmpty()) {
      change.add(ReregFlag.CHANGE_TRANSLATION);
    }
    AccessFlags rights =
        !change.contains(ReregFlag.CHANGE_ACCESS)
            ? AccessFlags.NONE
            : random.nextBoolean() ? Lane.ALL : AccessFlags.of(Flag.LOCAL_WRITE, Flag.REMOTE_WRITE);
    region.reregister(
        change,
        pd,
        ByteBuffer.allocate(length),
        FIRST_PAGE + ((long) random.nextInt(1 << 20) << 12),
        rights);
    advertised =
        new Advertisement(region.rkey(), region.iova(), (int) region.length(), region.rights());
  }

  /**
   * Takes the region away, trying again where the device says busy; the peers go on using the key
   * until the next registration unless it was withdrawn.
   */
  void deregister() throws InterruptedException {
    MemoryRegion going = region;
    region = null;
    for (int attempt = 0; attempt < Lane.MOST_ATTEMPTS; attempt++) {
      if (going.deregister() == CallStatus.OK) {
        bench.deregistered();
        return;
      }
      if (!bench.goesOn() && attempt > Lane.FEW_ATTEMPTS) {
        return;
      }
      Thread.sleep(1);
    }
  }
}
