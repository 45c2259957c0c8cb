package org.mrcheck.rnic;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.QueuePairId;

/**
 * An in-memory network: packets of one sending thread to one queue pair arrive in order, and none
 * is lost. Safe for all devices' threads. It delivers to a queue pair's number and incarnation, so
 * that a packet to a destroyed queue pair vanishes rather than reaching its successor.
 */
public final class Wire {
  private final Map<String, SoftRnic> devices = new ConcurrentHashMap<>();

  /** How many copies of a packet arrive; tests replace it to lose and to duplicate. */
  private volatile ToIntFunction<Packet> copies = packet -> 1;

  /** Creates a network without devices. */
  public Wire() {}

  /**
   * One packet under way.
   *
   * @param header what its headers say
   * @param payload its data; must not be changed any more
   */
  record Frame(Packet header, byte[] payload) {
    static final byte[] EMPTY = new byte[0];
  }

  void attach(SoftRnic device) {
    if (devices.putIfAbsent(device.host(), device) != null) {
      throw new IllegalArgumentException("host=" + device.host() + " is on the wire already");
    }
  }

  void detach(SoftRnic device) {
    devices.remove(device.host(), device);
  }

  void deliverThrough(ToIntFunction<Packet> filter) {
    copies = filter;
  }

  void send(QueuePairAddress destination, Frame frame) {
    SoftRnic device = devices.get(destination.host());
    if (device == null) {
      return;
    }
    QueuePairId id = destination.id();
    for (int copy = copies.applyAsInt(frame.header()); copy > 0; copy--) {
      device.arrive(id, frame);
    }
  }
}
