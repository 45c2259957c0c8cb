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
        public void regCall(Actor actor, MemoryRegion region) {}

        @Override
        public void reg(Actor actor, MemoryRegion region) {}

        @Override
        public void deregCall(Actor actor, MemoryRegion region) {}

        @Override
        public void deregReturn(Actor actor, MemoryRegion region) {}

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
            MemoryRegion region,
            TraceOrder order) {}

        @Override
        public void dmaRead(
            Actor actor, QueuePairId qp, int psn, MemoryRegion region, long va, long length) {}

        @Override
        public void dmaWrite(
            Actor actor, QueuePairId qp, int psn, MemoryRegion region, long va, long length) {}

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

  void regCall(Actor actor, MemoryRegion region);

  void reg(Actor actor, MemoryRegion region);

  void deregCall(Actor actor, MemoryRegion region);

  void deregReturn(Actor actor, MemoryRegion region);

  /** {@code cause} and {@code region} may be null. */
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
      MemoryRegion region,
      TraceOrder order);

  void dmaRead(Actor actor, QueuePairId qp, int psn, MemoryRegion region, long va, long length);

  void dmaWrite(Actor actor, QueuePairId qp, int psn, MemoryRegion region, long va, long length);

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
