package org.mrcheck.rnic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.TraceEvent.CheckVerdict;
import org.mrcheck.lang.trace.WcStatus;

/**
 * The table that turns a 32-bit key into a registration: 24 bits of index, 8 bits of tag (row K1).
 * Engine threads check keys without locks while application threads register and deregister.
 *
 * <h2>Concurrency</h2>
 *
 * <p>Every index has a {@link Slot} with one atomic word: a bit LIVE, the tag, and a count of the
 * threads that hold the slot. A check <em>enters</em> the slot with one fetch-and-add, which takes
 * a hold and reads LIVE and the tag in the same step; that is its linearisation point. It
 * <em>leaves</em> with another.
 *
 * <dl>
 *   <dt>What guards what
 *   <dd>{@code Slot.region} is written only while the slot is not LIVE, its index belongs to the
 *       one registering thread, and it is read only by a thread that entered and saw LIVE. The word
 *       orders the two: publication is a compare-and-set after the write, entering a fetch-and-add
 *       before the read. Nobody can replace the region under such a reader, because replacing needs
 *       a publication, and a publication needs a count of zero. The free list, {@code Slot.lastTag}
 *       and {@code Slot.retired} are guarded by the monitor of the allocation.
 *   <dt>Registration
 *   <dd>takes an index and a tag, traces {@code reg.call}, writes the region, publishes, traces
 *       {@code reg}. Linearisation point: the compare-and-set from (not LIVE, count 0) to (LIVE,
 *       tag, count 0).
 *   <dt>Deregistration
 *   <dd>traces {@code dereg.call}, clears LIVE (linearisation point: from here every check
 *       refuses), waits until the count was zero once, traces {@code dereg.return}, and only then
 *       gives the index back.
 *   <dt>Accepted check
 *   <dd>traces {@code check}, and later {@code dma.*}, while it holds the slot.
 *   <dt>Refused check
 *   <dd>traces {@code check} while it holds the slot, then leaves.
 * </dl>
 *
 * <p>From this the trace's order follows, where every event takes its stamp inside the trace call;
 * the slot is the {@link TraceOrder} of all of them, so that one before another there is one before
 * another in the trace. (1) An accepted check and its accesses come after {@code reg.call} of their
 * registration, which precedes the publication they saw, and before its {@code dereg.return}, which
 * waits for their hold. (2) A check refused because the key is not registered never comes between
 * {@code reg} and {@code dereg.call} of a registration of that key: it entered before the
 * publication, and then the publication waited for it to leave, so that its event precedes {@code
 * reg}; or it entered after LIVE was cleared, which is after {@code dereg.call}. (3) A check that
 * saw another key's registration live likewise precedes any later publication at this index. (4) A
 * check refused for its domain, right or range compares immutable fields, so that when its event is
 * stamped does not matter. An index outside the table is never registered at all.
 *
 * <p>The cost is that registering at an index waits for checks that are being refused there. Each
 * such check ends a queue pair and holds the slot only for its trace call, so that the wait is
 * short; it is a spin, then a short sleep.
 *
 * <h2>Reuse</h2>
 *
 * <p>The index freed last is given out first, which makes stale keys meet new registrations as soon
 * as possible (as in row K5). The tag goes up by one, modulo 256, each time an index is given out
 * (row K2). A tag is skipped while a message that was accepted under an earlier registration with
 * the same index and tag is still under way: packets of a message are bound to their registration,
 * not to the value of its key, and this keeps a refusal for that reason from hitting a key that is
 * live again.
 */
final class KeyTable {
  private static final long LIVE = 1L << 40;
  private static final int TAG_SHIFT = 32;
  private static final long HOLDERS = 0xffff_ffffL;

  /** One index. */
  static final class Slot extends TraceOrder {
    private static final VarHandle WORD;

    static {
      try {
        WORD = MethodHandles.lookup().findVarHandle(Slot.class, "word", long.class);
      } catch (ReflectiveOperationException impossible) {
        throw new ExceptionInInitializerError(impossible);
      }
    }

    private final int index;

    @SuppressWarnings("unused") // through WORD
    private volatile long word;

    private MemoryRegion region;
    private int lastTag;
    private List<MemoryRegion> retired = List.of();

    Slot(int order, int index, int lastTag) {
      super(order);
      this.index = index;
      this.lastTag = lastTag;
    }

    private long enter() {
      return (long) WORD.getAndAdd(this, 1L);
    }

    void leave() {
      long before = (long) WORD.getAndAdd(this, -1L);
      assert (before & HOLDERS) != 0 : "index=" + index + " left more often than entered";
    }

    private boolean publish(int tag) {
      long now = word;
      return (now & (LIVE | HOLDERS)) == 0
          && WORD.compareAndSet(this, now, LIVE | (long) tag << TAG_SHIFT);
    }

