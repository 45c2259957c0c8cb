package org.mrcheck.rnic;

import org.mrcheck.lang.trace.QueuePairAddress;

/**
 * The way to a host that is on no {@link Wire} of this process. Called by threads of devices,
 * several at a time; a call must not wait for a device.
 */
@FunctionalInterface
public interface Link {
  /**
   * Sends a packet; it may be lost.
   *
   * @param destination the queue pair; its incarnation is not sent
   * @param damaged whether the packet is to arrive with a wrong ICRC
   */
  void send(
      QueuePairAddress source, QueuePairAddress destination, Wire.Frame frame, boolean damaged);
}
