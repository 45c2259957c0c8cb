package org.mrcheck.rnic;

import java.util.Optional;
import java.util.OptionalLong;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent.CallStatus;
import org.mrcheck.lang.trace.TraceEvent.CheckVerdict;
import org.mrcheck.lang.trace.TraceEvent.Mover;

/**
 * The device's trace points, one method per {@link EventName} it emits. Each is one call at the
 * point where the step takes effect; the number the event gets is taken inside the call. Where in
 * the code a call may stand is argued in {@link KeyTable} and {@link QueuePair}.
 */
interface TracePoints {
  /** Records nothing. */
  TracePoints OFF =
      new TracePoints() {
        @Override
        public void regCall(Actor actor, KeyEntry entry, Optional<QueuePairId> qp) {}

        @Override
        public void reg(Actor actor, KeyEntry entry, Optional<QueuePairId> qp) {}

        @Override
        public void deregCall(Actor actor, KeyEntry entry) {}

        @Override
        public void deregReturn(Actor actor, KeyEntry entry, CallStatus status) {}

        @Override
        public void reregCall(Actor actor, KeyEntry old, KeyEntry asked) {}

        @Override
        public void reregReturn(Actor actor, KeyEntry entry, CallStatus status) {}

        @Override
        public void pin(Actor actor, KeyEntry entry, Translation translation) {}

        @Override
        public void unpin(Actor actor, KeyEntry entry, Translation translation) {}

        @Override
        public void pdAlloc(Actor actor, long pd) {}

        @Override
        public void pdDealloc(Actor actor, long pd, CallStatus status) {}

        @Override
        public void mwAlloc(Actor actor, MemoryWindow window) {}

        @Override
        public void mwDeallocCall(Actor actor, MemoryWindow window, boolean bound) {}

        @Override
        public void mwDeallocReturn(Actor actor, MemoryWindow window, boolean bound) {}

        @Override
        public void bindCall(Actor actor, MemoryWindow window, KeyEntry asked, QueuePairId qp) {}

        @Override
        public void bindReturn(
            Actor actor, MemoryWindow window, KeyEntry asked, CallStatus status) {}

        @Override
        public void invCall(Actor actor, KeyEntry entry, Optional<QueuePairId> qp) {}

        @Override
        public void invReturn(
            Actor actor, KeyEntry entry, Optional<QueuePairId> qp, CallStatus status) {}

        @Override
        public void cacheFill(Actor actor, KeyEntry entry) {}

        @Override
        public void cacheHit(Actor actor, MemoryKey key, KeyEntry entry) {}

        @Override
        public void cacheInval(Actor actor, KeyEntry entry) {}

        @Override
        public void check(
            Actor actor,
            QueuePairId qp,
            int psn,
            AccessKind access,
            MemoryKey key,
            long va,
            long length,
            long remaining,
            CheckVerdict verdict,
            String cause,
            KeyEntry entry,
            TraceOrder order) {}

        @Override
        public void dmaRead(
            Actor actor,
            QueuePairId qp,
            int psn,
            KeyEntry entry,
            MemoryKey key,
            long va,
            long length,
            long dmaAddress) {}

        @Override
        public void dmaWrite(
            Actor actor,
            QueuePairId qp,
            int psn,
            KeyEntry entry,
            MemoryKey key,
            long va,
            long length,
            long dmaAddress) {}

        @Override
        public void tx(Actor actor, QueuePair qp, Packet packet) {}

        @Override
        public void rx(Actor actor, QueuePair qp, Packet packet) {}

        @Override
        public void ack(Actor actor, QueuePair qp, int psn, int msn, Syndrome syndrome) {}

        @Override
        public void nak(Actor actor, QueuePair qp, int psn, int msn, Syndrome syndrome) {}

        @Override
        public void post(Actor actor, QueuePairId qp, WorkRequest request, boolean signaled) {}

        @Override
        public void postReceive(Actor actor, QueuePairId qp, ReceiveRequest request) {}

        @Override
        public void srqPost(Actor actor, long srq, ReceiveRequest request) {}

        @Override
        public void wc(Actor actor, WorkCompletion completion) {}

        @Override
        public void qpCreate(
            Actor actor, QueuePairId qp, long pd, AccessFlags rights, OptionalLong srq) {}

        @Override
        public void qpConnect(
            Actor actor,
            QueuePairId qp,
            QueuePairAddress peer,
            int receivePsn,
            int sendPsn,
            int mtu) {}

        @Override
        public void qpState(Actor actor, QueuePair qp, QueuePairState state, Mover by) {}

        @Override
        public void qpDestroy(Actor actor, QueuePairId qp) {}

        @Override
        public void async(Actor actor, Optional<QueuePairId> qp, String event) {}
      };

