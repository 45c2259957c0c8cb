package org.mrcheck.check.capture;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.mrcheck.check.capture.ImportOptions.VerbsLog;
import org.mrcheck.check.capture.ManagementDatagram.ConnectReply;
import org.mrcheck.check.capture.ManagementDatagram.ConnectRequest;
import org.mrcheck.check.capture.ManagementDatagram.ConnectionMessage;
import org.mrcheck.check.capture.QueuePairTable.Origin;
import org.mrcheck.check.capture.QueuePairTable.QueuePair;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceEvent.CallStatus;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.TraceHeader.Completeness;
import org.mrcheck.lang.trace.TraceHeader.Host;
import org.mrcheck.lang.trace.TraceHeader.Observation;

/**
 * Turns a packet capture, with the marks in it and the verbs logs beside it, into a trace.
 *
 * <p><b>Queue pairs.</b> A queue pair is a host, a number, and which of the bearers of that number.
 * A packet names only its receiver's number, so the sender's is found through the pairing of queue
 * pairs, and that comes from, in this order: a {@code qp} or {@code QP} mark (the peer is on the
 * host that the mark was sent to); the connection manager's request and reply; PSNs. By PSNs, a
 * queue pair that receives responses is paired with the one, on the host the responses come from,
 * that had before received requests of the same PSNs from the first one's host; every response
 * votes, and a pair is made only where both ends have one best partner. A response to a queue pair
 * that stays unpaired is still used if exactly one queue pair could have sent it. What then remains
 * is no event and is counted. A mark or a connection made for a number that was in use begins the
 * next incarnation of it; a packet whose PSN fits the incarnation before and not the new one is a
 * late packet of that one.
 *
 * <p><b>Packets.</b> A request is an {@code rx} at its receiver; a READ response or an atomic
 * acknowledgement is a {@code tx}, an acknowledgement an {@code ack} or {@code nak}, at the
 * responder that sent it.
 *
 * <p><b>Connections.</b> A {@code qp.connect} is written at the mark or at the connection manager's
 * reply; where only PSNs paired two queue pairs, or where the peer's own host made no mark, before
 * the first packet of the pair. Its {@code mtu} comes from the connection manager, else from the
 * payload of the pair's FIRST and MIDDLE packets, which carry exactly the path MTU (IBTA volume 1,
 * section 9.7.2), if all agree.
 *
 * <p><b>Invalidation by a SEND.</b> When its last packet arrives, the key may become invalid; when
 * the responder acknowledges it, the key is invalid. In between nobody outside the device can tell.
 * So an {@code inv.call} is written behind the packet's {@code rx} and an {@code inv.return} behind
 * the acknowledgement that covers it, both by the role {@code wire}: an interval in which either is
 * allowed.
 *
 * <p><b>Times</b> are those of the capture's clock in nanoseconds. A line of a verbs log stands on
 * another clock; it gets the time of the frame it is placed beside.
 *
 * <p>The same files and options give the same trace. Memory is proportional to the number of frames
 * and log lines, not to their bytes: payloads are not kept. Stateless; any number of threads may
 * import at the same time.
 */
public final class CaptureImporter {
  private static final int MOST_SAMPLES = 20;

  private CaptureImporter() {}

  /**
   * Imports a capture.
   *
   * @throws CaptureFormatException if the file is no capture, or damaged in the middle
   * @throws IOException if the capture or a log cannot be read
   */
  public static ImportedCapture read(Path capture, ImportOptions options) throws IOException {
    if (Files.isDirectory(capture)) {
      CaptureReader.open(capture).close();
    }
    Path fileName = capture.getFileName();
    String name = fileName == null ? capture.toString() : fileName.toString();
    try (InputStream in = Files.newInputStream(capture)) {
      return read(in, capture.toString(), name, options);
    }
  }

  /**
   * Imports a capture from a stream, read to its end but not closed.
   *
   * @param name what messages and the trace's header call it
   * @throws CaptureFormatException if it is no capture, or damaged in the middle
   * @throws IOException if the capture or a log cannot be read
   */
  public static ImportedCapture read(InputStream capture, String name, ImportOptions options)
      throws IOException {
    return read(capture, name, name, options);
  }

