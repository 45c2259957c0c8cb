package org.mrcheck.rnic.roce;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.rnic.Connection;
import org.mrcheck.rnic.MemoryRegion;
import org.mrcheck.rnic.QueuePair;
import org.mrcheck.rnic.Wire;
import org.mrcheck.rnic.WireTap;
import org.mrcheck.rnic.roce.RoceFrame.Route;

/**
 * A capture of a {@link org.mrcheck.rnic.Wire}: its packets as RoCEv2 frames in the order of
 * sending, and among them marks, UDP datagrams to port {@value #MARKS_PORT} by which the owners of
 * regions and queue pairs say what they do:
 *
 * <pre>
 * mr_reg mr3 pd 1 va 0x7f0000001000 len 8192 lkey 0x102 rkey 0x102 acc 7
 * mr_dereg_call mr3 rkey 0x102
 * mr_dereg_return mr3 rkey 0x102
 * qp 0x11 peer 0x12 pd 1 acc 6 psn 0xabc000 peer_psn 0x100 mtu 1024
 * </pre>
 *
 * <p>A registration's mark comes after the registration is in force and before anybody is told the
 * key; a deregistration's call mark before the key becomes invalid, its return mark after the last
 * access; a queue pair's mark before its first packet. In it {@code psn} is the first PSN that the
 * queue pair expects, {@code peer_psn} the first that it sends.
 *
 * <p>Hosts get made-up addresses by their place in the list of hosts; the capture's comment and its
 * name resolution block tell them. Safe for several threads.
 */
public final class RoceCapture implements WireTap, AutoCloseable {
  /** UDP port of marks. */
  public static final int MARKS_PORT = 9999;

  private final CaptureWriter writer;
  private final Map<String, Station> stations;

  /** Where each host's marks about its regions go: to the host after it. */
  private final Map<String, Station> neighbours;

  private final AtomicLong packets = new AtomicLong();
  private final AtomicLong marks = new AtomicLong();

  private RoceCapture(
      CaptureWriter writer, Map<String, Station> stations, Map<String, Station> neighbours) {
    this.writer = writer;
    this.stations = stations;
    this.neighbours = neighbours;
  }

  /**
   * Begins a capture in a pcapng file, which bears its name only once {@link #close} has written it
   * whole.
   *
   * @param source what is captured, for people
   * @param hosts every host on the wire, 1 to 254; the first becomes 192.0.2.1
   * @throws IOException if the file cannot be made
   */
  public static RoceCapture toFile(Path file, String source, List<String> hosts)
      throws IOException {
    if (hosts.isEmpty() || hosts.size() > 254 || new HashSet<>(hosts).size() < hosts.size()) {
      throw new IllegalArgumentException("hosts=" + hosts + ": 1 to 254, each once");
    }
    Map<String, Station> stations = new LinkedHashMap<>();
    Map<String, Station> neighbours = new LinkedHashMap<>();
    Map<Integer, String> names = new LinkedHashMap<>();
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i++) {
      Station station = Station.documentation(i + 1);
      stations.put(hosts.get(i), station);
      neighbours.put(hosts.get(i), Station.documentation((i + 1) % hosts.size() + 1));
      names.put(station.ipv4(), hosts.get(i));
      addresses.add(station.ipv4Text() + " is " + hosts.get(i));
    }
    String comment =
        source
            + "; "
            + String.join(", ", addresses)
            + "; marks are datagrams to UDP port "
            + MARKS_PORT;
    return new RoceCapture(CaptureWriter.create(file, comment, names), stations, neighbours);
  }

  /** The RDMA packets captured so far. */
  public long packets() {
    return packets.get();
  }

  /** The marks captured so far. */
  public long marks() {
    return marks.get();
  }

  @Override
  public void sent(
      QueuePairAddress source, QueuePairAddress destination, Wire.Frame frame, boolean damaged) {
    Route route =
        new Route(
            station(source.host()),
            station(destination.host()),
            sourcePort(source.id(), destination.id()),
            0);
    byte[] bytes = RoceFrame.encode(route, destination.id().number(), frame);
    if (damaged) {
      RoceFrame.damage(bytes);
    }
    writer.write(bytes);
    packets.incrementAndGet();
  }

  /** One of the upper ports for each connection, as annex 17 advises. */
  private static int sourcePort(QueuePairId source, QueuePairId destination) {
    int mixed = (source.number() * 0x9e3779b1) ^ destination.number() * 0x85ebca6b;
    return 0xc000 | mixed >>> 18;
  }

  @Override
  public void registered(String host, MemoryRegion region) {
    mark(
        host,
        "mr_reg %s pd %d va 0x%x len %d lkey %s rkey %s acc %d"
            .formatted(
                label(region),
                region.pd().number(),
                region.iova(),
                region.length(),
                text(region.lkey()),
                text(region.rkey()),
                region.rights().bits()));
  }

  @Override
  public void deregistrationCalled(String host, MemoryRegion region) {
    mark(host, "mr_dereg_call " + label(region) + " rkey " + text(region.rkey()));
  }

  @Override
  public void deregistrationReturned(String host, MemoryRegion region) {
    mark(host, "mr_dereg_return " + label(region) + " rkey " + text(region.rkey()));
  }

  @Override
  public void connected(QueuePair queuePair, Connection connection) {
    QueuePairAddress peer = connection.peer();
    mark(
        queuePair.address().host(),
        station(peer.host()),
        "qp 0x%x peer 0x%x pd %d acc %d psn 0x%x peer_psn 0x%x mtu %d"
            .formatted(
                queuePair.id().number(),
                peer.id().number(),
                queuePair.pd().number(),
                queuePair.rights().bits(),
                connection.receivePsn(),
                connection.sendPsn(),
                connection.mtu()));
  }

  private static String label(MemoryRegion region) {
    return "mr" + region.number();
  }

  private static String text(MemoryKey key) {
    return "0x%x".formatted(key.bits());
  }

  private void mark(String host, String line) {
    station(host);
    mark(host, neighbours.get(host), line);
  }

  private void mark(String host, Station destination, String line) {
    Route route = new Route(station(host), destination, MARKS_PORT, 0);
    writer.write(RoceFrame.datagram(route, MARKS_PORT, line.getBytes(StandardCharsets.US_ASCII)));
    marks.incrementAndGet();
  }

  private Station station(String host) {
    Station station = stations.get(host);
    if (station == null) {
      throw new IllegalArgumentException("host=" + host + " is none of " + stations.keySet());
    }
    return station;
  }

  /**
   * Ends the capture; close the devices first.
   *
   * @throws java.io.UncheckedIOException if it could not be written; then there is no file
   */
  @Override
  public void close() {
    writer.close();
  }

  /** Ends without a file. */
  public void discard() {
    writer.discard();
  }
}
