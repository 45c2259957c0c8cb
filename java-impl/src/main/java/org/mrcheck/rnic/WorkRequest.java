package org.mrcheck.rnic;

import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;

/** A request to a queue pair's send queue, as {@code ibv_post_send} takes it: one local segment. */
public sealed interface WorkRequest {
  /** The consumer's number for it ({@code wr_id}), returned in its completion. */
  long id();

  /** What it asks for. */
  WorkOperation operation();

  /** Key of the local segment; not looked at when the length is 0 (row C18). */
  MemoryKey lkey();

  /** First local address, unsigned. */
  long localAddress();

  /** Bytes, 0 to 2^31 (row C4). */
  long length();

  /** Key of the remote region; not looked at when the length is 0 (row C4). */
  MemoryKey rkey();

  /** First remote address, unsigned. */
  long remoteAddress();

  /** RDMA WRITE: local memory to remote memory. */
  record RdmaWrite(
      long id, MemoryKey lkey, long localAddress, long length, MemoryKey rkey, long remoteAddress)
      implements WorkRequest {
    /** Checks the length. */
    public RdmaWrite {
      requireLength(length);
    }

    @Override
    public WorkOperation operation() {
      return WorkOperation.RDMA_WRITE;
    }
  }

  /** RDMA READ: remote memory to local memory, whose region needs LOCAL_WRITE. */
  record RdmaRead(
      long id, MemoryKey lkey, long localAddress, long length, MemoryKey rkey, long remoteAddress)
      implements WorkRequest {
    /** Checks the length. */
    public RdmaRead {
      requireLength(length);
    }

    @Override
    public WorkOperation operation() {
      return WorkOperation.RDMA_READ;
    }
  }

  private static void requireLength(long length) {
    if (length < 0 || length > 1L << 31) {
      throw new IllegalArgumentException("length=" + length + " not in 0..2^31");
    }
  }
}
