package org.mrcheck.rnic;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.TraceEvent.CallStatus;
import org.mrcheck.lang.trace.TraceEvent.CheckVerdict;
import org.mrcheck.lang.trace.TraceEvent.Mover;
import org.mrcheck.lang.trace.WcStatus;
import org.mrcheck.rnic.Policies.CheckOrder;
import org.mrcheck.rnic.Policies.DeregPolicy;
import org.mrcheck.rnic.Policies.HoldsReference;
import org.mrcheck.rnic.Policies.InvalidateScope;
import org.mrcheck.rnic.Policies.KeyCacheInvalidation;
import org.mrcheck.rnic.Policies.KeyReleasePoint;
import org.mrcheck.rnic.Policies.QueuePairsOnDereg;
import org.mrcheck.rnic.Policies.RecheckBy;
import org.mrcheck.rnic.Policies.RecheckDepth;
import org.mrcheck.rnic.Policies.ReregKey;
import org.mrcheck.rnic.Policies.ReregOrder;
import org.mrcheck.rnic.Policies.SplitTags;
import org.mrcheck.rnic.Policies.TranslationCacheInvalidation;
import org.mrcheck.rnic.Policies.WindowDereg;

/**
 * The table that turns a 32-bit key into a registration or a window, with a cache of its entries
 * and one of their translations before it. Engine threads check keys without locks while
 * application threads register, re-register and deregister, and engines bind and invalidate.
 *
 * <h2>Concurrency</h2>
 *
 * <p>Every index has a {@link KeySlot} with one atomic word: a bit LIVE and a count of the threads
 * that hold the slot. A check <em>enters</em> the slot with one fetch-and-add, which takes a hold
 * and reads LIVE in the same step, looks the key up in the key cache, and on a miss in the table.
 * It <em>leaves</em> with another fetch-and-add. What follows is for the policies of {@link
 * Policies#strict}; the others give some of it up, each where it is named.
 *
 * <dl>
 *   <dt>What guards what
 *   <dd>{@code KeySlot.entry} and {@code translation} are written by the one thread that has moved
 *       the holder ({@link KeyHolder}) to CHANGING, while the slot is not LIVE, and are read by
 *       threads that entered and saw LIVE. The word orders the two: publication is a
 *       compare-and-set after the write, entering a fetch-and-add before the read. Nobody can
 *       replace the entry under such a reader, because replacing needs a publication, and a
 *       publication needs a count of zero.
 *   <dt>Registration, re-registration, bind
 *   <dd>traces its call, writes the entry, publishes, traces its return. Linearisation point: the
 *       compare-and-set from (not LIVE, count 0) to (LIVE, count 0).
 *   <dt>Deregistration, invalidation, and the first half of re-registration
 *   <dd>traces its call, clears LIVE, drops the entry from both caches (from here on every check
 *       refuses; the last of these steps is the linearisation point), waits until the count was
 *       zero once, and then, deregistering, until the messages that were accepted under the
 *       registration are over; releases the pages, traces its return, and gives the index back.
 *   <dt>Hit in a cache
 *   <dd>The hold is taken before the cache is looked at. An entry is dropped from the cache before
 *       holds are waited for. So a check that hits either has its hold waited for, or took it after
 *       the wait was over and then looks at a cache that has dropped the entry.
 *   <dt>Fill of a cache
 *   <dd>The line's state is read first, LIVE and the entry after it, and what was read is installed
 *       only if the line was not invalidated meanwhile ({@link LookupCache}).
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
 * reg}; or it saw LIVE cleared, which is after {@code dereg.call}. (3) A check that saw another
 * key's registration live likewise precedes any later publication at this index. (4) A check
 * refused for its domain, right or range compares immutable fields, so that when its event is
 * stamped does not matter. An index outside the table is never registered at all.
 *
 * <p>The cost is that registering at an index waits for checks that are being refused there. Each
 * such check ends a queue pair and holds the slot only for its trace call, so that the wait is
 * short; it is a spin, then a short sleep.
 *
 * <p>Engines wait here for holds of packets only, never for messages: a packet's hold waits for
 * nothing but a DMA stage, which waits for nobody, while a message may wait for its peer.
 */
final class KeyTable {
  /** How long DrainTimeoutBusy waits (row D4: 5 s there; shorter here, so that runs show it). */
  private static final long BUSY_NANOS = 20_000_000;

  /** Lines of the caches, at most; as many as the table has indices if that is less. */
  private static final int CACHE_LINES = 256;

  private static final int PAGE = 4096;

  private final SoftRnic device;
  private final TracePoints trace;
  private final KeySlot[] slots;
  private final KeyAllocator allocator;
  private final LookupCache<KeyEntry> keyCache;
  private final LookupCache<Translation> translationCache;
  private final AtomicLong nextBusAddress = new AtomicLong(1L << 40);
  private final AtomicLong nextWindow = new AtomicLong();

  // Policies and defects, resolved once.
  private final boolean slowFills;
  private final boolean wideIndex;
  private final boolean byIdentity;
  private final RecheckDepth recheckDepth;
  private final CheckOrder checkOrder;
  private final DeregPolicy deregPolicy;
  private final boolean holdsReference;
  private final KeyReleasePoint releasePoint;
  private final boolean splitTags;
  private final InvalidateScope invalidateScope;
  private final Set<Defect> defects;
  private final boolean defective;

  // Caches whose invalidation is put off.
  private final Deferred<KeyEntry> deferredKeys;
  private final Deferred<Translation> deferredTranslations;

