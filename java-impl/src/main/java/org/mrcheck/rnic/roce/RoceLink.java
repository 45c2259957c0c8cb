package org.mrcheck.rnic.roce;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.rnic.Link;
import org.mrcheck.rnic.Wire;

/**
 * RoCEv2 over a UDP socket of this machine, so that two processes can hold the two ends of a
 * connection: each host has an IPv4 address and a UDP port, and the datagram's content is what
 * follows the UDP header of a RoCEv2 packet. The ICRC covers the IPv4 and UDP headers that Linux
 * puts before it: no options, identification 0, do not fragment. With port {@value
 * RoceFrame#UDP_PORT} and addresses out of 127.0.0.0/8, such packets are RoCEv2 packets to every
 * dissector that listens on the loopback interface.
 *
 * <p>One thread receives. Safe for several threads.
 */
public final class RoceLink implements Link, AutoCloseable {
  private static final int HEADERS = 42;
  private static final int LARGEST = 1 << 16;

  private final Wire wire;
  private final String host;
  private final DatagramSocket socket;
  private final Station station;
  private final Map<String, InetSocketAddress> peers = new ConcurrentHashMap<>();
  private final LongAdder strange = new LongAdder();
  private final Thread receiver;

  private RoceLink(Wire wire, String host, DatagramSocket socket) {
    this.wire = wire;
    this.host = host;
    this.socket = socket;
    station = station((InetSocketAddress) socket.getLocalSocketAddress());
    receiver = new Thread(this::receive, host + "-link");
    receiver.setDaemon(true);
  }

  /**
   * Opens a socket for a host of the wire.
   *
   * @param address where it listens; a loopback address
   * @throws IOException if the address cannot be had
   * @throws IllegalArgumentException if the address is no IPv4 loopback address
   */
  public static RoceLink open(Wire wire, String host, InetSocketAddress address)
      throws IOException {
    Objects.requireNonNull(wire, "wire");
    requireLoopback(address);
    DatagramSocket socket = new DatagramSocket(address);
    socket.setReceiveBufferSize(1 << 22);
    RoceLink link = new RoceLink(wire, host, socket);
    link.receiver.start();
    return link;
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) socket.getLocalSocketAddress();
  }

  /**
   * Names another host and where it listens.
   *
   * @throws IllegalArgumentException if the address is no IPv4 loopback address
   */
  public void connect(String peer, InetSocketAddress address) {
    requireLoopback(address);
    peers.put(peer, address);
    wire.connect(peer, this);
  }

  /** Datagrams that were no packets, or came from elsewhere. */
  public long strange() {
    return strange.sum();
  }

  @Override
  public void send(
      QueuePairAddress source, QueuePairAddress destination, Wire.Frame frame, boolean damaged) {
    InetSocketAddress peer = peers.get(destination.host());
    if (peer == null) {
      return;
    }
    byte[] bytes =
        RoceFrame.encode(
            new RoceFrame.Route(station, station(peer), socket.getLocalPort(), 0),
            peer.getPort(),
            destination.id().number(),
            frame);
    if (damaged) {
      RoceFrame.damage(bytes);
    }
    try {
      socket.send(new DatagramPacket(bytes, HEADERS, bytes.length - HEADERS, peer));
    } catch (IOException lost) {
      // A network may lose packets.
    }
  }

  private void receive() {
    byte[] buffer = new byte[LARGEST];
    while (true) {
      DatagramPacket datagram = new DatagramPacket(buffer, buffer.length);
      try {
        socket.receive(datagram);
      } catch (SocketException closed) {
        return;
      } catch (IOException lost) {
        continue;
      }
      InetSocketAddress from = (InetSocketAddress) datagram.getSocketAddress();
      if (!(from.getAddress() instanceof Inet4Address)) {
        strange.increment();
        continue;
      }
      byte[] content = Arrays.copyOf(buffer, datagram.getLength());
      byte[] frame =
          RoceFrame.withHeaders(
              new RoceFrame.Route(station(from), station, from.getPort(), 0),
              socket.getLocalPort(),
              content);
      RoceFrame.decode(frame, socket.getLocalPort())
          .ifPresentOrElse(
              packet ->
                  wire.arrived(
                      host,
                      packet.destinationQp(),
                      packet.content(),
                      packet.content().header().icrc() == Icrc.BAD),
              strange::increment);
    }
  }

  private static Station station(InetSocketAddress address) {
    byte[] bytes = address.getAddress().getAddress();
    int ipv4 = bytes[0] << 24 | (bytes[1] & 0xff) << 16 | (bytes[2] & 0xff) << 8 | bytes[3] & 0xff;
    return new Station(0, ipv4);
  }

  private static void requireLoopback(InetSocketAddress address) {
    if (!(address.getAddress() instanceof Inet4Address)
        || !address.getAddress().isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "address=" + address + " is not in 127.0.0.0/8; only this machine is spoken to");
    }
  }

  /** Stops listening. */
  @Override
  public void close() {
    socket.close();
    boolean interrupted = false;
    while (receiver.isAlive()) {
      try {
        receiver.join();
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
