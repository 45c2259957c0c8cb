package org.mrcheck.rnic;

import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.TraceEvent.CallStatus;

/**
 * A memory region. One made by {@link ProtectionDomain#register} is valid from then until it is
 * deregistered. One made by {@link ProtectionDomain#allocateFastRegister} has an index and no valid
 * key; work requests make it valid ({@link WorkRequest.FastRegister}) and invalid again. Safe for
 * several threads.
 */
public final class MemoryRegion extends KeyHolder {
  private final boolean forFastRegistration;
  private final ByteBuffer fastRegisterMemory;
  private volatile KeyEntry entry;
  private volatile Translation translation;

  /**
   * A deregistration that gave up has taken its key away already, and its index. Of the thread that
   * has moved it to CHANGING.
   */
  private boolean unpublished;

  private boolean indexGivenBack;

  /** Windows bound to it; guarded by this. */
  private final Set<MemoryWindow> windows = new LinkedHashSet<>();

  MemoryRegion(
      KeyTable table, KeySlot slot, boolean forFastRegistration, ByteBuffer fastRegisterMemory) {
    super(table, slot, State.CHANGING);
    this.forFastRegistration = forFastRegistration;
    this.fastRegisterMemory = fastRegisterMemory;
  }

  /** By the thread that has moved it to CHANGING: what it is from now on. */
  void begin(KeyEntry newEntry, Translation newTranslation) {
    entry = newEntry;
    translation = newTranslation;
  }

  KeyEntry entry() {
    return entry;
  }

  Translation translation() {
    return translation;
  }

  boolean isUnpublished() {
    return unpublished;
  }

  void unpublish() {
    unpublished = true;
  }

  /** Whether this call is the first to give its index back. */
  boolean giveIndexBack() {
    boolean first = !indexGivenBack;
    indexGivenBack = true;
    return first;
  }

  boolean isForFastRegistration() {
    return forFastRegistration;
  }

  ByteBuffer fastRegisterMemory() {
    return fastRegisterMemory;
  }

  /** A window is about to be bound to it; false if it is not valid. */
  synchronized boolean add(MemoryWindow window) {
    if (state() != State.VALID) {
      return false;
    }
    windows.add(window);
    return true;
  }

  synchronized void remove(MemoryWindow window) {
    windows.remove(window);
  }

  synchronized List<MemoryWindow> windows() {
    return List.copyOf(windows);
  }

  /**
   * The number of the registration on its device, from 1, never reused; each fast registration has
   * its own, and 0 stands for none yet.
   */
  public long number() {
    return entry.number();
  }

  /** The protection domain it belongs to. */
  public ProtectionDomain pd() {
    return entry.pd();
  }

  /**
   * The local key. It has the same value as the rkey, as on many devices (row K16), unless the
   * policy SplitTags says otherwise.
   */
  public MemoryKey lkey() {
    return entry.lkey();
  }

  /** The remote key; without remote rights every remote access with it is refused. */
  public MemoryKey rkey() {
    return entry.rkey();
  }

  /** The first address, unsigned. */
  public long iova() {
    return entry.va();
  }

  /** Bytes. */
  public long length() {
    return entry.length();
  }

  /** The region's rights. */
  public AccessFlags rights() {
    return entry.rights();
  }

  /** Whether its key is valid, as far as its owner knows. */
  public boolean isValid() {
    return state() == State.VALID;
  }

  /**
   * The key for the next fast registration: the same index, and the next of the 256 tags, as {@code
   * ibv_inc_rkey} makes it (row K2).
   */
  public MemoryKey nextKey() {
    MemoryKey key = rkey();
    return MemoryKey.of(key.index(), key.tag() + 1 & 0xff);
  }

