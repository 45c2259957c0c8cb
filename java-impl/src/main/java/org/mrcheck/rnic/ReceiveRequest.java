package org.mrcheck.rnic;

import org.mrcheck.lang.trace.MemoryKey;

/**
 * A request to a receive queue, as {@code ibv_post_recv} takes it: one element of local memory.
 *
 * @param id the consumer's number for it ({@code wr_id}), returned in its completion
 * @param lkey key of the local region, which needs LOCAL_WRITE; not looked at where no byte arrives
 * @param address first local address, unsigned
 * @param length bytes, 0 to 2^31
 */
public record ReceiveRequest(long id, MemoryKey lkey, long address, long length) {
  /** Checks the length. */
  public ReceiveRequest {
    if (length < 0 || length > 1L << 31) {
      throw new IllegalArgumentException("length=" + length + " not in 0..2^31");
    }
  }
}