    private void invalidate() {
      WORD.getAndAdd(this, -LIVE);
    }

    private boolean isHeld() {
      return (word & HOLDERS) != 0;
    }
  }

  private final SoftRnic device;
  private final Slot[] slots;
  private final Allocation allocation;

  /**
   * What registering and deregistering write, guarded by its own monitor. It is an object of its
   * own so that it shares no cache line with what every check reads.
   */
  private static final class Allocation {
    private final int[] freeIndices;
    private int freeCount;
    private long lastNumber;

    Allocation(int capacity) {
      freeIndices = new int[capacity - 1];
      // The smallest index goes out first; index 0 never, so that no key is 0 (row K19).
      for (int index = capacity - 1; index >= 1; index--) {
        freeIndices[freeCount++] = index;
      }
    }

    boolean isEmpty() {
      return freeCount == 0;
    }

    int take() {
      return freeIndices[--freeCount];
    }

    void giveBack(int index) {
      freeIndices[freeCount++] = index;
    }
  }

  KeyTable(SoftRnic device, int capacity, long seed) {
    this.device = device;
    slots = new Slot[capacity];
    for (int index = 0; index < capacity; index++) {
      slots[index] =
          new Slot(
              device.config().recording().nextOrder(), index, (int) (mix(seed + index) & 0xff));
    }
    allocation = new Allocation(capacity);
  }

  SoftRnic device() {
    return device;
  }

  MemoryRegion register(
      Actor actor, ProtectionDomain pd, ByteBuffer memory, long iova, AccessFlags rights) {
    ByteBuffer slice = memory.slice();
    long size = slice.capacity();
    if (size != 0 && Long.compareUnsigned(iova + (size - 1), iova) < 0) {
      throw new IllegalArgumentException(
          "iova=0x" + Long.toHexString(iova) + " length=" + size + " runs past 2^64");
    }
    boolean remoteChange =
        rights.has(AccessFlags.Flag.REMOTE_WRITE) || rights.has(AccessFlags.Flag.REMOTE_ATOMIC);
    if (remoteChange && !rights.has(AccessFlags.Flag.LOCAL_WRITE)) {
      throw new IllegalArgumentException("rights=" + rights + " need local_write");
    }
    MemoryRegion region;
    synchronized (allocation) {
      if (allocation.isEmpty()) {
        throw new IllegalStateException("key table full: capacity=" + slots.length);
      }
      Slot slot = slots[allocation.take()];
      slot.lastTag = nextTag(slot);
      region =
          new MemoryRegion(
              this,
              slot,
              ++allocation.lastNumber,
              pd,
              MemoryKey.of(slot.index, slot.lastTag),
              slice,
              iova,
              rights);
    }
    device.trace().regCall(actor, region);
    Slot slot = region.slot();
    slot.region = region;
    int turns = 0;
    while (!slot.publish(region.rkey().tag())) {
      backOff(turns++);
    }
    device.trace().reg(actor, region);
    device.wire().tap().registered(device.host(), region);
    return region;
  }

  private static int nextTag(Slot slot) {
    if (!slot.retired.isEmpty()) {
      List<MemoryRegion> remaining = new ArrayList<>(slot.retired);
      remaining.removeIf(region -> !region.hasOpenMessages());
      slot.retired = remaining.isEmpty() ? List.of() : remaining;
    }
    int tag = slot.lastTag;
    for (int attempt = 0; attempt < 256; attempt++) {
      tag = (tag + 1) & 0xff;
      int candidate = tag;
      if (slot.retired.stream().noneMatch(region -> region.rkey().tag() == candidate)) {
        return tag;
      }
    }
    throw new IllegalStateException("index=" + slot.index + " every tag has an open message");
  }

  void deregister(Actor actor, MemoryRegion region) {
    Slot slot = region.slot();
    device.wire().tap().deregistrationCalled(device.host(), region);
    device.trace().deregCall(actor, region);
    slot.invalidate();
    if (!device.has(Defect.DEREG_DOES_NOT_DRAIN)) {
      int turns = 0;
      while (slot.isHeld()) {
        backOff(turns++);
      }
    }
    device.trace().deregReturn(actor, region);
    device.wire().tap().deregistrationReturned(device.host(), region);
    synchronized (allocation) {
      // No message can open on the region any more: opening needs an accepted check.
      if (region.hasOpenMessages()) {
        List<MemoryRegion> retired = new ArrayList<>(slot.retired);
        retired.add(region);
        slot.retired = retired;
      }
      allocation.giveBack(slot.index);
    }
  }

