package org.mrcheck.rnic;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.MemoryKey;

/**
 * A memory region: one registration of memory. The object is the registration's identity; a later
 * registration may bear the same key, and is another object. Safe for several threads.
 */
public final class MemoryRegion implements KeyTarget {
  private final KeyTable table;
  private final KeyTable.Slot slot;
  private final long number;
  private final ProtectionDomain pd;
  private final MemoryKey key;
  private final ByteBuffer memory;
  private final long iova;
  private final AccessFlags rights;

  /**
   * Messages that were accepted under this registration and are not over. While there are any, its
   * key is not given to another registration.
   */
  private final AtomicInteger openMessages = new AtomicInteger();

  /** Whether deregistration was called; guarded by this. */
  private boolean deregistered;

  MemoryRegion(
      KeyTable table,
      KeyTable.Slot slot,
      long number,
      ProtectionDomain pd,
      MemoryKey key,
      ByteBuffer memory,
      long iova,
      AccessFlags rights) {
    this.table = table;
    this.slot = slot;
    this.number = number;
    this.pd = pd;
    this.key = key;
    this.memory = memory;
    this.iova = iova;
    this.rights = rights;
  }

  /** The number of the registration on its device, from 1, never reused. */
  @Override
  public long number() {
    return number;
  }

  /** The protection domain it belongs to. */
  public ProtectionDomain pd() {
    return pd;
  }

  /** The local key. It has the same value as the rkey, as on many devices (row K16). */
  public MemoryKey lkey() {
    return key;
  }

  /** The remote key; without remote rights every remote access with it is refused. */
  public MemoryKey rkey() {
    return key;
  }

  /** The first address, unsigned. */
  public long iova() {
    return iova;
  }

  /** Bytes. */
  public long length() {
    return memory.capacity();
  }

  /** The region's rights. */
  public AccessFlags rights() {
    return rights;
  }

  /**
   * Deregisters: the key becomes invalid, so that every later check refuses it; accesses that
   * passed their check are waited for; then the call returns, and the memory is the owner's alone
   * (rows D2, D8). The wait ends because a packet that passed its check never waits for anything
   * but the DMA stage, which never waits for a queue pair.
   *
   * @throws IllegalStateException if it was deregistered before
   */
  public void deregister() {
    synchronized (this) {
      if (deregistered) {
        throw new IllegalStateException("mr=" + number + " was deregistered before");
      }
      deregistered = true;
    }
    table.deregister(table.device().caller(), this);
  }

  KeyTable.Slot slot() {
    return slot;
  }

  @Override
  public void openMessage(QueuePair qp) {
    openMessages.incrementAndGet();
  }

  @Override
  public void closeMessage(QueuePair qp) {
    openMessages.decrementAndGet();
  }

  boolean hasOpenMessages() {
    return openMessages.get() != 0;
  }

  /** Whether [va, va + length) lies inside, exactly, for any unsigned va and length. */
  boolean covers(long va, long accessLength) {
    return covers(iova, memory.capacity(), va, accessLength);
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
  public void read(Actor actor, QueuePair qp, int psn, long va, byte[] into, int length) {
    memory.get((int) (va - iova), into, 0, length);
    table.device().trace().dmaRead(actor, qp.id(), psn, this, va, length);
  }

  @Override
  public void write(Actor actor, QueuePair qp, int psn, long va, byte[] from, int length) {
    memory.put((int) (va - iova), from, 0, length);
    table.device().trace().dmaWrite(actor, qp.id(), psn, this, va, length);
  }

  @Override
  public void release() {
    slot.leave();
  }

  @Override
  public String toString() {
    return "mr " + number + " key " + key;
  }
}