  KeyTable(SoftRnic device) {
    this.device = device;
    trace = device.trace();
    Policies policies = device.config().policies();
    int capacity = device.config().keyTableCapacity();
    slots = new KeySlot[capacity];
    for (int index = 0; index < capacity; index++) {
      slots[index] = new KeySlot(device.config().recording().nextOrder(), index);
    }
    allocator = new KeyAllocator(device.config());
    int lines = Math.min(CACHE_LINES, Integer.highestOneBit(capacity - 1) << 1);
    Policies.CacheFillGuard guard = policies.get(Policies.CacheFillGuard.class);
    keyCache = new LookupCache<>(lines, guard);
    translationCache = new LookupCache<>(lines, guard);
    slowFills = guard == Policies.CacheFillGuard.NONE;
    wideIndex = policies.get(Policies.TagPolicy.class) == Policies.TagPolicy.WIDE_GENERATION;
    byIdentity = policies.get(RecheckBy.class) == RecheckBy.IDENTITY;
    recheckDepth = policies.get(RecheckDepth.class);
    checkOrder = policies.get(CheckOrder.class);
    deregPolicy = policies.get(DeregPolicy.class);
    holdsReference = policies.get(HoldsReference.class) == HoldsReference.YES;
    releasePoint = policies.get(KeyReleasePoint.class);
    splitTags = policies.get(SplitTags.class) == SplitTags.YES;
    invalidateScope = policies.get(InvalidateScope.class);
    defects = device.config().defects();
    defective = !defects.isEmpty();
    deferredKeys =
        new Deferred<>(
            switch (policies.get(KeyCacheInvalidation.class)) {
              case BEFORE_RETURN -> Deferral.NONE;
              case AFTER_RETURN -> Deferral.SOON;
              case ON_NEXT_MISS -> Deferral.MISS;
              case BATCHED -> Deferral.BATCH;
            },
            this::dropKey);
    deferredTranslations =
        new Deferred<>(
            switch (policies.get(TranslationCacheInvalidation.class)) {
              case BEFORE_RETURN -> Deferral.NONE;
              case AFTER_RETURN -> Deferral.SOON;
              case ON_NEXT_MISS -> Deferral.MISS;
              case BATCHED -> Deferral.BATCH;
            },
            (actor, slot, translation) -> translationCache.invalidate(slot.index(), translation));
  }

  /** Whether these policies put something off. */
  static boolean needsHousekeeper(Policies policies) {
    DeregPolicy dereg = policies.get(DeregPolicy.class);
    return dereg == DeregPolicy.LAZY
        || dereg == DeregPolicy.REFCOUNT_RETURN
        || policies.get(KeyCacheInvalidation.class) != KeyCacheInvalidation.BEFORE_RETURN
        || policies.get(TranslationCacheInvalidation.class)
            != TranslationCacheInvalidation.BEFORE_RETURN;
  }

  SoftRnic device() {
    return device;
  }

  KeyAllocator allocator() {
    return allocator;
  }

  // Checks.