  /**
   * Deregisters: the key becomes invalid, so that every later check refuses it; accesses that
   * passed their check are waited for, and the messages that hold the region; then the call
   * returns, and the memory is the owner's alone (rows D2, D8). Other policies than DrainWait give
   * up the waiting or the success.
   *
   * <p>A packet that passed its check never waits for anything but the DMA stage. A message may
   * wait for its peer; its next packet is refused, and it ends with its queue pair's connection at
   * the latest. So a deregistration may wait for a peer that is silent (L39).
   *
   * @return OK; BUSY if the region is in use and nothing changed: a window is bound to it (IBA
   *     10.6.7.2.6), or the policies refuse to wait
   * @throws IllegalStateException if it was deregistered before, or another call is under way
   */
  public CallStatus deregister() {
    Actor actor = table().device().caller();
    if (move(State.VALID, State.CHANGING)) {
      return table().deregister(actor, this);
    }
    if (forFastRegistration && move(State.FREE, State.GONE)) {
      table().discard(this);
      return CallStatus.OK;
    }
    throw new IllegalStateException(this + " state=" + state() + " cannot be deregistered");
  }

  /**
   * Re-registers, as {@code ibv_rereg_mr} does: what is named changes, what is not stays. Between
   * call and return an access meets the old attributes or the new ones. The key stays unless the
   * policy ReregKey says otherwise; look at it afterwards.
   *
   * @param change what changes; not empty
   * @param pd the new domain, of the same device; ignored unless CHANGE_PD
   * @param memory the new memory, from its position to its limit, not empty; ignored unless
   *     CHANGE_TRANSLATION
   * @param iova the new address of its first byte; ignored unless CHANGE_TRANSLATION
   * @param rights the new rights; {@link AccessFlags#NONE} unless CHANGE_ACCESS
   * @return ERR_INPUT for arguments that rdma-core refuses; ERR_CMD if a window is bound, the
   *     rights contradict, or the region is not valid
   */
  public ReregStatus reregister(
      Set<ReregFlag> change,
      ProtectionDomain pd,
      ByteBuffer memory,
      long iova,
      AccessFlags rights) {
    boolean moves = change.contains(ReregFlag.CHANGE_TRANSLATION);
    boolean newDomain = change.contains(ReregFlag.CHANGE_PD);
    boolean newRights = change.contains(ReregFlag.CHANGE_ACCESS);
    if (change.isEmpty()
        || moves && (memory == null || !memory.hasRemaining() || iova == 0)
        || newDomain && (pd == null || pd.device() != table().device())
        || !newRights && rights.bits() != 0) {
      return ReregStatus.ERR_INPUT;
    }
    if (moves && Long.compareUnsigned(iova + (memory.remaining() - 1), iova) < 0) {
      return ReregStatus.ERR_INPUT;
    }
    if (forFastRegistration || !move(State.VALID, State.CHANGING)) {
      return ReregStatus.ERR_CMD;
    }
    try {
      return table()
          .reregister(
              table().device().caller(),
              this,
              newDomain ? pd : pd(),
              moves ? memory : null,
              iova,
              newRights ? rights : rights());
    } finally {
      move(State.CHANGING, State.VALID);
    }
  }

  /** Whether [va, va + length) lies inside, exactly, for any unsigned va and length. */
  boolean covers(long va, long accessLength) {
    return entry.covers(va, accessLength);
  }

  /**
   * Whether [va, va + length) is part of [base, base + size), in unsigned 64-bit numbers and
   * without a sum that could wrap (row C17): the access must not be longer than the region, and
   * must begin no later than where its length still fits. An address below the base makes the
   * difference wrap to a number that is at least 2^64 - base, which is larger than size - length
   * because base + size is at most 2^64 and length is not 0. An access of length 0 is covered
   * everywhere.
   */
  static boolean covers(long base, long size, long va, long accessLength) {
    return accessLength == 0
        || Long.compareUnsigned(accessLength, size) <= 0
            && Long.compareUnsigned(va - base, size - accessLength) <= 0;
  }

  @Override
  public String toString() {
    return "mr " + number();
  }
}