  /**
   * Checks the key for one packet and traces the verdict.
   *
   * @param length bytes of the packet's range, not 0
   * @param remaining bytes of the message from {@code va} on
   * @param range bytes from {@code va} on that must lie inside the region for this packet to pass:
   *     {@code length} or {@code remaining}
   * @param only the registration that earlier packets of the message were accepted under, or null
   * @return the region, whose reference the caller must {@link MemoryRegion#release}; or null
   */
  KeyTarget check(
      Actor actor,
      QueuePair qp,
      int psn,
      AccessKind access,
      MemoryKey key,
      long va,
      long length,
      long remaining,
      long range,
      KeyTarget only) {
    return check(
        actor,
        qp,
        qp.pd(),
        psn,
        access,
        key,
        va,
        length,
        remaining,
        range,
        only,
        only == null
            ? Policies.RecheckDepth.FULL
            : device.config().policies().get(Policies.RecheckDepth.class));
  }

  /** As the other, with the protection domain to compare and the depth of a repeated check. */
  KeyTarget check(
      Actor actor,
      QueuePair qp,
      ProtectionDomain pd,
      int psn,
      AccessKind access,
      MemoryKey key,
      long va,
      long length,
      long remaining,
      long range,
      KeyTarget only,
      Policies.RecheckDepth depth) {
    TracePoints trace = device.trace();
    int index = key.index();
    if (index >= slots.length) {
      refuse(trace, actor, qp, psn, access, key, va, length, remaining, "index", null, null);
      return null;
    }
    Slot slot = slots[index];
    long word = slot.enter();
    String cause;
    MemoryRegion region = null;
    if ((word & LIVE) == 0) {
      cause = "state";
    } else if ((int) (word >>> TAG_SHIFT & 0xff) != key.tag()) {
      cause = "tag";
    } else {
      region = slot.region;
      if (only != null && only != region) {
        cause = "registration";
      } else if (region.pd() != pd) {
        cause = "pd";
      } else if (!permits(region.rights(), access)) {
        cause = "rights";
      } else if (!region.covers(va, range)) {
        cause = "range";
      } else {
        trace.check(
            actor,
            qp.id(),
            psn,
            access,
            key,
            va,
            length,
            remaining,
            CheckVerdict.ACCEPT,
            null,
            region,
            slot);
        return region;
      }
    }
    refuse(trace, actor, qp, psn, access, key, va, length, remaining, cause, region, slot);
    slot.leave();
    return null;
  }

  /**
   * Executes a local invalidate on an engine's thread: waits for references that a DMA stage holds,
   * and for nothing else.
   */
  WcStatus localInvalidate(Actor actor, QueuePair qp, MemoryKey key) {
    throw new UnsupportedOperationException("local invalidate");
  }

  /** Executes a bind on an engine's thread, waiting as above. */
  WcStatus bind(Actor actor, QueuePair qp, WorkRequest.BindMemoryWindow request) {
    throw new UnsupportedOperationException("bind");
  }

  /** Executes a fast registration on an engine's thread, waiting as above. */
  WcStatus fastRegister(Actor actor, QueuePair qp, WorkRequest.FastRegister request) {
    throw new UnsupportedOperationException("fast registration");
  }

  /**
   * Executes a peer's SEND with invalidate on an engine's thread, waiting as above.
   *
   * @return whether the key was invalidated; if not, nothing changed
   */
  boolean remoteInvalidate(Actor actor, QueuePair qp, MemoryKey key) {
    throw new UnsupportedOperationException("remote invalidate");
  }

  private static void refuse(
      TracePoints trace,
      Actor actor,
      QueuePair qp,
      int psn,
      AccessKind access,
      MemoryKey key,
      long va,
      long length,
      long remaining,
      String cause,
      MemoryRegion region,
      TraceOrder order) {
    trace.check(
        actor,
        qp.id(),
        psn,
        access,
        key,
        va,
        length,
        remaining,
        CheckVerdict.REFUSE,
        cause,
        region,
        order);
  }

  private static boolean permits(AccessFlags rights, AccessKind access) {
    return switch (access) {
      case LOCAL_READ -> true;
      case LOCAL_WRITE -> rights.has(AccessFlags.Flag.LOCAL_WRITE);
      case REMOTE_READ -> rights.has(AccessFlags.Flag.REMOTE_READ);
      case REMOTE_WRITE -> rights.has(AccessFlags.Flag.REMOTE_WRITE);
      case REMOTE_ATOMIC -> rights.has(AccessFlags.Flag.REMOTE_ATOMIC);
    };
  }

  private void backOff(int turns) {
    if (turns < 50) {
      Thread.onSpinWait();
    } else if (turns < 100) {
      Thread.yield();
    } else {
      device.requireAlive();
      LockSupport.parkNanos(20_000);
    }
  }

  private static long mix(long value) {
    long mixed = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
    return mixed ^ mixed >>> 27;
  }
}
