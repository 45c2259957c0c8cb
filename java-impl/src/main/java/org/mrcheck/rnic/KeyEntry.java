package org.mrcheck.rnic;

import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.MemoryKey;

/**
 * What the key table says about one key at one time: whose it is, what it permits, where the memory
 * is. Immutable; re-registration makes another entry of the same {@link Registration}.
 */
final class KeyEntry implements KeyTarget {
  private final KeyTable table;
  private final KeySlot slot;
  private final KeySlot memorySlot;
  private final Registration registration;
  private final long number;
  private final MemoryKey rkey;
  private final MemoryKey lkey;
  private final ProtectionDomain pd;
  private final long va;
  private final long length;
  private final AccessFlags rights;
  private final QueuePair onlyQueuePair;
  private final KeyHolder holder;
  private final MemoryRegion region;
  private final MemoryKey key;
  private final KeyEntry localTwin;

  private KeyEntry(
      KeyHolder holder,
      MemoryRegion region,
      Registration registration,
      long number,
      MemoryKey rkey,
      MemoryKey lkey,
      ProtectionDomain pd,
      long va,
      long length,
      AccessFlags rights,
      QueuePair onlyQueuePair) {
    this.holder = holder;
    table = holder.table();
    slot = holder.slot();
    this.region = region;
    memorySlot = region.slot();
    this.registration = registration;
    this.number = number;
    this.rkey = rkey;
    this.lkey = lkey;
    this.pd = pd;
    this.va = va;
    this.length = length;
    this.rights = rights;
    this.onlyQueuePair = onlyQueuePair;
    key = rkey;
    localTwin = lkey == null || lkey.equals(rkey) ? null : new KeyEntry(this);
  }

  /** The twin of an entry that goes by its lkey. */
  private KeyEntry(KeyEntry entry) {
    holder = entry.holder;
    region = entry.region;
    table = entry.table;
    slot = entry.slot;
    memorySlot = entry.memorySlot;
    registration = entry.registration;
    number = entry.number;
    rkey = entry.rkey;
    lkey = entry.lkey;
    pd = entry.pd;
    va = entry.va;
    length = entry.length;
    rights = entry.rights;
    onlyQueuePair = entry.onlyQueuePair;
    key = entry.lkey;
    localTwin = null;
  }

  /** An entry of a region. */
  static KeyEntry ofRegion(
      MemoryRegion region,
      Registration registration,
      MemoryKey rkey,
      MemoryKey lkey,
      ProtectionDomain pd,
      long va,
      long length,
      AccessFlags rights) {
    return new KeyEntry(
        region,
        region,
        registration,
        registration.number(),
        rkey,
        lkey,
        pd,
        va,
        length,
        rights,
        null);
  }

  /**
   * An entry of a window on a region.
   *
   * @param onlyQueuePair the one that may use it, for type 2; null for type 1
   */
  static KeyEntry ofWindow(
      MemoryWindow window,
      KeyEntry region,
      Registration registration,
      MemoryKey rkey,
      long va,
      long length,
      AccessFlags rights,
      QueuePair onlyQueuePair) {
    return new KeyEntry(
        window,
        region.region,
        registration,
        region.number,
        rkey,
        null,
        window.pd(),
        va,
        length,
        rights,
        onlyQueuePair);
  }

  @Override
  public long number() {
    return number;
  }

  /** Whose life it belongs to. */
  Registration registration() {
    return registration;
  }

  KeyHolder holder() {
    return holder;
  }

  /** The region whose memory it is. */
  MemoryRegion region() {
    return region;
  }

  KeySlot slot() {
    return slot;
  }

  /** The slot of the region whose memory it is. */
  KeySlot memorySlot() {
    return memorySlot;
  }

  MemoryKey rkey() {
    return rkey;
  }

  /** Null for a window. */
  MemoryKey lkey() {
    return lkey;
  }

  ProtectionDomain pd() {
    return pd;
  }

  long va() {
    return va;
  }

  long length() {
    return length;
  }

  AccessFlags rights() {
    return rights;
  }

  /** Null if any queue pair of the domain may use it. */
  QueuePair onlyQueuePair() {
    return onlyQueuePair;
  }

  /** The key that accesses under this entry go by. */
  MemoryKey key() {
    return key;
  }

  /** This entry, or for a local access under split tags its twin that goes by the lkey. */
  KeyEntry forAccess(AccessKind access) {
    return localTwin == null || isRemote(access) ? this : localTwin;
  }

  private static boolean isRemote(AccessKind access) {
    return access != AccessKind.LOCAL_READ && access != AccessKind.LOCAL_WRITE;
  }

  /** Whether it is the key for that kind of access. */
  boolean answersTo(MemoryKey asked, AccessKind access) {
    MemoryKey mine = isRemote(access) ? rkey : lkey;
    return mine != null && mine.bits() == asked.bits();
  }

  boolean permits(AccessKind access) {
    return switch (access) {
      case LOCAL_READ -> true;
      case LOCAL_WRITE -> rights.has(AccessFlags.Flag.LOCAL_WRITE);
      case REMOTE_READ -> rights.has(AccessFlags.Flag.REMOTE_READ);
      case REMOTE_WRITE -> rights.has(AccessFlags.Flag.REMOTE_WRITE);
      case REMOTE_ATOMIC -> rights.has(AccessFlags.Flag.REMOTE_ATOMIC);
    };
  }

  boolean covers(long address, long accessLength) {
    return MemoryRegion.covers(va, length, address, accessLength);
  }

  @Override
  public void read(Actor actor, QueuePair qp, int psn, long address, byte[] into, int bytes) {
    table.read(this, actor, qp, psn, address, into, bytes);
  }

  @Override
  public void write(Actor actor, QueuePair qp, int psn, long address, byte[] from, int bytes) {
    table.write(this, actor, qp, psn, address, from, bytes);
  }

  @Override
  public void release() {
    table.release(this);
  }

  @Override
  public void openMessage(QueuePair qp) {
    registration.openMessage(qp);
  }

  @Override
  public void closeMessage(QueuePair qp) {
    registration.closeMessage(qp);
  }

  @Override
  public String toString() {
    return holder + " key " + rkey;
  }
}
