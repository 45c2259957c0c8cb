package org.mrcheck.rnic;

import org.mrcheck.lang.trace.QueuePairAddress;

/**
 * What a recorder on a {@link Wire} is told: every packet that travels on the wire, and beside them
 * what the owners of regions and queue pairs do, each at a moment that fixes its order against the
 * packets.
 *
 * <p>Called by engine, DMA and application threads, several at a time, on the spot: a packet is
 * told before its receiver can see it, so that a recorder that keeps the order of calls never has
 * an answer before its request. A call may wait; the device then waits too. It must not fail and
 * must not call the device.
 */
public interface WireTap {
  /** Records nothing. */
  WireTap OFF =
      new WireTap() {
        @Override
        public void sent(
            QueuePairAddress source,
            QueuePairAddress destination,
            Wire.Frame frame,
            boolean damaged) {}

        @Override
        public void registered(String host, MemoryRegion region) {}

        @Override
        public void deregistrationCalled(String host, MemoryRegion region) {}

        @Override
        public void deregistrationReturned(String host, MemoryRegion region) {}

        @Override
        public void connected(QueuePair queuePair, Connection connection) {}
      };

  /**
   * A packet travels: a request arrives, or an answer leaves. Requests that the wire loses are not
   * told, one that it doubles is told twice; one that vanishes because its receiver is gone is
   * told. An answer is told once, whatever the wire does to it then.
   *
   * @param frame not changed any more, and not to be changed
   * @param damaged whether it has a wrong ICRC
   */
  void sent(
      QueuePairAddress source, QueuePairAddress destination, Wire.Frame frame, boolean damaged);

  /** A registration is in force; its application does not know the key yet. */
  void registered(String host, MemoryRegion region);

  /** Deregistration was called and has had no effect yet. */
  void deregistrationCalled(String host, MemoryRegion region);

  /** Deregistration is over; its application does not know it yet. */
  void deregistrationReturned(String host, MemoryRegion region);

  /** A queue pair is about to go to RTR and RTS with that connection. */
  void connected(QueuePair queuePair, Connection connection);
}
