package org.mrcheck.rnic;

import java.util.Map;
import java.util.Objects;
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

  private final WireTap tap;

  /** Creates a network without devices that nobody listens to. */
  public Wire() {
    this(WireTap.OFF);
  }

  /** Creates a network without devices whose packets the tap is told. */
  public Wire(WireTap tap) {
    this.tap = Objects.requireNonNull(tap, "tap");
  }

  /**
   * One packet under way.
   *
   * @param header what its headers say
   * @param payload its data; must not be changed any more
   * @param immediate immediate data, where the opcode has any
   * @param solicited the BTH's SE bit
   */
  record Frame(Packet header, byte[] payload, int immediate, boolean solicited) {
    static final byte[] EMPTY = new byte[0];

    Frame(Packet header, byte[] payload) {
      this(header, payload, 0, false);
    }
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

  WireTap tap() {
    return tap;
  }

  void send(QueuePair source, QueuePairAddress destination, Frame frame) {
    SoftRnic device = devices.get(destination.host());
    if (device == null) {
      return;
    }
    QueuePairId id = destination.id();
    for (int copy = copies.applyAsInt(frame.header()); copy > 0; copy--) {
      if (tap != WireTap.OFF) {
        tap.sent(source.address(), destination, frame.header(), frame.payload());
      }
      device.arrive(id, frame);
    }
  }
}