  void regCall(Actor actor, KeyEntry entry, Optional<QueuePairId> qp);

  void reg(Actor actor, KeyEntry entry, Optional<QueuePairId> qp);

  void deregCall(Actor actor, KeyEntry entry);

  void deregReturn(Actor actor, KeyEntry entry, CallStatus status);

  void reregCall(Actor actor, KeyEntry old, KeyEntry asked);

  void reregReturn(Actor actor, KeyEntry entry, CallStatus status);

  void pin(Actor actor, KeyEntry entry, Translation translation);

  void unpin(Actor actor, KeyEntry entry, Translation translation);

  void pdAlloc(Actor actor, long pd);

  void pdDealloc(Actor actor, long pd, CallStatus status);

  void mwAlloc(Actor actor, MemoryWindow window);

  void mwDeallocCall(Actor actor, MemoryWindow window, boolean bound);

  void mwDeallocReturn(Actor actor, MemoryWindow window, boolean bound);

  void bindCall(Actor actor, MemoryWindow window, KeyEntry asked, QueuePairId qp);

  void bindReturn(Actor actor, MemoryWindow window, KeyEntry asked, CallStatus status);

  void invCall(Actor actor, KeyEntry entry, Optional<QueuePairId> qp);

  void invReturn(Actor actor, KeyEntry entry, Optional<QueuePairId> qp, CallStatus status);

  void cacheFill(Actor actor, KeyEntry entry);

  void cacheHit(Actor actor, MemoryKey key, KeyEntry entry);

  void cacheInval(Actor actor, KeyEntry entry);

  /** {@code cause}, {@code entry} and {@code order} may be null. */
  void check(
      Actor actor,
      QueuePairId qp,
      int psn,
      AccessKind access,
      MemoryKey key,
      long va,
      long length,
      long remaining,
      CheckVerdict verdict,
      String cause,
      KeyEntry entry,
      TraceOrder order);

  void dmaRead(
      Actor actor,
      QueuePairId qp,
      int psn,
      KeyEntry entry,
      MemoryKey key,
      long va,
      long length,
      long dmaAddress);

  void dmaWrite(
      Actor actor,
      QueuePairId qp,
      int psn,
      KeyEntry entry,
      MemoryKey key,
      long va,
      long length,
      long dmaAddress);

  void tx(Actor actor, QueuePair qp, Packet packet);

  void rx(Actor actor, QueuePair qp, Packet packet);

  void ack(Actor actor, QueuePair qp, int psn, int msn, Syndrome syndrome);

  void nak(Actor actor, QueuePair qp, int psn, int msn, Syndrome syndrome);

  void post(Actor actor, QueuePairId qp, WorkRequest request, boolean signaled);

  void postReceive(Actor actor, QueuePairId qp, ReceiveRequest request);

  void srqPost(Actor actor, long srq, ReceiveRequest request);

  void wc(Actor actor, WorkCompletion completion);

  void qpCreate(Actor actor, QueuePairId qp, long pd, AccessFlags rights, OptionalLong srq);

  void qpConnect(
      Actor actor, QueuePairId qp, QueuePairAddress peer, int receivePsn, int sendPsn, int mtu);

  void qpState(Actor actor, QueuePair qp, QueuePairState state, Mover by);

  void qpDestroy(Actor actor, QueuePairId qp);

  void async(Actor actor, Optional<QueuePairId> qp, String event);
}