  /**
   * Checks the key for one packet and traces the verdict.
   *
   * @param length bytes of the packet's range, not 0
   * @param remaining bytes of the message from {@code va} on
   * @param range bytes from {@code va} on that must lie inside the region for this packet to pass:
   *     {@code length} or {@code remaining}
   * @param only what earlier packets of the message were accepted under, or null
   * @return what was found, whose reference the caller must {@link KeyTarget#release}; or null
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
        only == null ? RecheckDepth.FULL : recheckDepth);
  }

  /**
   * As the other, with the protection domain to compare (row C21) and the depth of a repeated
   * check. LITE compares key and state, NONE nothing: it takes a hold of what was found before, and
   * traces no check.
   */
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
      RecheckDepth depth) {
    KeyEntry before = (KeyEntry) only;
    if (before != null && depth == RecheckDepth.NONE) {
      before.slot().enter();
      return before;
    }
    int index = wideIndex ? allocator.index(key) : key.index();
    if (index >= slots.length) {
      traceRefusal(actor, qp, psn, access, key, va, length, remaining, "index", null, null);
      return null;
    }
    KeySlot slot = slots[index];
    device.scheduler().reach(SwitchPoint.KEY_ENTER, slot);
    boolean live = slot.enter();
    LookupCache.State<KeyEntry> line = keyCache.state(index);
    KeyEntry entry = line.value;
    if (entry != null && entry.slot() == slot && entry.answersTo(key, access)) {
      trace.cacheHit(actor, key, entry);
    } else {
      entry = live ? miss(actor, slot, line) : null;
    }
    if (entry != null
        && entry.answersTo(key, access)
        && (before == null || !byIdentity || before.registration() == entry.registration())
        && (before != null && depth == RecheckDepth.LITE
            || entry.pd() == pd
                && entry.permits(access)
                && entry.covers(va, range)
                && (entry.onlyQueuePair() == null || entry.onlyQueuePair() == qp))
        && !(defective && refusesAnyway(psn))) {
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
          entry,
          slot);
      if (defective && defects.contains(Defect.DMA_ELSEWHERE)) {
        slot.leave();
      }
      return entry.forAccess(access);
    }
    if (defective && acceptsAnyway(entry, key, access, pd, va, range)) {
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
          entry,
          slot);
      return entry.forAccess(access);
    }
    String cause = cause(entry, before, qp, pd, access, key, va, range);
    traceRefusal(actor, qp, psn, access, key, va, length, remaining, cause, entry, slot);
    slot.leave();
    return null;
  }

  /**
   * Reads the table and fills the cache. The caller holds the slot and has read the line's state;
   * LIVE is read after that, so that an entry that is invalid by now is not installed.
   */
  private KeyEntry miss(Actor actor, KeySlot slot, LookupCache.State<KeyEntry> line) {
    if (deferredKeys.isOnMiss()) {
      deferredKeys.flush(actor);
    }
    if (!slot.isLive()) {
      return null;
    }
    KeyEntry entry = slot.entry();
    if (slowFills) {
      fillSlowly(slot);
    }
    boolean filled =
        keyCache.fill(slot.index(), line, entry, () -> slot.isLive() && slot.entry() == entry);
    if (filled) {
      trace.cacheFill(actor, entry);
    }
    return entry;
  }

  /** Lets others run between a fetch and its fill, as the way over the bus does. */
  private void fillSlowly(KeySlot slot) {
    Scheduler scheduler = device.scheduler();
    scheduler.reach(SwitchPoint.CACHE_FILL, slot);
    if (scheduler.isFree()) {
      LockSupport.parkNanos(1_000);
    }
  }

  /**
   * Why a check would be refused now; for people, and for statuses that tell causes apart (row
   * C15). One of index, state, tag, registration, pd, queue pair, rights, range.
   */
  String refusalCause(
      QueuePair qp, ProtectionDomain pd, AccessKind access, MemoryKey key, long va, long range) {
    int index = allocator.index(key);
    if (index >= slots.length) {
      return "index";
    }
    KeySlot slot = slots[index];
    slot.enter();
    KeyEntry entry = slot.isLive() ? slot.entry() : null;
    String cause = cause(entry, null, qp, pd, access, key, va, range);
    slot.leave();
    return cause;
  }

  private String cause(
      KeyEntry entry,
      KeyEntry before,
      QueuePair qp,
      ProtectionDomain pd,
      AccessKind access,
      MemoryKey key,
      long va,
      long range) {
    if (entry == null) {
      return "state";
    }
    boolean domain = entry.pd() == pd;
    boolean right = entry.permits(access);
    boolean inside = entry.covers(va, range);
    switch (checkOrder) {
      case DOMAIN_FIRST:
        if (!domain) {
          return "pd";
        }
        break;
      case RIGHT_FIRST:
        if (!right) {
          return "rights";
        }
        break;
      case RANGE_FIRST:
        if (!inside) {
          return "range";
        }
        break;
      default:
        break;
    }
    if (!entry.answersTo(key, access)) {
      return "tag";
    }
    if (before != null && byIdentity && before.registration() != entry.registration()) {
      return "registration";
    }
    if (!domain) {
      return "pd";
    }
    if (entry.onlyQueuePair() != null && entry.onlyQueuePair() != qp) {
      return "queue pair";
    }
    if (!right) {
      return "rights";
    }
    return inside ? "defect" : "range";
  }

  private boolean refusesAnyway(int psn) {
    return defects.contains(Defect.REFUSES_GOOD_KEY) && psn * 0x9e3779b1 >>> 26 == 7;
  }

  /** The checks that a defect leaves out. */
  private boolean acceptsAnyway(
      KeyEntry entry, MemoryKey key, AccessKind access, ProtectionDomain pd, long va, long range) {
    if (entry == null || !entry.answersTo(key, access)) {
      return false;
    }
    boolean inside =
        entry.covers(va, range)
            || defects.contains(Defect.RANGE_OFF_BY_ONE)
                && entry.length() > 0
                && MemoryRegion.covers(entry.va(), entry.length() + 1, va, range)
            || defects.contains(Defect.RANGE_WRAPS)
                && Long.compareUnsigned(va, entry.va()) >= 0
                && Long.compareUnsigned(va + range, entry.va() + entry.length()) <= 0;
    return (entry.pd() == pd || defects.contains(Defect.SKIPS_PD))
        && (entry.permits(access) || defects.contains(Defect.SKIPS_RIGHT))
        && (entry.onlyQueuePair() == null || defects.contains(Defect.SKIPS_QUEUE_PAIR))
        && inside;
  }

  private void traceRefusal(
      Actor actor,
      QueuePair qp,
      int psn,
      AccessKind access,
      MemoryKey key,
      long va,
      long length,
      long remaining,
      String cause,
      KeyEntry entry,
      KeySlot slot) {
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
        entry,
        slot);
  }

  // Accesses.

  private Translation translate(KeyEntry entry) {
    KeySlot slot = entry.memorySlot();
    LookupCache.State<Translation> line = translationCache.state(slot.index());
    Translation cached = line.value;
    if (cached != null && cached.slot() == slot) {
      return cached;
    }
    if (deferredTranslations.isOnMiss()) {
      deferredTranslations.flush(null);
      line = translationCache.state(slot.index());
    }
    Translation fetched = slot.translation();
    if (slowFills) {
      fillSlowly(slot);
    }
    // An access may still be under way when its entry has been taken away: it is served, but what
    // it fetched must not stay behind for the slot's next holder. The line was read before.
    if (slot.isLive()) {
      translationCache.fill(
          slot.index(), line, fetched, () -> slot.isLive() && slot.translation() == fetched);
    }
    return fetched;
  }

  void read(KeyEntry entry, Actor actor, QueuePair qp, int psn, long va, byte[] into, int length) {
    KeyEntry used = defective ? used(entry) : entry;
    Translation translation = translate(used);
    translation.read(va, into, length);
    trace.dmaRead(
        actor, qp.id(), psn, used, entry.key(), va, tooLong(length), translation.busAddress(va));
    unuse(entry, used);
  }

  void write(KeyEntry entry, Actor actor, QueuePair qp, int psn, long va, byte[] from, int length) {
    KeyEntry used = defective ? used(entry) : entry;
    Translation translation = translate(used);
    translation.write(va, from, length);
    trace.dmaWrite(
        actor, qp.id(), psn, used, entry.key(), va, tooLong(length), translation.busAddress(va));
    unuse(entry, used);
  }

  private long tooLong(long length) {
    return defective && defects.contains(Defect.DMA_TOO_LONG) ? length + 1 : length;
  }

  /** What the access is made under: the checked entry, unless a defect looks again by index. */
  private KeyEntry used(KeyEntry entry) {
    if (!defects.contains(Defect.DMA_ELSEWHERE)) {
      return entry;
    }
    KeySlot slot = entry.slot();
    KeyEntry now = slot.enter() ? slot.entry() : entry;
    return now;
  }

  private void unuse(KeyEntry entry, KeyEntry used) {
    if (defective && defects.contains(Defect.DMA_ELSEWHERE)) {
      entry.slot().leave();
    }
  }

  void release(KeyEntry entry) {
    if (!(defective && defects.contains(Defect.DMA_ELSEWHERE))) {
      entry.slot().leave();
    }
  }

  // Registration.

  private Translation translation(KeySlot slot, ByteBuffer memory, long iova) {
    ByteBuffer slice = memory.slice();
    long size = slice.capacity();
    requireNoWrap(iova, size);
    long pages = (size + PAGE - 1) / PAGE;
    // Never given out again, so that an access to released pages is never mistaken for another.
    long bus = nextBusAddress.getAndAdd((pages + 1) * PAGE) + (iova & PAGE - 1);
    return new Translation(slot, slice, iova, bus);
  }

  private static void requireNoWrap(long iova, long size) {
    if (size != 0 && Long.compareUnsigned(iova + (size - 1), iova) < 0) {
      throw new IllegalArgumentException(
          "iova=0x" + Long.toHexString(iova) + " length=" + size + " runs past 2^64");
    }
  }

  private static boolean isConsistent(AccessFlags rights) {
    boolean remoteChange = rights.has(Flag.REMOTE_WRITE) || rights.has(Flag.REMOTE_ATOMIC);
    return !remoteChange || rights.has(Flag.LOCAL_WRITE);
  }

  private MemoryKey localKey(MemoryKey rkey) {
    return splitTags ? MemoryKey.of(rkey.index(), rkey.tag() ^ 0x55) : rkey;
  }

  private Registration newRegistration() {
    boolean again =
        defective && defects.contains(Defect.REUSE_OF_NUMBER) && (allocator.lastNumber() & 7) == 3;
    long number = again ? allocator.lastNumber() : allocator.nextNumber();
    return new Registration(number, putsQueuePairsInError());
  }

  private boolean putsQueuePairsInError() {
    return device.config().policies().get(QueuePairsOnDereg.class)
        == QueuePairsOnDereg.PUT_IN_ERROR;
  }

  MemoryRegion register(
      Actor actor, ProtectionDomain pd, ByteBuffer memory, long iova, AccessFlags rights) {
    requireNoWrap(iova, memory.remaining());
    if (!isConsistent(rights)) {
      throw new IllegalArgumentException("rights=" + rights + " need local_write");
    }
    pd.addUser();
    MemoryKey taken = takeKey(pd);
    KeySlot slot = slots[allocator.index(taken)];
    MemoryKey rkey = overflow(taken);
    MemoryRegion region = new MemoryRegion(this, slot, false, null);
    Translation translation = translation(slot, memory, iova);
    KeyEntry entry =
        KeyEntry.ofRegion(
            region,
            newRegistration(),
            rkey,
            localKey(rkey),
            pd,
            iova,
            translation.length(),
            rights);
    region.begin(entry, translation);
    trace.regCall(actor, entry, Optional.empty());
    pin(actor, entry, translation);
    publish(slot, entry, translation);
    trace.reg(actor, entry, Optional.empty());
    region.move(KeyHolder.State.CHANGING, KeyHolder.State.VALID);
    if (defective && defects.contains(Defect.FORGETS_KEY) && (entry.number() & 7) == 5) {
      slot.invalidate();
      dropKey(actor, slot, entry);
    }
    device.wire().tap().registered(device.host(), region);
    return region;
  }

  MemoryRegion allocateFastRegister(ProtectionDomain pd, ByteBuffer memory) {
    pd.addUser();
    MemoryKey rkey = takeKey(pd);
    KeySlot slot = slots[allocator.index(rkey)];
    MemoryRegion region = new MemoryRegion(this, slot, true, memory.slice());
    Registration none = new Registration(0, false);
    region.begin(
        KeyEntry.ofRegion(region, none, rkey, localKey(rkey), pd, 0, 0, AccessFlags.NONE), null);
    region.move(KeyHolder.State.CHANGING, KeyHolder.State.FREE);
    return region;
  }

  /** A key for something of that domain, which has been counted there already. */
  private MemoryKey takeKey(ProtectionDomain pd) {
    try {
      return allocator.take();
    } catch (IllegalStateException full) {
      pd.removeUser();
      throw full;
    }
  }

  /** The key itself, unless a defect makes an index that no region can have (row K18). */
  private MemoryKey overflow(MemoryKey key) {
    boolean overflows = hasDefect(Defect.INDEX_OVERFLOW) && (key.tag() & 7) == 5;
    return overflows ? MemoryKey.of(key.index() | 0x80_0000, key.tag()) : key;
  }

  private void pin(Actor actor, KeyEntry entry, Translation translation) {
    if (translation.length() != 0) {
      trace.pin(actor, entry, translation);
    }
  }

  private void unpin(Actor actor, KeyEntry entry, Translation translation) {
    if (translation.length() != 0) {
      trace.unpin(actor, entry, translation);
    }
  }

  private void publish(KeySlot slot, KeyEntry entry, Translation translation) {
    if (defective && slot.isLive()) {
      // A defect has left its predecessor here.
      slot.invalidate();
      keyCache.invalidate(slot.index(), slot.entry());
    }
    slot.store(entry);
    if (translation != null) {
      slot.store(translation);
    }
    await(SwitchPoint.KEY_PUBLISH, slot, Long.MAX_VALUE, slot::publish);
  }

  // Deregistration.

  /**
   * Deregisters a region whose state the caller has moved to CHANGING.
   *
   * @return OK; or BUSY: nothing has changed
   */
  CallStatus deregister(Actor actor, MemoryRegion region) {
    KeyEntry entry = region.entry();
    device.wire().tap().deregistrationCalled(device.host(), region);
    trace.deregCall(actor, entry);
    CallStatus status = end(actor, region, entry);
    if (status == CallStatus.OK) {
      region.move(KeyHolder.State.CHANGING, KeyHolder.State.GONE);
      entry.pd().removeUser();
    } else {
      trace.deregReturn(actor, entry, status);
      region.move(KeyHolder.State.CHANGING, KeyHolder.State.VALID);
    }
    return status;
  }

  private CallStatus end(Actor actor, MemoryRegion region, KeyEntry entry) {
    KeySlot slot = entry.slot();
    Translation translation = region.translation();
    if (!region.windows().isEmpty() && !hasDefect(Defect.DEREG_WITH_WINDOW)) {
      if (device.config().policies().get(WindowDereg.class) == WindowDereg.REFUSE) {
        return CallStatus.BUSY;
      }
      region.windows().forEach(window -> cascade(actor, window));
    }
    if (deregPolicy == DeregPolicy.LAZY) {
      returned(actor, region, entry);
      device
          .housekeeper()
          .after(
              Housekeeper.BATCH_NANOS,
              () -> {
                Actor later = device.housekeeper().actor();
                takeAway(slot);
                forget(later, entry, translation);
                drain(slot, null, Long.MAX_VALUE);
                unpin(later, entry, translation);
                allocator.giveBack(keyOf(slot, entry), entry);
              });
      return CallStatus.OK;
    }
    if (hasDefect(Defect.UNPIN_BEFORE_REVOKE)) {
      unpin(actor, entry, translation);
    }
    if (deregPolicy == DeregPolicy.REFUSE_IF_BUSY) {
      if (!slot.invalidateIfIdle()) {
        return CallStatus.BUSY;
      }
      if (holdsReference && entry.registration().hasOpenMessages()) {
        slot.restore();
        return CallStatus.BUSY;
      }
    } else if (!outlivesDereg() && !region.isUnpublished()) {
      takeAway(slot);
    }
    region.unpublish();
    if (releasePoint == KeyReleasePoint.BEFORE_DEREG_RETURN && region.giveIndexBack()) {
      allocator.giveBack(keyOf(slot, entry), entry);
    }
    if (!outlivesDereg()) {
      forget(actor, entry, translation);
    }
    if (putsQueuePairsInError()) {
      for (QueuePair qp : entry.registration().users()) {
        qp.enterError(actor, Mover.DEVICE);
      }
    }
    boolean unpins = !hasDefect(Defect.UNPIN_BEFORE_REVOKE);
    switch (deregPolicy) {
      case NO_FENCE:
        unpin(actor, entry, translation);
        break;
      case REFCOUNT_RETURN:
        unpinWhenUnused(entry, translation);
        break;
      case DRAIN_TIMEOUT_BUSY:
        if (!drain(slot, entry, BUSY_NANOS)) {
          // The key is dead, the region is still there, its pages pinned (row D4).
          return CallStatus.BUSY;
        }
        unpin(actor, entry, translation);
        break;
      default:
        if (hasDefect(Defect.UNPIN_BEFORE_DRAIN)) {
          unpin(actor, entry, translation);
          unpins = false;
        }
        if (hasDefect(Defect.DEREG_RETURNS_WITH_REFERENCES)) {
          drain(slot, null, Long.MAX_VALUE);
        } else if (!hasDefect(Defect.DEREG_DOES_NOT_DRAIN)) {
          drain(slot, entry, Long.MAX_VALUE);
        }
        if (unpins) {
          unpin(actor, entry, translation);
        }
        break;
    }
    if (hasDefect(Defect.DOUBLE_UNPIN)) {
      unpin(actor, entry, translation);
    }
    returned(actor, region, entry);
    if (region.giveIndexBack()) {
      allocator.giveBack(keyOf(slot, entry), entry);
    }
    return CallStatus.OK;
  }

  private static MemoryKey keyOf(KeySlot slot, KeyEntry entry) {
    return entry.rkey().index() == (slot.index() | 0x80_0000)
        ? MemoryKey.of(slot.index(), entry.rkey().tag())
        : entry.rkey();
  }

  private boolean hasDefect(Defect defect) {
    return defective && defects.contains(defect);
  }

  /** Clears LIVE. */
  private void takeAway(KeySlot slot) {
    device.scheduler().reach(SwitchPoint.KEY_INVALIDATE, slot);
    slot.invalidate();
  }

  /** Releases the pages when the last packet, and the last message that holds them, is done. */
  private void unpinWhenUnused(KeyEntry entry, Translation translation) {
    device
        .housekeeper()
        .retry(
            0,
            () -> {
              boolean used =
                  entry.slot().isHeld() || holdsReference && entry.registration().hasOpenMessages();
              if (!used) {
                unpin(device.housekeeper().actor(), entry, translation);
              }
              return !used;
            });
  }

  private void returned(Actor actor, MemoryRegion region, KeyEntry entry) {
    trace.deregReturn(actor, entry, CallStatus.OK);
    if (defective && defects.contains(Defect.DOUBLE_RETURN) && (entry.number() & 7) == 1) {
      trace.deregReturn(actor, entry, CallStatus.OK);
    }
    device.wire().tap().deregistrationReturned(device.host(), region);
  }

  private boolean outlivesDereg() {
    return defective
        && (defects.contains(Defect.KEY_OUTLIVES_DEREG)
            || defects.contains(Defect.ACCEPTS_DEAD_KEY));
  }

  /** Drops an entry and its translation from the caches, now or when the policies do it. */
  private void forget(Actor actor, KeyEntry entry, Translation translation) {
    if (!hasDefect(Defect.SKIPS_KEY_CACHE)) {
      deferredKeys.drop(actor, entry.slot(), entry);
    }
    if (translation != null && !hasDefect(Defect.SKIPS_TRANSLATION_CACHE)) {
      deferredTranslations.drop(actor, entry.slot(), translation);
    }
  }

  private void dropKey(Actor actor, KeySlot slot, KeyEntry entry) {
    if (keyCache.invalidate(slot.index(), entry)) {
      trace.cacheInval(actor, entry);
    }
  }

  /**
   * Waits until the slot's count was zero once, and then for the entry's messages where they hold
   * references.
   *
   * @param entry whose messages to wait for; null for packets only
   * @return false if the time was over first
   */
  private boolean drain(KeySlot slot, KeyEntry entry, long patienceNanos) {
    if (!await(SwitchPoint.KEY_DRAIN, slot, patienceNanos, () -> !slot.isHeld())) {
      return false;
    }
    return entry == null
        || !holdsReference
        || await(
            SwitchPoint.KEY_DRAIN,
            slot,
            patienceNanos,
            () -> !entry.registration().hasOpenMessages());
  }

  private boolean await(
      SwitchPoint point, KeySlot slot, long patienceNanos, BooleanSupplier ready) {
    Scheduler scheduler = device.scheduler();
    if (!scheduler.isFree()) {
      return scheduler.await(point, slot, patienceNanos, ready);
    }
    long begin = 0;
    for (int turn = 0; !ready.getAsBoolean(); turn++) {
      if (turn < 50) {
        Thread.onSpinWait();
      } else if (turn < 100) {
        Thread.yield();
      } else {
        device.requireAlive();
        long now = System.nanoTime();
        begin = begin == 0 ? now : begin;
        if (now - begin > patienceNanos) {
          return ready.getAsBoolean();
        }
        LockSupport.parkNanos(20_000);
      }
    }
    return true;
  }

  // Re-registration.

  /**
   * Re-registers a region whose state the caller has moved to CHANGING.
   *
   * @param memory null to keep the translation
   */
  ReregStatus reregister(
      Actor actor,
      MemoryRegion region,
      ProtectionDomain pd,
      ByteBuffer memory,
      long iova,
      AccessFlags rights) {
    KeyEntry old = region.entry();
    KeySlot slot = old.slot();
    Translation oldTranslation = region.translation();
    Translation translation = memory == null ? oldTranslation : translation(slot, memory, iova);
    Policies policies = device.config().policies();
    MemoryKey rkey =
        policies.get(ReregKey.class) == ReregKey.NEW ? allocator.renew(old.rkey()) : old.rkey();
    KeyEntry asked =
        KeyEntry.ofRegion(
            region,
            old.registration(),
            rkey,
            localKey(rkey),
            pd,
            translation.iova(),
            translation.length(),
            rights);
    trace.reregCall(actor, old, asked);
    if (!region.windows().isEmpty() || !isConsistent(rights)) {
      trace.reregReturn(actor, old, CallStatus.ERROR);
      return ReregStatus.ERR_CMD;
    }
    boolean moves = translation != oldTranslation;
    if (hasDefect(Defect.REREG_KEEPS_OLD)) {
      trace.reregReturn(actor, asked, CallStatus.OK);
      return ReregStatus.SUCCESS;
    }
    if (hasDefect(Defect.REREG_MIXES) && moves) {
      pin(actor, asked, translation);
      slot.store(translation);
      translationCache.invalidate(slot.index(), oldTranslation);
      device.scheduler().sleep(300_000);
      replace(actor, old, asked, translation, translation);
      unpin(actor, old, oldTranslation);
      region.begin(asked, translation);
      trace.reregReturn(actor, asked, CallStatus.OK);
      return ReregStatus.SUCCESS;
    }
    switch (policies.get(ReregOrder.class)) {
      case IN_PLACE:
        if (moves) {
          pin(actor, asked, translation);
        }
        // Word by word: for a moment the new range and rights go with the old pages.
        slot.store(asked);
        device.scheduler().reach(SwitchPoint.KEY_PUBLISH, slot);
        slot.store(translation);
        forget(actor, old, moves ? oldTranslation : null);
        if (moves) {
          unpin(actor, old, oldTranslation);
        }
        break;
      case UNPIN_FIRST:
        if (moves) {
          unpin(actor, old, oldTranslation);
          pin(actor, asked, translation);
        }
        replace(actor, old, asked, oldTranslation, translation);
        break;
      default:
        if (moves) {
          pin(actor, asked, translation);
        }
        replace(actor, old, asked, oldTranslation, translation);
        if (moves) {
          unpin(actor, old, oldTranslation);
        }
        break;
    }
    if (old.pd() != pd) {
      pd.addUser();
      old.pd().removeUser();
    }
    region.begin(asked, translation);
    trace.reregReturn(actor, asked, CallStatus.OK);
    return ReregStatus.SUCCESS;
  }

  private void replace(
      Actor actor,
      KeyEntry old,
      KeyEntry asked,
      Translation oldTranslation,
      Translation translation) {
    KeySlot slot = old.slot();
    takeAway(slot);
    forget(actor, old, translation == oldTranslation ? null : oldTranslation);
    drain(slot, null, Long.MAX_VALUE);
    publish(slot, asked, translation);
  }

  // Fast registration, windows and invalidation, on engines' threads.

  /** Executes a fast registration: of a region that has no valid key, under a tag of the caller. */
  WcStatus fastRegister(Actor actor, QueuePair qp, WorkRequest.FastRegister request) {
    MemoryRegion region = request.region();
    KeyEntry old = region.entry();
    boolean fits =
        region.isForFastRegistration()
            && old.pd() == qp.pd()
            && allocator.index(request.newKey()) == old.slot().index()
            && request.length() >= 0
            && request.length() <= region.fastRegisterMemory().capacity()
            && (request.length() == 0
                || Long.compareUnsigned(request.iova() + (request.length() - 1), request.iova())
                    >= 0)
            && isConsistent(request.rights());
    if (!fits || !region.move(KeyHolder.State.FREE, KeyHolder.State.CHANGING)) {
      // Not free, or another index (L121): the key stays as it is.
      return WcStatus.LOC_QP_OP_ERR;
    }
    KeySlot slot = region.slot();
    Translation translation =
        translation(
            slot, region.fastRegisterMemory().slice(0, (int) request.length()), request.iova());
    MemoryKey rkey = request.newKey();
    KeyEntry entry =
        KeyEntry.ofRegion(
            region,
            newRegistration(),
            rkey,
            localKey(rkey),
            old.pd(),
            request.iova(),
            request.length(),
            request.rights());
    region.begin(entry, translation);
    trace.regCall(actor, entry, Optional.of(qp.id()));
    pin(actor, entry, translation);
    publish(slot, entry, translation);
    trace.reg(actor, entry, Optional.of(qp.id()));
    region.move(KeyHolder.State.CHANGING, KeyHolder.State.VALID);
    return WcStatus.SUCCESS;
  }

  MemoryWindow allocateWindow(Actor actor, ProtectionDomain pd, MemoryWindow.Type type) {
    pd.addUser();
    MemoryKey key = takeKey(pd);
    MemoryWindow window =
        new MemoryWindow(
            this, slots[allocator.index(key)], nextWindow.incrementAndGet(), pd, type, key);
    trace.mwAlloc(actor, window);
    return window;
  }

  /** Executes a bind. Type 1: also binds anew, and length 0 unbinds (rows W1, W2). */
  WcStatus bind(Actor actor, QueuePair qp, WorkRequest.BindMemoryWindow request) {
    MemoryWindow window = request.window();
    boolean type2 = window.type() == MemoryWindow.Type.TYPE_2;
    KeyHolder.State before = window.state();
    boolean claimed =
        (before == KeyHolder.State.FREE
                || before == KeyHolder.State.VALID
                    && (!type2 || hasDefect(Defect.REBINDS_BOUND_WINDOW)))
            && window.move(before, KeyHolder.State.CHANGING);
    if (!claimed) {
      return WcStatus.MW_BIND_ERR;
    }
    MemoryRegion region = request.region();
    KeyEntry memory = region.entry();
    boolean unbinds = request.length() == 0;
    KeyEntry entry =
        KeyEntry.ofWindow(
            window,
            memory,
            new Registration(window.number(), putsQueuePairsInError()),
            request.newKey(),
            request.va(),
            request.length(),
            request.rights(),
            type2 ? qp : null);
    boolean good =
        window.pd() == qp.pd()
            && allocator.index(request.newKey()) == window.slot().index()
            && (unbinds ? !type2 && before == KeyHolder.State.VALID : isBindable(request, memory));
    boolean added = good && !unbinds && region.add(window);
    if (!good || !unbinds && !added) {
      trace.bindCall(actor, window, entry, qp.id());
      trace.bindReturn(actor, window, entry, CallStatus.ERROR);
      window.move(KeyHolder.State.CHANGING, before);
      return WcStatus.MW_BIND_ERR;
    }
    trace.bindCall(actor, window, entry, qp.id());
    KeyEntry old = window.entry();
    if (before == KeyHolder.State.VALID) {
      takeAway(window.slot());
      forget(actor, old, null);
      drain(window.slot(), null, Long.MAX_VALUE);
      MemoryRegion oldRegion = old.region();
      if (oldRegion != region || unbinds) {
        oldRegion.remove(window);
      }
    }
    window.begin(entry);
    if (unbinds) {
      trace.bindReturn(actor, window, entry, CallStatus.OK);
      window.move(KeyHolder.State.CHANGING, KeyHolder.State.FREE);
    } else {
      publish(window.slot(), entry, null);
      trace.bindReturn(actor, window, entry, CallStatus.OK);
      window.move(KeyHolder.State.CHANGING, KeyHolder.State.VALID);
    }
    return WcStatus.SUCCESS;
  }

  private boolean isBindable(WorkRequest.BindMemoryWindow request, KeyEntry memory) {
    AccessFlags rights = request.rights();
    boolean changes = rights.has(Flag.REMOTE_WRITE) || rights.has(Flag.REMOTE_ATOMIC);
    return memory.pd() == request.window().pd()
        && memory.rights().has(Flag.MW_BIND)
        && (!changes
            || memory.rights().has(Flag.LOCAL_WRITE)
            || hasDefect(Defect.WINDOW_MORE_RIGHTS))
        && request.length() > 0
        && (memory.covers(request.va(), request.length())
            || hasDefect(Defect.WINDOW_OUTSIDE_REGION));
  }

  void deallocate(Actor actor, MemoryWindow window, boolean bound) {
    KeyEntry entry = window.entry();
    trace.mwDeallocCall(actor, window, bound);
    if (bound) {
      unbind(actor, window, entry);
    }
    trace.mwDeallocReturn(actor, window, bound);
    window.move(KeyHolder.State.CHANGING, KeyHolder.State.GONE);
    window.pd().removeUser();
    allocator.giveBack(window.rkey(), entry);
  }

  private void unbind(Actor actor, MemoryWindow window, KeyEntry entry) {
    takeAway(window.slot());
    forget(actor, entry, null);
    if (drains()) {
      drain(window.slot(), null, Long.MAX_VALUE);
    }
    entry.region().remove(window);
  }

  /** Whether taking a key away waits for accesses under way. */
  private boolean drains() {
    return deregPolicy != DeregPolicy.NO_FENCE && deregPolicy != DeregPolicy.REFCOUNT_RETURN;
  }

  /** Its region goes: the window goes with it. */
  private void cascade(Actor actor, MemoryWindow window) {
    if (window.move(KeyHolder.State.VALID, KeyHolder.State.CHANGING)) {
      KeyEntry entry = window.entry();
      trace.invCall(actor, entry, Optional.empty());
      unbind(actor, window, entry);
      trace.invReturn(actor, entry, Optional.empty(), CallStatus.OK);
      window.move(KeyHolder.State.CHANGING, KeyHolder.State.FREE);
    }
  }

  /**
   * Executes a local invalidate: of a region that a work request registered, or of a window of type
   * 2, in the queue pair's domain.
   */
  WcStatus localInvalidate(Actor actor, QueuePair qp, MemoryKey key) {
    KeyEntry entry = entryOf(key);
    boolean good =
        entry != null
            && entry.rkey().equals(key)
            && isInvalidatable(entry)
            && entry.pd() == qp.pd()
            && (entry.onlyQueuePair() == null || entry.onlyQueuePair() == qp);
    return good && invalidate(actor, qp, entry) ? WcStatus.SUCCESS : WcStatus.LOC_QP_OP_ERR;
  }

  /**
   * Executes a peer's SEND with invalidate, as far as the policy InvalidateScope lets it.
   *
   * @return whether the key is invalid now; if not, nothing changed
   */
  boolean remoteInvalidate(Actor actor, QueuePair qp, MemoryKey key) {
    KeyEntry entry = entryOf(key);
    switch (invalidateScope) {
      case DOMAIN_ONLY:
        // The tag is not looked at, nor what made the key; an invalid one is good enough.
        if (entry == null) {
          return allocator.index(key) < slots.length && slots[allocator.index(key)].entry() != null;
        }
        return entry.pd() == qp.pd() && invalidate(actor, qp, entry);
      case KEY_ONLY:
        return entry != null
            && entry.rkey().equals(key)
            && isInvalidatable(entry)
            && invalidate(actor, qp, entry);
      default:
        return entry != null
            && entry.rkey().equals(key)
            && isInvalidatable(entry)
            && entry.pd() == qp.pd()
            && (entry.onlyQueuePair() == null || entry.onlyQueuePair() == qp)
            && invalidate(actor, qp, entry);
    }
  }

  /** The entry that is valid at the key's index, whatever its tag; null if there is none. */
  private KeyEntry entryOf(MemoryKey key) {
    int index = allocator.index(key);
    if (index >= slots.length) {
      return null;
    }
    KeySlot slot = slots[index];
    slot.enter();
    KeyEntry entry = slot.isLive() ? slot.entry() : null;
    slot.leave();
    return entry;
  }

  /** Whether it was made by a work request, and no window stands on it (rows E9, W1). */
  private static boolean isInvalidatable(KeyEntry entry) {
    if (entry.holder() instanceof MemoryRegion region) {
      return region.isForFastRegistration() && region.windows().isEmpty();
    }
    return entry.onlyQueuePair() != null;
  }

  private boolean invalidate(Actor actor, QueuePair qp, KeyEntry named) {
    KeyEntry entry = hasDefect(Defect.INVALIDATES_ANOTHER) ? another(named) : named;
    KeyHolder holder = entry.holder();
    if (!holder.move(KeyHolder.State.VALID, KeyHolder.State.CHANGING)) {
      return false;
    }
    KeySlot slot = entry.slot();
    if (slot.entry() != entry) {
      holder.move(KeyHolder.State.CHANGING, KeyHolder.State.VALID);
      return false;
    }
    Optional<QueuePairId> by = Optional.of(qp.id());
    trace.invCall(actor, entry, by);
    if (hasDefect(Defect.INVALIDATE_DOES_NOTHING)) {
      trace.invReturn(actor, entry, by, CallStatus.OK);
      holder.move(KeyHolder.State.CHANGING, KeyHolder.State.VALID);
      return true;
    }
    if (holder instanceof MemoryRegion region) {
      takeAway(slot);
      forget(actor, entry, region.translation());
      if (drains()) {
        drain(slot, null, Long.MAX_VALUE);
      }
      unpin(actor, entry, region.translation());
    } else {
      unbind(actor, (MemoryWindow) holder, entry);
    }
    trace.invReturn(actor, entry, by, CallStatus.OK);
    holder.move(KeyHolder.State.CHANGING, KeyHolder.State.FREE);
    return true;
  }

  /** Something else that could be invalidated, if there is anything. */
  private KeyEntry another(KeyEntry entry) {
    for (KeySlot slot : slots) {
      if (slot.isLive() && slot != entry.slot() && isInvalidatable(slot.entry())) {
        return slot.entry();
      }
    }
    return entry;
  }

  /** A region for fast registration that has no valid key goes; no event tells of it. */
  void discard(MemoryRegion region) {
    region.entry().pd().removeUser();
    allocator.giveBack(region.entry().rkey(), null);
  }

  // Caches whose invalidation is put off.

  private enum Deferral {
    NONE,
    SOON,
    MISS,
    BATCH
  }

  /** What drops a value from a cache. */
  private interface Drop<V> {
    void drop(Actor actor, KeySlot slot, V value);
  }

  /** Invalidations of one cache, done when its policy does them. */
  private final class Deferred<V> {
    private record Item<V>(KeySlot slot, V value) {}

    private final Deferral deferral;
    private final Drop<V> drop;
    private final ConcurrentLinkedQueue<Item<V>> pending = new ConcurrentLinkedQueue<>();

    Deferred(Deferral deferral, Drop<V> drop) {
      this.deferral = deferral;
      this.drop = drop;
    }

    boolean isOnMiss() {
      return deferral == Deferral.MISS;
    }

    void drop(Actor actor, KeySlot slot, V value) {
      switch (deferral) {
        case NONE:
          device.scheduler().reach(SwitchPoint.CACHE_INVALIDATE, slot);
          drop.drop(actor, slot, value);
          break;
        case SOON:
          device
              .housekeeper()
              .after(
                  Housekeeper.SOON_NANOS,
                  () -> drop.drop(device.housekeeper().actor(), slot, value));
          break;
        case MISS:
          pending.add(new Item<>(slot, value));
          break;
        default:
          pending.add(new Item<>(slot, value));
          if (pending.size() >= Housekeeper.BATCH_SIZE) {
            flush(actor);
          } else {
            device
                .housekeeper()
                .after(Housekeeper.BATCH_NANOS, () -> flush(device.housekeeper().actor()));
          }
          break;
      }
    }

    void flush(Actor actor) {
      for (Item<V> item = pending.poll(); item != null; item = pending.poll()) {
        drop.drop(actor, item.slot(), item.value());
      }
    }
  }
}
