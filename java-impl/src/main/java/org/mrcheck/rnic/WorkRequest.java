package org.mrcheck.rnic;

import java.util.Objects;
import java.util.Optional;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;

/** A request to a queue pair's send queue, as {@code ibv_post_send} takes it. Immutable. */
public sealed interface WorkRequest {
  /** The consumer's number for it ({@code wr_id}), returned in its completion. */
  long id();

  /** What it asks for. */
  WorkOperation operation();

  /** How it is done and reported. */
  SendFlags flags();

  /** The data that is sent, or the place of the data that is fetched. */
  LocalData data();

  /** What it accesses at the peer; empty for a SEND and for what the device does by itself. */
  default Optional<RemoteAccess> remote() {
    return Optional.empty();
  }

  /** The key that it makes invalid, here or at the peer. */
  default Optional<MemoryKey> invalidated() {
    return Optional.empty();
  }

  /** Bytes. */
  default long length() {
    return data().length();
  }

  /** Key of the local memory, if the request names one. */
  default Optional<MemoryKey> lkey() {
    return data() instanceof LocalData.Sge sge ? Optional.of(sge.lkey()) : Optional.empty();
  }

  /** Whether its answer brings data: READ and atomics. */
  default boolean fetches() {
    return switch (operation()) {
      case RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> true;
      default -> false;
    };
  }

  /** Whether the device does it without a packet. */
  default boolean isLocal() {
    return switch (operation()) {
      case LOCAL_INV, BIND_MW, REG_MR -> true;
      default -> false;
    };
  }

  /** SEND: to a receive request of the peer. */
  record Send(long id, LocalData data, SendFlags flags) implements WorkRequest {
    @Override
    public WorkOperation operation() {
      return WorkOperation.SEND;
    }
  }

  /** SEND with four bytes for the receive completion, in network order. */
  record SendWithImm(long id, LocalData data, int immediate, SendFlags flags)
      implements WorkRequest {
    @Override
    public WorkOperation operation() {
      return WorkOperation.SEND_WITH_IMM;
    }
  }

  /** SEND that makes the peer invalidate one of its keys before it completes the receive. */
  record SendWithInv(long id, LocalData data, MemoryKey invalidate, SendFlags flags)
      implements WorkRequest {
    @Override
    public WorkOperation operation() {
      return WorkOperation.SEND_WITH_INV;
    }

    @Override
    public Optional<MemoryKey> invalidated() {
      return Optional.of(invalidate);
    }
  }

  /**
   * RDMA WRITE: local memory to remote memory.
   *
   * @param rkey key of the remote region; not looked at when the length is 0 (row C4)
   * @param remoteAddress first remote address, unsigned
   */
  record RdmaWrite(long id, LocalData data, MemoryKey rkey, long remoteAddress, SendFlags flags)
      implements WorkRequest {
    /** A signaled one out of one element. */
    public RdmaWrite(
        long id,
        MemoryKey lkey,
        long localAddress,
        long length,
        MemoryKey rkey,
        long remoteAddress) {
      this(
          id,
          new LocalData.Sge(lkey, localAddress, length),
          rkey,
          remoteAddress,
          SendFlags.SIGNALED);
    }

    @Override
    public WorkOperation operation() {
      return WorkOperation.RDMA_WRITE;
    }

    @Override
    public Optional<RemoteAccess> remote() {
      return Optional.of(new RemoteAccess(rkey, remoteAddress, length()));
    }
  }

  /** RDMA WRITE that also takes a receive request of the peer, for four bytes in network order. */
  record RdmaWriteWithImm(
      long id, LocalData data, MemoryKey rkey, long remoteAddress, int immediate, SendFlags flags)
      implements WorkRequest {
    @Override
    public WorkOperation operation() {
      return WorkOperation.RDMA_WRITE_WITH_IMM;
    }

    @Override
    public Optional<RemoteAccess> remote() {
      return Optional.of(new RemoteAccess(rkey, remoteAddress, length()));
    }
  }