  private static ImportedCapture read(
      InputStream capture, String path, String name, ImportOptions options) throws IOException {
    Import run = new Import(options);
    MessageDigest digest = sha256();
    DigestInputStream digested = new DigestInputStream(capture, digest);
    try {
      CaptureReader reader = CaptureReader.open(digested, path);
      FrameDissector dissector = new FrameDissector();
      for (Optional<RawFrame> frame = reader.next(); frame.isPresent(); frame = reader.next()) {
        run.add(dissector.dissect(frame.get()));
      }
      run.warnings.addAll(reader.warnings());
    } finally {
      // The digest is of the whole file, whatever was read of it.
      digested.transferTo(OutputStream.nullOutputStream());
    }
    List<VerbsLines> logs = new ArrayList<>();
    for (VerbsLog log : options.verbsLogs()) {
      logs.add(VerbsLines.read(log.file()));
    }
    return run.finish(name + " sha256=" + HexFormat.of().formatHex(digest.digest()), logs);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** One import. */
  private static final class Import {
    private final ImportOptions options;
    private final List<Frame> frames = new ArrayList<>();
    private final List<QueuePair> receivers = new ArrayList<>();
    private final Map<Integer, OwnerLine> marks = new HashMap<>();
    private final Map<String, List<VerbsMerge.Mark>> marksByHost = new LinkedHashMap<>();
    private final Set<String> owners = new TreeSet<>();
    private final List<String> unknownMarks = new ArrayList<>();
    private final QueuePairTable table = new QueuePairTable();
    private final Map<String, PendingConnect> connectRequests = new HashMap<>();
    private final Set<String> repliesSeen = new HashSet<>();
    private final Map<Integer, QueuePair[]> connections = new HashMap<>();
    private final Map<Integer, QueuePair> soleResponders = new HashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private final List<TraceEvent> events = new ArrayList<>();
    private final Map<FrameFate, Long> fates = new EnumMap<>(FrameFate.class);
    private final Map<EventName, Long> counts = new EnumMap<>(EventName.class);
    private final Map<Integer, Long> unknownOpcodes = new TreeMap<>();
    private final Set<String> hosts = new LinkedHashSet<>();
    private final Set<String> invalidatingHosts = new TreeSet<>();
    private final Map<String, OwnedObjects> owned = new HashMap<>();
    private final Map<QueuePair, Deque<PendingInvalidate>> invalidates = new HashMap<>();
    private final Map<QueuePair, Integer> answered = new HashMap<>();
    private long rdmaFrames;
    private long badIcrc;
    private long uncheckedIcrc;
    private long truncated;
    private long psnGaps;
    private long missingPackets;
    private long repeatedPackets;

    private record PendingInvalidate(int psn, MemoryKey key) {}

    /** A ConnectRequest seen, and whether it was answered by a reply of which identifier. */
    private static final class PendingConnect {
      final ConnectRequest request;
      final String to;
      boolean answered;

      PendingConnect(ConnectRequest request, String to) {
        this.request = request;
        this.to = to;
      }
    }

    /** Numbers of a host's regions and windows; shared, so that no window has a region's number. */
    private static final class OwnedObjects {
      long last;
      final Map<String, Long> regions = new HashMap<>();
      final Map<MemoryKey, Long> regionsByKey = new HashMap<>();
      final Map<String, Long> windows = new HashMap<>();

      long next() {
        return ++last;
      }
    }

    Import(ImportOptions options) {
      this.options = options;
    }

    // ---- reading: which queue pair each packet is addressed to

    void add(Frame frame) {
      int index = frames.size();
      QueuePair receiver = null;
      Frame kept = frame;
      if (frame instanceof Frame.Rdma rdma) {
        rdmaFrames++;
        if (rdma.isConnected()) {
          receiver =
              table.addressed(
                  rdma.destination(), rdma.destinationQp(), rdma.psn(), rdma.isRequest());
        }
        rdma.management()
            .flatMap(ManagementDatagram::connection)
            .ifPresent(message -> connection(index, rdma, message));
      } else if (frame instanceof Frame.Datagram datagram) {
        if (options.marksPort().isPresent()
            && options.marksPort().getAsInt() == datagram.destinationPort()) {
          mark(index, datagram);
        } else {
          // Its text is of no use and may be long.
          kept = new Frame.Other(frame.number(), frame.timeNanos(), FrameFate.NOT_RDMA);
        }
      }
      frames.add(kept);
      receivers.add(receiver);
    }

    private void mark(int index, Frame.Datagram datagram) {
      Optional<OwnerLine> line = OwnerLine.parse(datagram.text());
      if (line.isEmpty()) {
        if (unknownMarks.size() < MOST_SAMPLES) {
          unknownMarks.add("frame " + datagram.number() + ": " + printable(datagram.text()));
        }
        return;
      }
      marks.put(index, line.get());
      QueuePair own = null;
      if (line.get() instanceof OwnerLine.QueuePairReady ready) {
        owners.add(datagram.source());
        own = ready(datagram, ready);
      } else if (line.get() instanceof OwnerLine.Connected connected) {
        own = connected(datagram, connected);
      } else {
        owners.add(datagram.source());
      }
      if (own != null) {
        connections.put(index, new QueuePair[] {own});
      }
      marksByHost
          .computeIfAbsent(datagram.source(), host -> new ArrayList<>())
          .add(new VerbsMerge.Mark(index, datagram.text().strip(), own));
    }

    /** A queue pair's own host says that it is connected, and with which PSNs. */
    private QueuePair ready(Frame.Datagram datagram, OwnerLine.QueuePairReady line) {
      QueuePair own = table.newest(datagram.source(), line.number());
      boolean impliedByPeer =
          own != null
              && own.origin == Origin.MARK
              && !own.declared
              && own.peer != null
              && own.peer.host.equals(datagram.destination())
              && own.peer.id.number() == line.peer()
              && (own.receivePsn.isEmpty() || own.receivePsn.getAsInt() == line.receivePsn());
      if (!impliedByPeer) {
        own = table.begin(datagram.source(), line.number(), Origin.MARK);
        QueuePair peer = table.begin(datagram.destination(), line.peer(), Origin.MARK);
        QueuePairTable.pair(own, peer, Origin.MARK);
      }
      own.declared = true;
      own.receivePsn = OptionalInt.of(line.receivePsn());
      own.sendPsn = OptionalInt.of(line.sendPsn());
      own.peer.receivePsn = own.sendPsn;
      own.peer.sendPsn = own.receivePsn;
      return own;
    }

    private QueuePair connected(Frame.Datagram datagram, OwnerLine.Connected line) {
      QueuePair own = table.newest(datagram.source(), line.number());
      QueuePair peer = table.newest(datagram.destination(), line.peer());
      boolean known = own != null && !own.declared && own.peer != null && own.peer == peer;
      boolean trafficOnly =
          own != null
              && peer != null
              && own.origin == Origin.TRAFFIC
              && peer.origin == Origin.TRAFFIC
              && own.peer == null
              && peer.peer == null;
      if (trafficOnly) {
        QueuePairTable.pair(own, peer, Origin.MARK);
      } else if (!known) {
        own = table.begin(datagram.source(), line.number(), Origin.MARK);
        peer = table.begin(datagram.destination(), line.peer(), Origin.MARK);
        QueuePairTable.pair(own, peer, Origin.MARK);
      }
      own.declared = true;
      return own;
    }

    private void connection(int index, Frame.Rdma frame, ConnectionMessage message) {
      if (message instanceof ConnectRequest request) {
        String id = frame.source() + " " + request.localId();
        PendingConnect known = connectRequests.get(id);
        if (known == null || !known.request.equals(request)) {
          connectRequests.put(id, new PendingConnect(request, frame.destination()));
        }
      } else if (message instanceof ConnectReply reply) {
        PendingConnect pending = connectRequests.get(frame.destination() + " " + reply.remoteId());
        if (pending != null && pending.answered) {
          return;
        }
        if (!repliesSeen.add(frame.source() + " " + frame.destination() + " " + reply)) {
          return;
        }
        QueuePair passive =
            table.begin(frame.source(), reply.queuePair(), Origin.CONNECTION_MANAGEMENT);
        passive.receivePsn = OptionalInt.of(reply.startingPsn());
        if (pending == null) {
          connections.put(index, new QueuePair[] {passive});
          return;
        }
        pending.answered = true;
        QueuePair active =
            table.begin(
                frame.destination(), pending.request.queuePair(), Origin.CONNECTION_MANAGEMENT);
        active.receivePsn = OptionalInt.of(pending.request.startingPsn());
        active.sendPsn = passive.receivePsn;
        passive.sendPsn = active.receivePsn;
        if (pending.request.mtu() > 0) {
          active.mtu = OptionalInt.of(pending.request.mtu());
          passive.mtu = active.mtu;
        }
        QueuePairTable.pair(active, passive, Origin.CONNECTION_MANAGEMENT);
        connections.put(index, new QueuePair[] {passive, active});
      }
    }

    // ---- between: who is whose peer, and how long packets are

    private record RequestKey(String from, String to, int psn) {}

    private record Candidate(QueuePair requester, QueuePair responder) {}

    private void inferPairs() {
      Map<RequestKey, Set<QueuePair>> requested = new HashMap<>();
      Map<Candidate, Long> votes = new LinkedHashMap<>();
      for (int i = 0; i < frames.size(); i++) {
        if (!(frames.get(i) instanceof Frame.Rdma packet) || receivers.get(i) == null) {
          continue;
        }
        QueuePair receiver = receivers.get(i);
        if (packet.isRequest() && !packet.opcode().isUnreliableConnection()) {
          if (receiver.peer == null) {
            requested
                .computeIfAbsent(
                    new RequestKey(packet.source(), packet.destination(), packet.psn()),
                    key -> new LinkedHashSet<>())
                .add(receiver);
          }
        } else if (packet.isResponse() && receiver.peer == null) {
          Set<QueuePair> able =
              requested.getOrDefault(
                  new RequestKey(packet.destination(), packet.source(), packet.psn()), Set.of());
          for (QueuePair responder : able) {
            if (responder != receiver) {
              votes.merge(new Candidate(receiver, responder), 1L, Long::sum);
            }
          }
          if (able.size() == 1) {
            soleResponders.put(i, able.iterator().next());
          }
        }
      }
      // Each end may also answer the other: both directions speak for the same pair.
      Map<Candidate, Long> sums = new LinkedHashMap<>();
      votes.forEach(
          (candidate, count) ->
              sums.put(
                  candidate,
                  count
                      + votes.getOrDefault(
                          new Candidate(candidate.responder(), candidate.requester()), 0L)));
      Map<QueuePair, Candidate> best = new HashMap<>();
      Set<QueuePair> tied = new LinkedHashSet<>();
      sums.forEach(
          (candidate, count) -> {
            for (QueuePair end : List.of(candidate.requester(), candidate.responder())) {
              Candidate known = best.get(end);
              if (known == null || sums.get(known) < count) {
                best.put(end, candidate);
                tied.remove(end);
              } else if (!sameEnds(known, candidate) && sums.get(known).equals(count)) {
                tied.add(end);
              }
            }
          });
      for (Candidate candidate : sums.keySet()) {
        QueuePair one = candidate.requester();
        QueuePair other = candidate.responder();
        if (one.peer == null
            && other.peer == null
            && one != other
            && sameEnds(best.get(one), candidate)
            && sameEnds(best.get(other), candidate)
            && !tied.contains(one)
            && !tied.contains(other)) {
          QueuePairTable.pair(one, other, Origin.INFERENCE);
        }
      }
    }

    private static boolean sameEnds(Candidate one, Candidate other) {
      return one.equals(other)
          || one.requester() == other.responder() && one.responder() == other.requester();
    }

    private void inferPathMtu() {
      Map<QueuePair, Set<Integer>> payloads = new HashMap<>();
      for (int i = 0; i < frames.size(); i++) {
        if (frames.get(i) instanceof Frame.Rdma packet
            && receivers.get(i) != null
            && packet.icrc() != Icrc.BAD
            && isFullPacket(packet.opcode())) {
          QueuePair receiver = receivers.get(i);
          payloads.computeIfAbsent(receiver, key -> new TreeSet<>()).add(packet.payload());
          if (receiver.peer != null) {
            payloads.computeIfAbsent(receiver.peer, key -> new TreeSet<>()).add(packet.payload());
          }
        }
      }
      payloads.forEach(
          (queuePair, sizes) -> {
            if (queuePair.mtu.isEmpty() && sizes.size() == 1) {
              int size = sizes.iterator().next();
              if (size >= 256 && size <= 4096 && Integer.bitCount(size) == 1) {
                queuePair.mtu = OptionalInt.of(size);
              }
            }
          });
    }

    private static boolean isFullPacket(Opcode opcode) {
      return switch (opcode.operation()) {
        case 0, 1, 6, 7, 13, 14 -> true;
        default -> false;
      };
    }

    /** Requests that jump ahead, and requests that come again, by queue pair. */
    private void countGaps() {
      Map<QueuePair, Integer> expected = new HashMap<>();
      Set<QueuePair> unknown = new LinkedHashSet<>();
      for (int i = 0; i < frames.size(); i++) {
        if (!(frames.get(i) instanceof Frame.Rdma packet) || receivers.get(i) == null) {
          continue;
        }
        QueuePair receiver = receivers.get(i);
        if (!packet.isRequest()) {
          continue;
        }
        Integer next = expected.get(receiver);
        int span = 1;
        boolean spanKnown = true;
        if (packet.opcode().isReadRequest()) {
          long length = packet.access().map(access -> access.length()).orElse(0L);
          long mtu = receiver.mtu.orElse(256);
          span = (int) Math.max(1, (length + mtu - 1) / mtu);
          spanKnown = receiver.mtu.isPresent() || length <= 256;
        }
        int after = packet.psn() + span & 0xff_ffff;
        if (next == null) {
          expected.put(receiver, after);
        } else {
          int ahead = QueuePairTable.difference(packet.psn(), next);
          if (ahead > 0 && !unknown.contains(receiver)) {
            psnGaps++;
            missingPackets += ahead;
          }
          if (ahead < 0) {
            repeatedPackets++;
          }
          if (ahead >= 0 || QueuePairTable.difference(after, next) > 0) {
            expected.put(receiver, after);
          }
        }
        if (spanKnown) {
          unknown.remove(receiver);
        } else {
          unknown.add(receiver);
        }
      }
    }

    private Map<QueuePair, MessageIndex> indexMessages() {
      Map<QueuePair, MessageIndex> indices = new HashMap<>();
      for (int i = 0; i < frames.size(); i++) {
        if (frames.get(i) instanceof Frame.Rdma packet && receivers.get(i) != null) {
          QueuePair receiver = receivers.get(i);
          QueuePair responder = packet.isRequest() ? receiver : receiver.peer;
          if (responder == null) {
            continue;
          }
          MessageIndex index =
              indices.computeIfAbsent(
                  responder, queuePair -> new MessageIndex(queuePair.receivePsn));
          if (packet.isRequest()) {
            index.request(packet, i);
          } else if (packet.isResponse()) {
            index.answer(packet, i);
          }
        }
      }
      return indices;
    }

    // ---- writing

    ImportedCapture finish(String source, List<VerbsLines> logs) {
      inferPairs();
      inferPathMtu();
      countGaps();
      Map<Integer, List<VerbsMerge.Placed>> slots = new TreeMap<>();
      List<VerbsMerge> merges = merge(logs, slots);
      for (int i = 0; i < frames.size(); i++) {
        writeSlot(slots.get(2 * i), i);
        FrameFate fate = write(i);
        fates.merge(fate, 1L, Long::sum);
        writeSlot(slots.get(2 * i + 1), i);
      }
      slots.forEach(
          (slot, placed) -> {
            if (slot >= 2 * frames.size()) {
              writeSlot(placed, frames.size() - 1);
            }
          });
      List<ImportReport.VerbsReport> reports = new ArrayList<>();
      for (VerbsMerge merge : merges) {
        reports.add(merge.report());
      }
      if (options.marksPort().isPresent() && marks.isEmpty()) {
        warnings.add(
            "no mark was found at UDP port "
                + options.marksPort().getAsInt()
                + "; nothing is known of registrations");
      }
      return new ImportedCapture(header(source, merges), events, report(reports));
    }

    private List<VerbsMerge> merge(
        List<VerbsLines> logs, Map<Integer, List<VerbsMerge.Placed>> slots) {
      List<VerbsMerge> merges = new ArrayList<>();
      if (logs.isEmpty()) {
        return merges;
      }
      Map<QueuePair, MessageIndex> messages = indexMessages();
      for (int i = 0; i < logs.size(); i++) {
        VerbsLines log = logs.get(i);
        Optional<String> host = options.verbsLogs().get(i).host().or(log::host);
        if (host.isEmpty()) {
          warnings.add(
              log.name()
                  + ": no line says which host wrote it, so it was left out; name the host as "
                  + log.name()
                  + "@HOST");
          continue;
        }
        VerbsMerge merge =
            new VerbsMerge(
                host.get(), log, table, messages, marksByHost.getOrDefault(host.get(), List.of()));
        merge.placeInto(slots);
        merges.add(merge);
      }
      return merges;
    }

    private void writeSlot(List<VerbsMerge.Placed> placed, int nearFrame) {
      if (placed == null) {
        return;
      }
      long time = nearFrame < 0 ? 0 : frames.get(nearFrame).timeNanos();
      for (VerbsMerge.Placed event : placed) {
        emit(event.actor(), time, 0, event::at);
      }
    }

    private void emit(Actor actor, Frame frame, Function<Stamp, ? extends TraceEvent> maker) {
      emit(actor, frame.timeNanos(), frame.number(), maker);
    }

    private void emit(
        Actor actor, long time, long frame, Function<Stamp, ? extends TraceEvent> maker) {
      TraceEvent event = maker.apply(new Stamp(events.size() + 1L, time, actor, frame));
      events.add(event);
      counts.merge(event.name(), 1L, Long::sum);
      hosts.add(actor.host());
    }

    private FrameFate write(int index) {
      Frame frame = frames.get(index);
      if (frame instanceof Frame.Other other) {
        return other.reason();
      }
      if (frame instanceof Frame.Datagram datagram) {
        OwnerLine line = marks.get(index);
        if (line == null) {
          return FrameFate.UNKNOWN_MARK;
        }
        writeMark(index, datagram, line);
        return FrameFate.MARK;
      }
      Frame.Rdma packet = (Frame.Rdma) frame;
      switch (packet.icrc()) {
        case BAD -> badIcrc++;
        case UNCHECKED -> uncheckedIcrc++;
        case OK -> {}
      }
      if (packet.truncated()) {
        truncated++;
      }
      if (!packet.isConnected()) {
        return writeUnconnected(index, packet);
      }
      QueuePair receiver = receivers.get(index);
      writeConnects(receiver, packet, "wire");
      if (packet.isRequest()) {
        Actor actor = new Actor(receiver.host, "wire");
        emit(actor, packet, stamp -> new TraceEvent.Rx(stamp, receiver.id, packet.packet()));
        packet.invalidate().ifPresent(key -> invalidateArrived(receiver, actor, packet, key));
        return FrameFate.EVENT;
      }
      if (!packet.isResponse()) {
        return unknownTransport(packet);
      }
      QueuePair responder = receiver.peer != null ? receiver.peer : soleResponders.get(index);
      if (responder == null || !responder.host.equals(packet.source())) {
        return FrameFate.UNPAIRED;
      }
      writeResponse(responder, packet);
      return FrameFate.EVENT;
    }

    private FrameFate writeUnconnected(int index, Frame.Rdma packet) {
      if (packet.opcode().code() == 0x81) {
        return FrameFate.CONGESTION_NOTIFICATION;
      }
      if (packet.opcode().code() >> 5 != 3) {
        return unknownTransport(packet);
      }
      if (packet.management().isEmpty()) {
        return FrameFate.UNRELIABLE_DATAGRAM;
      }
      QueuePair[] connected = connections.get(index);
      if (connected != null) {
        for (QueuePair queuePair : connected) {
          writeConnect(queuePair, packet, "wire");
        }
      }
      return packet.management().get().managementClass()
              == ManagementDatagram.COMMUNICATION_MANAGEMENT
          ? FrameFate.CONNECTION_MANAGEMENT
          : FrameFate.MANAGEMENT;
    }

    private FrameFate unknownTransport(Frame.Rdma packet) {
      unknownOpcodes.merge(packet.opcode().code(), 1L, Long::sum);
      return FrameFate.UNKNOWN_TRANSPORT;
    }

    private void writeResponse(QueuePair responder, Frame.Rdma packet) {
      Actor actor = new Actor(responder.host, "wire");
      Opcode opcode = packet.opcode();
      boolean refuses = false;
      if (opcode.isAcknowledge()) {
        Syndrome syndrome = packet.syndrome().orElseThrow();
        int msn = packet.msn().orElseThrow();
        refuses = syndrome.kind() != Syndrome.Kind.ACK;
        if (refuses) {
          emit(
              actor,
              packet,
              stamp -> new TraceEvent.Nak(stamp, responder.id, packet.psn(), msn, syndrome));
        } else {
          emit(
              actor,
              packet,
              stamp -> new TraceEvent.Ack(stamp, responder.id, packet.psn(), msn, syndrome));
        }
      } else {
        emit(actor, packet, stamp -> new TraceEvent.Tx(stamp, responder.id, packet.packet()));
      }
      // A NAK acknowledges what is before its PSN, as does a response, which itself answers a READ.
      int upTo = refuses || !opcode.isAcknowledge() ? packet.psn() - 1 & 0xff_ffff : packet.psn();
      Integer before = answered.get(responder);
      if (before == null || QueuePairTable.difference(upTo, before) > 0) {
        answered.put(responder, upTo);
      }
      Deque<PendingInvalidate> waiting = invalidates.get(responder);
      if (waiting == null) {
        return;
      }
      for (Iterator<PendingInvalidate> all = waiting.iterator(); all.hasNext(); ) {
        PendingInvalidate pending = all.next();
        if (QueuePairTable.difference(upTo, pending.psn()) >= 0) {
          emit(
              actor,
              packet,
              stamp -> new TraceEvent.InvReturn(stamp, pending.key(), CallStatus.OK));
          all.remove();
        }
      }
    }

    private void invalidateArrived(
        QueuePair receiver, Actor actor, Frame.Rdma packet, MemoryKey key) {
      Integer done = answered.get(receiver);
      if (done != null && QueuePairTable.difference(done, packet.psn()) >= 0) {
        // Sent again although answered: it is not executed again (row D2).
        return;
      }
      PendingInvalidate pending = new PendingInvalidate(packet.psn(), key);
      Deque<PendingInvalidate> waiting =
          invalidates.computeIfAbsent(receiver, queuePair -> new ArrayDeque<>());
      if (!waiting.contains(pending)) {
        waiting.add(pending);
        invalidatingHosts.add(receiver.host);
        emit(actor, packet, stamp -> new TraceEvent.InvCall(stamp, key));
      }
    }

    /** Both ends' connections, if they are known and not yet written. */
    private void writeConnects(QueuePair queuePair, Frame frame, String role) {
      if (queuePair.connectWritten || queuePair.peer == null) {
        return;
      }
      writeConnect(queuePair, frame, role);
      if (!queuePair.peer.connectWritten) {
        writeConnect(queuePair.peer, frame, role);
      }
    }

    private void writeConnect(QueuePair queuePair, Frame frame, String role) {
      queuePair.connectWritten = true;
      emit(
          new Actor(queuePair.host, role),
          frame,
          stamp ->
              new TraceEvent.QpConnect(
                  stamp,
                  queuePair.id,
                  Optional.ofNullable(queuePair.peer).map(QueuePair::address),
                  queuePair.receivePsn,
                  queuePair.sendPsn,
                  queuePair.mtu));
    }

    private void writeMark(int index, Frame.Datagram frame, OwnerLine line) {
      String host = frame.source();
      Actor actor = new Actor(host, "owner");
      OwnedObjects objects = owned.computeIfAbsent(host, name -> new OwnedObjects());
      if (line instanceof OwnerLine.Registered region) {
        long mr = objects.next();
        objects.regions.put(region.label(), mr);
        if (!region.key().equals(MemoryKey.NONE)) {
          objects.regionsByKey.put(region.key(), mr);
        }
        emit(
            actor,
            frame,
            stamp ->
                new TraceEvent.Reg(
                    stamp,
                    mr,
                    region.pd(),
                    region.key(),
                    region.lkey(),
                    region.va(),
                    region.length(),
                    region.rights(),
                    Optional.of(region.label())));
      } else if (line instanceof OwnerLine.DeregistrationCalled call) {
        long mr = region(objects, call.label(), call.key());
        emit(actor, frame, stamp -> new TraceEvent.DeregCall(stamp, mr, call.key()));
      } else if (line instanceof OwnerLine.DeregistrationReturned done) {
        long mr = region(objects, done.label(), done.key());
        objects.regions.remove(done.label(), mr);
        objects.regionsByKey.remove(done.key(), mr);
        emit(
            actor,
            frame,
            stamp -> new TraceEvent.DeregReturn(stamp, mr, done.key(), CallStatus.OK));
      } else if (line instanceof OwnerLine.BindPosted bind) {
        long mr = region(objects, bind.region(), MemoryKey.NONE);
        long mw = objects.windows.computeIfAbsent(bind.label(), label -> objects.next());
        Optional<QueuePairId> queuePair =
            bind.queuePair().isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(table.newest(host, bind.queuePair().getAsInt()))
                    .map(newest -> bearerAt(host, bind.queuePair().getAsInt(), index, newest).id);
        emit(
            actor,
            frame,
            stamp ->
                new TraceEvent.BindCall(
                    stamp,
                    mw,
                    bind.type(),
                    mr,
                    queuePair,
                    bind.key(),
                    bind.va(),
                    bind.length(),
                    bind.rights(),
                    Optional.of(bind.label())));
      } else if (line instanceof OwnerLine.BindCompleted done) {
        long mw = objects.windows.computeIfAbsent(done.label(), label -> objects.next());
        if (done.status().isPresent()) {
          emit(
              actor,
              frame,
              stamp -> new TraceEvent.BindReturn(stamp, mw, done.key(), status(done.status())));
        }
      } else if (line instanceof OwnerLine.InvalidatePosted call) {
        emit(actor, frame, stamp -> new TraceEvent.InvCall(stamp, call.key()));
      } else if (line instanceof OwnerLine.InvalidateCompleted done) {
        if (done.status().isPresent()) {
          emit(
              actor,
              frame,
              stamp -> new TraceEvent.InvReturn(stamp, done.key(), status(done.status())));
        }
      } else if (line instanceof OwnerLine.QueuePairReady ready) {
        QueuePair queuePair = connections.get(index)[0];
        emit(
            actor,
            frame,
            stamp -> new TraceEvent.QpCreate(stamp, queuePair.id, ready.pd(), ready.rights()));
        if (!queuePair.connectWritten) {
          writeConnect(queuePair, frame, "owner");
        }
      } else if (line instanceof OwnerLine.Connected) {
        QueuePair queuePair = connections.get(index)[0];
        if (!queuePair.connectWritten) {
          writeConnect(queuePair, frame, "owner");
        }
      }
    }

    /** The bearer of a number at the time of a mark: the last one declared by a mark before it. */
    private QueuePair bearerAt(String host, int number, int index, QueuePair newest) {
      QueuePair found = null;
      for (VerbsMerge.Mark mark : marksByHost.getOrDefault(host, List.of())) {
        if (mark.frame() > index) {
          break;
        }
        if (mark.queuePair() != null && mark.queuePair().id.number() == number) {
          found = mark.queuePair();
        }
      }
      return found == null ? newest : found;
    }

    /** The region of that label or, failing that, key; a number of its own if neither is known. */
    private static long region(OwnedObjects objects, String label, MemoryKey key) {
      Long known = objects.regions.get(label);
      if (known == null) {
        known = objects.regionsByKey.get(key);
      }
      if (known == null) {
        // Registered before the recording began.
        known = objects.next();
        objects.regions.put(label, known);
      }
      return known;
    }

    private static CallStatus status(OptionalInt number) {
      return number.getAsInt() == 0 ? CallStatus.OK : CallStatus.ERROR;
    }

    private TraceHeader header(String source, List<VerbsMerge> merges) {
      List<Host> declared =
          hosts.stream().map(host -> new Host(host, 0, 1, "capture", "little")).toList();
      Set<String> transports =
          frames.stream()
              .filter(Frame.Rdma.class::isInstance)
              .map(frame -> ((Frame.Rdma) frame).encapsulation())
              .collect(Collectors.toCollection(() -> EnumSet.noneOf(Frame.Encapsulation.class)))
              .stream()
              .map(Frame.Encapsulation::text)
              .collect(Collectors.toCollection(LinkedHashSet::new));
      List<Observation> observed = new ArrayList<>();
      observed.add(new Observation(EventClass.WIRE, "*", Completeness.PARTIAL));
      if (counts.containsKey(EventName.QP_CONNECT)) {
        observed.add(new Observation(EventClass.QUEUE_PAIR, "*", Completeness.PARTIAL));
      }
      for (String host : owners) {
        boolean whole =
            merges.stream().noneMatch(merge -> merge.host().equals(host) && merge.missesMarks());
        observed.add(new Observation(EventClass.WIRE, host, witnessed(host)));
        observed.add(
            new Observation(
                EventClass.REGISTRATION,
                host,
                whole ? Completeness.COMPLETE : Completeness.PARTIAL));
        observed.add(new Observation(EventClass.QUEUE_PAIR, host, Completeness.COMPLETE));
        if (!whole) {
          warnings.add(
              host + ": its log has registrations that are not among the marks; marks were lost");
        }
      }
      for (String host : invalidatingHosts) {
        if (!owners.contains(host)) {
          observed.add(new Observation(EventClass.REGISTRATION, host, Completeness.PARTIAL));
        }
      }
      Map<String, Boolean> posting = new TreeMap<>();
      for (VerbsMerge merge : merges) {
        if (merge.observed()) {
          posting.merge(merge.host(), merge.complete(), Boolean::logicalAnd);
        }
      }
      posting.forEach(
          (host, complete) ->
              observed.add(
                  new Observation(
                      EventClass.POSTING,
                      host,
                      complete ? Completeness.COMPLETE : Completeness.PARTIAL)));
      return new TraceHeader(
          TraceHeader.CURRENT_VERSION,
          declared,
          transports.isEmpty() ? Optional.empty() : Optional.of(String.join("+", transports)),
          Optional.of(source),
          List.copyOf(observed),
          attributes());
    }

    /** What the events cannot say: packets of transports that no contract speaks of. */
    private Map<String, String> attributes() {
      long unknown = unknownOpcodes.values().stream().mapToLong(Long::longValue).sum();
      return unknown == 0
          ? Map.of()
          : Map.of(CheckResult.UNKNOWN_TRANSPORT_ATTRIBUTE, Long.toString(unknown));
    }

    /** The marks are sent by the owner's host, so its packets were captured where they pass it. */
    private Completeness witnessed(String host) {
      Optional<String> loss = WireWitness.lossAt(host, frames, receivers);
      notes.add(
          loss.map(why -> "the packets of " + host + " may be incomplete in the capture: " + why)
              .orElse("the packets of " + host + " are complete: its answers show no loss"));
      return loss.isPresent() ? Completeness.PARTIAL : Completeness.COMPLETE;
    }

    private ImportReport report(List<ImportReport.VerbsReport> reports) {
      Map<String, Long> paired = new TreeMap<>();
      List<String> unpaired = new ArrayList<>();
      for (QueuePair queuePair : table.all()) {
        if (queuePair.peer == null) {
          unpaired.add(queuePair.toString());
        } else {
          paired.merge(queuePair.pairedBy.phrase(), 1L, Long::sum);
        }
      }
      return new ImportReport(
          frames.size(),
          rdmaFrames,
          fates,
          counts,
          table.all().size(),
          paired,
          unpaired,
          table.latePackets(),
          psnGaps,
          missingPackets,
          repeatedPackets,
          badIcrc,
          uncheckedIcrc,
          truncated,
          unknownOpcodes,
          connectRequests.values().stream().filter(pending -> !pending.answered).count(),
          unknownMarks,
          reports,
          notes,
          warnings);
    }

    private static String printable(String text) {
      String shown = text.length() > 120 ? text.substring(0, 120) + "…" : text;
      return shown
          .codePoints()
          .map(code -> code >= 0x20 && code != 0x7f && !Character.isISOControl(code) ? code : '?')
          .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
          .toString();
    }
  }
}
