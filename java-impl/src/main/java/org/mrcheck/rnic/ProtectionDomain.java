package org.mrcheck.rnic;

import java.nio.ByteBuffer;
import org.mrcheck.lang.trace.AccessFlags;

/**
 * A protection domain: queue pairs of one domain reach only memory regions of the same domain.
 * Immutable.
 */
public final class ProtectionDomain {
  private final SoftRnic device;
  private final long number;

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
   * @throws IllegalStateException if the key table is full or the device is closed
   */
  public MemoryRegion register(ByteBuffer memory, long iova, AccessFlags rights) {
    return device.keyTable().register(device.caller(), this, memory, iova, rights);
  }

  @Override
  public String toString() {
    return "pd " + number;
  }
}