  /** RDMA READ: remote memory to local memory, whose region needs LOCAL_WRITE. */
  record RdmaRead(long id, LocalData data, MemoryKey rkey, long remoteAddress, SendFlags flags)
      implements WorkRequest {
    /** Checks that the data has a place. */
    public RdmaRead {
      requirePlace(data);
    }

    /** A signaled one into one element. */
    public RdmaRead(
        long id,
        MemoryKey lkey,
        long localAddress,
        long length,
        MemoryKey rkey,
        long remoteAddress) {
      this(
          id,
          new LocalData.Sge(lkey, localAddress, length),
          rkey,
          remoteAddress,
          SendFlags.SIGNALED);
    }

    @Override
    public WorkOperation operation() {
      return WorkOperation.RDMA_READ;
    }

    @Override
    public Optional<RemoteAccess> remote() {
      return Optional.of(new RemoteAccess(rkey, remoteAddress, length()));
    }
  }

  /**
   * Compare and swap of 8 bytes at the peer: if they equal {@code compare} they become {@code
   * swap}. What they were comes back. Values are in the byte order of this host's memory, little
   * endian.
   */
  record AtomicCompareAndSwap(
      long id,
      LocalData data,
      MemoryKey rkey,
      long remoteAddress,
      long compare,
      long swap,
      SendFlags flags)
      implements WorkRequest {
    /** Checks that the result has a place of 8 bytes. */
    public AtomicCompareAndSwap {
      requireAtomic(data);
    }

    @Override
    public WorkOperation operation() {
      return WorkOperation.ATOMIC_CMP_AND_SWP;
    }

    @Override
    public Optional<RemoteAccess> remote() {
      return Optional.of(new RemoteAccess(rkey, remoteAddress, 8));
    }
  }

  /** Adds to 8 bytes at the peer, modulo 2^64. What they were comes back. */
  record AtomicFetchAndAdd(
      long id, LocalData data, MemoryKey rkey, long remoteAddress, long add, SendFlags flags)
      implements WorkRequest {
    /** Checks that the result has a place of 8 bytes. */
    public AtomicFetchAndAdd {
      requireAtomic(data);
    }

    @Override
    public WorkOperation operation() {
      return WorkOperation.ATOMIC_FETCH_AND_ADD;
    }

    @Override
    public Optional<RemoteAccess> remote() {
      return Optional.of(new RemoteAccess(rkey, remoteAddress, 8));
    }
  }

  /** Makes a key of this device invalid, when everything posted before is complete (row D14). */
  record LocalInvalidate(long id, MemoryKey key, SendFlags flags) implements WorkRequest {
    @Override
    public WorkOperation operation() {
      return WorkOperation.LOCAL_INV;
    }

    @Override
    public Optional<MemoryKey> invalidated() {
      return Optional.of(key);
    }

    @Override
    public LocalData data() {
      return LocalData.NOTHING;
    }
  }

  /**
   * Binds a type 2 window to a part of a region (rows W1 to W3).
   *
   * @param newKey the window's key from then on: its index, and the tag that the consumer chooses
   * @param va first address, unsigned
   * @param length bytes
   * @param rights remote rights of the window
   */
  record BindMemoryWindow(
      long id,
      MemoryWindow window,
      MemoryRegion region,
      MemoryKey newKey,
      long va,
      long length,
      AccessFlags rights,
      SendFlags flags)
      implements WorkRequest {
    @Override
    public WorkOperation operation() {
      return WorkOperation.BIND_MW;
    }

    @Override
    public LocalData data() {
      return LocalData.NOTHING;
    }

    @Override
    public long length() {
      return length;
    }
  }

  /**
   * Fast registration of a region that was allocated for it (row K1).
   *
   * @param newKey the region's key from then on: its index, and the tag that the consumer chooses
   * @param iova first address, unsigned
   * @param length bytes, no more than the region's memory
   */
  record FastRegister(
      long id,
      MemoryRegion region,
      MemoryKey newKey,
      long iova,
      long length,
      AccessFlags rights,
      SendFlags flags)
      implements WorkRequest {
    @Override
    public WorkOperation operation() {
      return WorkOperation.REG_MR;
    }

    @Override
    public LocalData data() {
      return LocalData.NOTHING;
    }

    @Override
    public long length() {
      return length;
    }
  }

  private static void requirePlace(LocalData data) {
    Objects.requireNonNull(data, "data");
    if (data instanceof LocalData.Inline && data.length() > 0) {
      throw new IllegalArgumentException("nothing can be fetched into inline data");
    }
  }

  private static void requireAtomic(LocalData data) {
    if (!(data instanceof LocalData.Sge) || data.length() != 8) {
      throw new IllegalArgumentException("an atomic operation needs a place of 8 bytes");
    }
  }
}
