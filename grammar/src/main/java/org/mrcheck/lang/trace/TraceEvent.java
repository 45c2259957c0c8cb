package org.mrcheck.lang.trace;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One event of a recording: raw facts only. Whether an access was right is never taken from the
 * emitter; it is computed from the attributes stored at registration.
 *
 * <p>Numbers are exact. Addresses and lengths are unsigned 64-bit values held in a {@code long};
 * use {@link Long#compareUnsigned}. Ranges are half open.
 */
public sealed interface TraceEvent {
  /** Sequence number, time and actor. */
  Stamp stamp();

  /** Which event of the common list this is. */
  EventName name();

  /** How a verb or a work request that changes a key ended. */
  enum CallStatus {
    /** It took effect. */
    OK,
    /** It changed nothing because the object is in use; the caller may try again. */
    BUSY,
    /** It failed. */
    ERROR
  }

  /** What a key check decided. */
  enum CheckVerdict {
    ACCEPT,
    REFUSE
  }

  /**
   * A registration was asked for; its key may become usable from here on.
   *
   * @param qp the queue pair of the work request that asks for it (fast registration); absent for a
   *     verb
   */
  record RegCall(Stamp stamp, long mr, MemoryKey key, Optional<QueuePairId> qp)
      implements TraceEvent {
    /** By a verb. */
    public RegCall(Stamp stamp, long mr, MemoryKey key) {
      this(stamp, mr, key, Optional.empty());
    }

    @Override
    public EventName name() {
      return EventName.REG_CALL;
    }
  }

  /**
   * A memory region was registered: the verb has returned.
   *
   * @param mr number of the registration, never reused within a host
   * @param pd protection domain
   * @param key rkey; {@link MemoryKey#NONE} for a region without remote rights
   * @param lkey local key
   * @param va first address, unsigned
   * @param length bytes, unsigned
   * @param rights the region's rights
   * @param qp the queue pair whose work request registered it (fast registration); absent for a
   *     verb. Only such a region's key can be invalidated by a peer (row E9)
   * @param label the owner's name for it, for people
   */
  record Reg(
      Stamp stamp,
      long mr,
      long pd,
      MemoryKey key,
      MemoryKey lkey,
      long va,
      long length,
      AccessFlags rights,
      Optional<QueuePairId> qp,
      Optional<String> label)
      implements TraceEvent {
    /** By a verb. */
    public Reg(
        Stamp stamp,
        long mr,
        long pd,
        MemoryKey key,
        MemoryKey lkey,
        long va,
        long length,
        AccessFlags rights,
        Optional<String> label) {
      this(stamp, mr, pd, key, lkey, va, length, rights, Optional.empty(), label);
    }

    @Override
    public EventName name() {
      return EventName.REG;
    }
  }

  /** Deregistration was called. */
  record DeregCall(Stamp stamp, long mr, MemoryKey key) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.DEREG_CALL;
    }
  }

  /** Deregistration returned. */
  record DeregReturn(Stamp stamp, long mr, MemoryKey key, CallStatus status) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.DEREG_RETURN;
    }
  }

  /** Re-registration was called, with the attributes asked for. */
  record ReregCall(
      Stamp stamp, long mr, MemoryKey key, long pd, long va, long length, AccessFlags rights)
      implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.REREG_CALL;
    }
  }

  /** Re-registration returned. */
  record ReregReturn(Stamp stamp, long mr, MemoryKey key, CallStatus status) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.REREG_RETURN;
    }
  }

  /**
   * A memory window's bind was called or posted.
   *
   * @param mw number of the window, never reused within a host
   * @param type 1 or 2
   * @param mr the region bound to
   * @param qp the queue pair a type 2 window belongs to
   */
  record BindCall(
      Stamp stamp,
      long mw,
      int type,
      long mr,
      Optional<QueuePairId> qp,
      MemoryKey key,
      long va,
      long length,
      AccessFlags rights,
      Optional<String> label)
      implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.BIND_CALL;
    }
  }

  /** A memory window's bind returned or completed. */
  record BindReturn(Stamp stamp, long mw, MemoryKey key, CallStatus status) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.BIND_RETURN;
    }
  }

  /**
   * An invalidation begins: called by its owner, or executed by a queue pair.
   *
   * @param key the key to be made invalid
   * @param qp the queue pair that executes it, for its own work request or for its peer's; absent
   *     for a verb
   */
  record InvCall(Stamp stamp, MemoryKey key, Optional<QueuePairId> qp) implements TraceEvent {
    /** By a verb, or by nobody knows whom. */
    public InvCall(Stamp stamp, MemoryKey key) {
      this(stamp, key, Optional.empty());
    }

    @Override
    public EventName name() {
      return EventName.INV_CALL;
    }
  }

  /**
   * An invalidation was executed or refused.
   *
   * @param qp as in {@link InvCall}
   */
  record InvReturn(Stamp stamp, MemoryKey key, Optional<QueuePairId> qp, CallStatus status)
      implements TraceEvent {
    /** By a verb, or by nobody knows whom. */
    public InvReturn(Stamp stamp, MemoryKey key, CallStatus status) {
      this(stamp, key, Optional.empty(), status);
    }

    @Override
    public EventName name() {
      return EventName.INV_RETURN;
    }
  }

  /** What a work request asks for. */
  enum WorkOperation {
    SEND,
    SEND_WITH_IMM,
    SEND_WITH_INV,
    RDMA_WRITE,
    RDMA_WRITE_WITH_IMM,
    RDMA_READ,
    ATOMIC_CMP_AND_SWP,
    ATOMIC_FETCH_AND_ADD,
    LOCAL_INV,
    BIND_MW,
    REG_MR,
    RECV
  }

  /**
   * A work request was posted.
   *
   * @param wr the work request's identifier
   * @param remote where it goes, for one-sided operations
   * @param invalidate the key that a {@code LOCAL_INV} or {@code SEND_WITH_INV} names
   * @param length bytes of the whole message
   * @param signaled whether its success is to be reported; its failure always is
   */
  record Post(
      Stamp stamp,
      QueuePairId qp,
      long wr,
      WorkOperation operation,
      Optional<RemoteAccess> remote,
      Optional<MemoryKey> lkey,
      Optional<MemoryKey> invalidate,
      long length,
      boolean signaled)
      implements TraceEvent {
    /** Signaled, naming no key to invalidate. */
    public Post(
        Stamp stamp,
        QueuePairId qp,
        long wr,
        WorkOperation operation,
        Optional<RemoteAccess> remote,
        Optional<MemoryKey> lkey,
        long length) {
      this(stamp, qp, wr, operation, remote, lkey, Optional.empty(), length, true);
    }

    @Override
    public EventName name() {
      return EventName.POST;
    }
  }

  /**
   * A completion was polled.
   *
   * @param wr the work request's identifier
   * @param operation absent where the recording does not say
   * @param vendorError the device's own code
   * @param length bytes transferred as the completion reports them
   * @param invalidated the key that a receive completion reports as invalidated by the peer ({@code
   *     IBV_WC_WITH_INV})
   */
  record Wc(
      Stamp stamp,
      QueuePairId qp,
      long wr,
      WcStatus status,
      Optional<WorkOperation> operation,
      OptionalInt vendorError,
      OptionalLong length,
      Optional<MemoryKey> invalidated)
      implements TraceEvent {
    /** Reporting no invalidated key. */
    public Wc(
        Stamp stamp,
        QueuePairId qp,
        long wr,
        WcStatus status,
        Optional<WorkOperation> operation,
        OptionalInt vendorError,
        OptionalLong length) {
      this(stamp, qp, wr, status, operation, vendorError, length, Optional.empty());
    }

    @Override
    public EventName name() {
      return EventName.WC;
    }
  }

  /**
   * A packet arrived at a queue pair of this host, or was seen on its way there. A request packet
   * of a capture is always an {@code rx} of its responder.
   *
   * @param qp the queue pair it is addressed to
   */
  record Rx(Stamp stamp, QueuePairId qp, Packet packet) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.RX;
    }
  }

  /**
   * A packet left a queue pair of this host. A READ response or an atomic acknowledgement of a
   * capture is always a {@code tx} of its responder.
   *
   * @param qp the queue pair that sent it
   */
  record Tx(Stamp stamp, QueuePairId qp, Packet packet) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.TX;
    }
  }

  /**
   * A responder acknowledged.
   *
   * @param qp the responder's queue pair
   * @param psn the last PSN acknowledged
   */
  record Ack(Stamp stamp, QueuePairId qp, int psn, int msn, Syndrome syndrome)
      implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.ACK;
    }
  }

  /**
   * A responder refused.
   *
   * @param qp the responder's queue pair
   * @param psn the PSN refused; everything before it is acknowledged
   */
  record Nak(Stamp stamp, QueuePairId qp, int psn, int msn, Syndrome syndrome)
      implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.NAK;
    }
  }

  /**
   * A device checked a key for one packet's access.
   *
   * @param qp the queue pair on whose behalf
   * @param psn the packet
   * @param access what the packet wants to do
   * @param va first address of the packet's range
   * @param length bytes of the packet's range
   * @param remaining bytes of the message from {@code va} on, at least {@code length}
   * @param verdict what the device decided
   * @param cause the device's own reason, for people; no verdict depends on it
   * @param mr the registration the device matched
   */
  record Check(
      Stamp stamp,
      QueuePairId qp,
      int psn,
      AccessKind access,
      MemoryKey key,
      long va,
      long length,
      long remaining,
      CheckVerdict verdict,
      Optional<String> cause,
      OptionalLong mr)
      implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.CHECK_KEY;
    }
  }

  /**
   * A device read memory under a registration.
   *
   * @param key the key it was let in by
   * @param va first address as the registration knows it
   * @param dmaAddress first address on the bus, where it is known
   */
  record DmaRead(
      Stamp stamp,
      QueuePairId qp,
      int psn,
      long mr,
      MemoryKey key,
      long va,
      long length,
      OptionalLong dmaAddress)
      implements TraceEvent {
    /** Somewhere. */
    public DmaRead(
        Stamp stamp, QueuePairId qp, int psn, long mr, MemoryKey key, long va, long length) {
      this(stamp, qp, psn, mr, key, va, length, OptionalLong.empty());
    }

    @Override
    public EventName name() {
      return EventName.DMA_READ;
    }
  }

  /** A device wrote memory under a registration. Parameters as in {@link DmaRead}. */
  record DmaWrite(
      Stamp stamp,
      QueuePairId qp,
      int psn,
      long mr,
      MemoryKey key,
      long va,
      long length,
      OptionalLong dmaAddress)
      implements TraceEvent {
    /** Somewhere. */
    public DmaWrite(
        Stamp stamp, QueuePairId qp, int psn, long mr, MemoryKey key, long va, long length) {
      this(stamp, qp, psn, mr, key, va, length, OptionalLong.empty());
    }

    @Override
    public EventName name() {
      return EventName.DMA_WRITE;
    }
  }

  /** A key cache took an entry. */
  record CacheFill(Stamp stamp, MemoryKey key, long mr) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.CACHE_FILL;
    }
  }

  /** A key cache answered a lookup. */
  record CacheHit(Stamp stamp, MemoryKey key, long mr) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.CACHE_HIT;
    }
  }

  /** A key cache dropped an entry. */
  record CacheInval(Stamp stamp, MemoryKey key) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.CACHE_INVAL;
    }
  }

  /**
   * A queue pair was created.
   *
   * @param pd its protection domain
   * @param rights what remote operations it takes at all (row C11)
   * @param srq the shared receive queue it takes receives from; absent for one of its own
   */
  record QpCreate(Stamp stamp, QueuePairId qp, long pd, AccessFlags rights, OptionalLong srq)
      implements TraceEvent {
    /** With a receive queue of its own. */
    public QpCreate(Stamp stamp, QueuePairId qp, long pd, AccessFlags rights) {
      this(stamp, qp, pd, rights, OptionalLong.empty());
    }

    @Override
    public EventName name() {
      return EventName.QP_CREATE;
    }
  }

  /**
   * A queue pair was connected.
   *
   * @param peer the other end, where it is known
   * @param receivePsn the first PSN it expects of its peer's requests
   * @param sendPsn the first PSN of its own requests
   * @param mtu path MTU in bytes
   */
  record QpConnect(
      Stamp stamp,
      QueuePairId qp,
      Optional<QueuePairAddress> peer,
      OptionalInt receivePsn,
      OptionalInt sendPsn,
      OptionalInt mtu)
      implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.QP_CONNECT;
    }
  }

  /** Who moved a queue pair into a state. */
  enum Mover {
    /** The application, by {@code ibv_modify_qp}. */
    APPLICATION,
    /** The device, of its own accord. */
    DEVICE
  }

  /**
   * A queue pair entered a state.
   *
   * @param by who moved it, where the recording says
   */
  record QpState(Stamp stamp, QueuePairId qp, QueuePairState state, Optional<Mover> by)
      implements TraceEvent {
    /** Moved by nobody knows whom. */
    public QpState(Stamp stamp, QueuePairId qp, QueuePairState state) {
      this(stamp, qp, state, Optional.empty());
    }

    @Override
    public EventName name() {
      return EventName.QP_STATE;
    }
  }

  /**
   * An asynchronous event was raised.
   *
   * @param event rdma-core's name, such as {@code IBV_EVENT_QP_ACCESS_ERR}
   */
  record Async(Stamp stamp, Optional<QueuePairId> qp, String event) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.ASYNC;
    }
  }

  /**
   * The recorder says that it lost events here.
   *
   * @param count how many, at least 1, or 0 where it cannot say
   */
  record Lost(Stamp stamp, long count) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.LOST;
    }
  }

  /**
   * Memory was pinned for a registration: the device may reach it on the bus.
   *
   * @param va first address as the registration knows it
   * @param dmaAddress first address on the bus, where it is known; the range is contiguous there
   */
  record Pin(Stamp stamp, long mr, long va, long length, OptionalLong dmaAddress)
      implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.PIN;
    }
  }

  /** Memory pinned for a registration was released. Parameters as in {@link Pin}. */
  record Unpin(Stamp stamp, long mr, long va, long length, OptionalLong dmaAddress)
      implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.UNPIN;
    }
  }

  /**
   * A memory window was allocated; it is bound later.
   *
   * @param mw number of the window, never reused within a host
   * @param type 1 or 2
   */
  record MwAlloc(Stamp stamp, long mw, long pd, int type) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.MW_ALLOC;
    }
  }

  /**
   * A window's deallocation was called.
   *
   * @param key its key; {@link MemoryKey#NONE} if it is not bound
   */
  record MwDeallocCall(Stamp stamp, long mw, MemoryKey key) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.MW_DEALLOC_CALL;
    }
  }

  /** A window's deallocation returned. */
  record MwDeallocReturn(Stamp stamp, long mw, MemoryKey key, CallStatus status)
      implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.MW_DEALLOC_RETURN;
    }
  }

  /**
   * A protection domain was allocated.
   *
   * @param pd its number, never reused within a host
   */
  record PdAlloc(Stamp stamp, long pd) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.PD_ALLOC;
    }
  }

  /** A protection domain's deallocation returned. */
  record PdDealloc(Stamp stamp, long pd, CallStatus status) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.PD_DEALLOC;
    }
  }

  /** A queue pair's destruction returned. */
  record QpDestroy(Stamp stamp, QueuePairId qp, CallStatus status) implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.QP_DESTROY;
    }
  }

  /**
   * A receive was posted to a shared receive queue.
   *
   * @param srq the queue's number
   * @param wr the work request's identifier
   * @param length bytes it has room for
   */
  record SrqPost(Stamp stamp, long srq, long wr, Optional<MemoryKey> lkey, long length)
      implements TraceEvent {
    @Override
    public EventName name() {
      return EventName.SRQ_POST;
    }
  }
}
