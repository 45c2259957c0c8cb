package org.mrcheck.rnic;

import java.nio.ByteBuffer;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.TraceEvent.CallStatus;

/**
 * A protection domain: queue pairs of one domain reach only memory regions of the same domain. Safe
 * for several threads.
 */
public final class ProtectionDomain {
  private final SoftRnic device;
  private final long number;

  /** Regions, windows and queue pairs in it; -1 when it is gone. Guarded by this. */
  private int users;

  ProtectionDomain(SoftRnic device, long number) {
    this.device = device;
    this.number = number;
  }

  /** Its number on the device, from 1, never reused. */
  public long number() {
    return number;
  }

  SoftRnic device() {
    return device;
  }

  /**
   * Registers memory, as {@code ibv_reg_mr_iova} does. The key can be used from before this returns
   * until {@link MemoryRegion#deregister} is called.
   *
   * @param memory what is registered: from its position to its limit; the device reads and writes
   *     it while the application does, without synchronisation, as DMA does
   * @param iova unsigned address by which queue pairs name the first byte
   * @param rights REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE, as in verbs
   * @throws IllegalArgumentException if the range runs past 2^64 or the rights contradict
   * @throws IllegalStateException if the key table is full or the domain is gone
   */
  public MemoryRegion register(ByteBuffer memory, long iova, AccessFlags rights) {
    return device.keyTable().register(device.caller(), this, memory, iova, rights);
  }

  /**
   * Allocates a region for fast registration: it has an index of the key table and is not valid
   * until a work request registers it.
   *
   * @param memory what can be registered: from its position to its limit, or a part that begins
   *     there
   * @throws IllegalStateException if the key table is full or the domain is gone
   */
  public MemoryRegion allocateFastRegister(ByteBuffer memory) {
    return device.keyTable().allocateFastRegister(this, memory);
  }

  /**
   * Allocates a memory window, as {@code ibv_alloc_mw} does.
   *
   * @throws IllegalStateException if the key table is full or the domain is gone
   */
  public MemoryWindow allocateMemoryWindow(MemoryWindow.Type type) {
    return device.keyTable().allocateWindow(device.caller(), this, type);
  }

  /**
   * Deallocates it, as {@code ibv_dealloc_pd} does.
   *
   * @return BUSY, and nothing changes, while a region, a window or a queue pair is in it
   * @throws IllegalStateException if it was deallocated before
   */
  public CallStatus deallocate() {
    synchronized (this) {
      requireAlive();
      CallStatus status =
          users == 0 || device.has(Defect.DESTROYS_DOMAIN_IN_USE) ? CallStatus.OK : CallStatus.BUSY;
      if (status == CallStatus.OK) {
        users = -1;
      }
      device.trace().pdDealloc(device.caller(), number, status);
      return status;
    }
  }

  synchronized void addUser() {
    requireAlive();
    users++;
  }

  synchronized void removeUser() {
    users--;
  }

  private void requireAlive() {
    if (users < 0) {
      throw new IllegalStateException(this + " was deallocated before");
    }
  }

  @Override
  public String toString() {
    return "pd " + number;
  }
}
