package org.mrcheck.check.capture;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.mrcheck.check.capture.Frame.Encapsulation;
import org.mrcheck.check.capture.ManagementDatagram.ConnectReject;
import org.mrcheck.check.capture.ManagementDatagram.ConnectReply;
import org.mrcheck.check.capture.ManagementDatagram.ConnectRequest;
import org.mrcheck.check.capture.ManagementDatagram.ConnectionMessage;
import org.mrcheck.check.capture.ManagementDatagram.DisconnectReply;
import org.mrcheck.check.capture.ManagementDatagram.DisconnectRequest;
import org.mrcheck.check.capture.ManagementDatagram.ReadyToUse;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Syndrome;

/**
 * Finds the InfiniBand packet in a frame: RoCEv2 and RoCEv1 in Ethernet, native InfiniBand in ERF
 * records. Never throws because of what the bytes are. Lengths come from the headers, so a frame
 * whose payload the snap length cut still counts with its whole payload.
 *
 * <p>Headers by opcode: IBTA volume 1, table 38. Opcodes 0x40 to 0x5f belong to the reliable
 * datagram there, which nobody builds; on the wire they are the dynamically connected transport,
 * whose packets carry {@value #DYNAMIC_HEADER} bytes between the BTH and a RETH or AETH.
 *
 * <p>Stateless; any number of threads may share one.
 */
public final class FrameDissector {
  /** UDP port of RoCEv2. */
  public static final int ROCE_PORT = 4791;

  private static final int ETHERTYPE_IPV4 = 0x0800;
  private static final int ETHERTYPE_IPV6 = 0x86dd;
  private static final int ETHERTYPE_ROCE_V1 = 0x8915;
  private static final int PROTOCOL_UDP = 17;
  private static final int NEXT_HEADER_BTH = 0x1b;
  private static final int MOST_VLAN_TAGS = 8;
  private static final int MOST_EXTENSION_HEADERS = 16;
  private static final int DYNAMIC_HEADER = 20;
  private static final int ICRC_BYTES = 4;
  private static final int CNP = 0x81;

  /** Thrown and caught inside this class where a header reaches beyond what was captured. */
  private static final class ShortFrame extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ShortFrame() {
      super(null, null, false, false);
    }
  }

  /** The bytes of one frame; every read is checked. */
  private record View(byte[] bytes) {
    int int8(int at) {
      if (at < 0 || at >= bytes.length) {
        throw new ShortFrame();
      }
      return bytes[at] & 0xff;
    }

    int int16(int at) {
      return int8(at) << 8 | int8(at + 1);
    }

    int int24(int at) {
      return int16(at) << 8 | int8(at + 2);
    }

    int int32(int at) {
      return int16(at) << 16 | int16(at + 2);
    }

    long int64(int at) {
      return Integer.toUnsignedLong(int32(at)) << 32 | Integer.toUnsignedLong(int32(at + 4));
    }
  }

  /**
   * Where an InfiniBand packet lies in a frame.
   *
   * @param network offset of the IP header, the GRH or, without either, the BTH
   * @param bth offset of the BTH
   * @param end offset one past the ICRC, by the lengths in the headers
   */
  private record Place(
      RawFrame frame,
      Encapsulation encapsulation,
      String source,
      String destination,
      int network,
      int bth,
      int end) {}

  /** Dissects one frame. */
  public Frame dissect(RawFrame frame) {
    View view = new View(frame.bytes());
    try {
      return switch (frame.linkType()) {
        case RawFrame.ETHERNET -> ethernet(frame, view, 0);
        case RawFrame.ERF -> extensibleRecord(frame, view);
        default -> other(frame, FrameFate.UNKNOWN_LINK);
      };
    } catch (ShortFrame e) {
      // What is cut inside its headers is still not known to be RDMA.
      return other(frame, frame.isTruncated() ? FrameFate.TRUNCATED : FrameFate.MALFORMED);
    }
  }

  private static Frame.Other other(RawFrame frame, FrameFate reason) {
    return new Frame.Other(frame.number(), frame.timeNanos(), reason);
  }

  private Frame ethernet(RawFrame frame, View view, int start) {
    int at = start + 12;
    int type = view.int16(at);
    for (int tags = 0;
        tags < MOST_VLAN_TAGS && (type == 0x8100 || type == 0x88a8 || type == 0x9100);
        tags++) {
      at += 4;
      type = view.int16(at);
    }
    int payload = at + 2;
    return switch (type) {
      case ETHERTYPE_IPV4 -> ipv4(frame, view, payload);
      case ETHERTYPE_IPV6 -> ipv6(frame, view, payload);
      case ETHERTYPE_ROCE_V1 -> grh(frame, view, payload, Encapsulation.ROCE_V1, null, null);
      default -> other(frame, FrameFate.NOT_RDMA);
    };
  }

  private Frame extensibleRecord(RawFrame frame, View view) {
    int type = view.int8(8);
    int header = 16;
    boolean more = (type & 0x80) != 0;
    while (more) {
      more = (view.int8(header) & 0x80) != 0;
      header += 8;
    }
    // The record's own stamp, finer than the container's: fixed point, little-endian.
    long fraction = Integer.toUnsignedLong(Integer.reverseBytes(view.int32(0)));
    long seconds = Integer.toUnsignedLong(Integer.reverseBytes(view.int32(4)));
    long nanos = seconds * 1_000_000_000L + (fraction * 1_000_000_000L + (1L << 31) >>> 32);
    RawFrame inner =
        new RawFrame(
            frame.number(),
            nanos,
            frame.linkType(),
            frame.originalLength(),
            frame.bytes(),
            frame.offset());
    return switch (type & 0x7f) {
      case 21 -> linkLayer(inner, view, header);
      case 2, 11, 16, 20 -> ethernet(inner, view, header + 2);
      default -> other(inner, FrameFate.NOT_RDMA);
    };
  }

  /** Native InfiniBand from the LRH on (IBTA volume 1, section 7.7). */
  private Frame linkLayer(RawFrame frame, View view, int start) {
    int nextHeader = view.int8(start + 1) & 3;
    String destination = "lid" + view.int16(start + 2);
    int words = view.int16(start + 4) & 0x7ff;
    String source = "lid" + view.int16(start + 6);
    int end = start + words * 4;
    return switch (nextHeader) {
      case 2 ->
          transport(
              new Place(
                  frame, Encapsulation.INFINIBAND, source, destination, start + 8, start + 8, end),
              view);
      case 3 -> grh(frame, view, start + 8, Encapsulation.INFINIBAND, source, destination);
      default -> other(frame, FrameFate.NOT_RDMA);
    };
  }

  /** A global route header; the hosts are its GIDs unless the link layer named them. */
  private Frame grh(
      RawFrame frame,
      View view,
      int start,
      Encapsulation encapsulation,
      String linkSource,
      String linkDestination) {
    if (view.int8(start) >> 4 != 6 || view.int8(start + 6) != NEXT_HEADER_BTH) {
      return other(frame, FrameFate.NOT_RDMA);
    }
    int length = view.int16(start + 4);
    String source = linkSource != null ? linkSource : address128(view, start + 8);
    String destination = linkDestination != null ? linkDestination : address128(view, start + 24);
    return transport(
        new Place(
            frame, encapsulation, source, destination, start, start + 40, start + 40 + length),
        view);
  }

  private Frame ipv4(RawFrame frame, View view, int start) {
    int first = view.int8(start);
    int headerLength = (first & 0x0f) * 4;
    if (first >> 4 != 4 || headerLength < 20) {
      return other(frame, FrameFate.MALFORMED);
    }
    if (view.int8(start + 9) != PROTOCOL_UDP) {
      return other(frame, FrameFate.NOT_RDMA);
    }
    // More fragments, or an offset.
    if ((view.int16(start + 6) & 0x3fff) != 0) {
      return other(frame, FrameFate.FRAGMENT);
    }
    return udp(
        frame,
        view,
        start,
        start + headerLength,
        address32(view, start + 12),
        address32(view, start + 16));
  }

  private Frame ipv6(RawFrame frame, View view, int start) {
    if (view.int8(start) >> 4 != 6) {
      return other(frame, FrameFate.MALFORMED);
    }
    int next = view.int8(start + 6);
    int at = start + 40;
    for (int i = 0; i < MOST_EXTENSION_HEADERS; i++) {
      if (next == PROTOCOL_UDP) {
        return udp(
            frame, view, start, at, address128(view, start + 8), address128(view, start + 24));
      }
      if (next == 44) {
        return other(frame, FrameFate.FRAGMENT);
      }
      if (next != 0 && next != 43 && next != 60) {
        break;
      }
      next = view.int8(at);
      at += (view.int8(at + 1) + 1) * 8;
    }
    return other(frame, FrameFate.NOT_RDMA);
  }

  private Frame udp(
      RawFrame frame, View view, int network, int start, String source, String destination) {
    int port = view.int16(start + 2);
    int length = view.int16(start + 4);
    if (length < 8) {
      return other(frame, FrameFate.MALFORMED);
    }
    if (port == ROCE_PORT) {
      return transport(
          new Place(
              frame,
              Encapsulation.ROCE_V2,
              source,
              destination,
              network,
              start + 8,
              start + length),
          view);
    }
    int from = start + 8;
    int to = Math.min(start + length, frame.bytes().length);
    String text =
        to <= from ? "" : new String(frame.bytes(), from, to - from, StandardCharsets.UTF_8);
    return new Frame.Datagram(frame.number(), frame.timeNanos(), source, destination, port, text);
  }

  private Frame transport(Place place, View view) {
    int at = place.bth();
    Opcode opcode = new Opcode(view.int8(at));
    int padCount = view.int8(at + 1) >> 4 & 3;
    int destinationQp = view.int24(at + 5);
    boolean ackRequest = (view.int8(at + 8) & 0x80) != 0;
    int psn = view.int24(at + 9);
    at += 12;

    int family = opcode.code() >> 5;
    int operation = opcode.operation();
    boolean known = family <= 3;
    boolean reads = known && operation == 12;
    boolean atomic = known && (operation == 19 || operation == 20);
    boolean reth = known && (operation == 6 || operation == 10 || operation == 11 || reads);
    boolean aeth = known && (operation == 13 || operation >= 15 && operation <= 18);
    OptionalInt sourceQp = OptionalInt.empty();
    if (family == 2) {
      at += DYNAMIC_HEADER;
    } else if (family == 3) {
      sourceQp = OptionalInt.of(view.int24(at + 5));
      at += 8;
    }
    Optional<RemoteAccess> access = Optional.empty();
    OptionalLong compare = OptionalLong.empty();
    OptionalLong swap = OptionalLong.empty();
    OptionalLong original = OptionalLong.empty();
    Optional<MemoryKey> invalidate = Optional.empty();
    Optional<Syndrome> syndrome = Optional.empty();
    OptionalInt msn = OptionalInt.empty();
    if (reth) {
      access =
          Optional.of(
              new RemoteAccess(
                  new MemoryKey(view.int32(at + 8)),
                  view.int64(at),
                  Integer.toUnsignedLong(view.int32(at + 12))));
      at += 16;
    } else if (atomic) {
      access = Optional.of(new RemoteAccess(new MemoryKey(view.int32(at + 8)), view.int64(at), 8));
      long first = view.int64(at + 12);
      long second = view.int64(at + 20);
      // A fetch-and-add carries its addend where a compare-and-swap carries the swap value.
      swap = OptionalLong.of(first);
      if (operation == 19) {
        compare = OptionalLong.of(second);
      }
      at += 28;
    } else if (aeth) {
      syndrome = Optional.of(new Syndrome(view.int8(at)));
      msn = OptionalInt.of(view.int24(at + 1));
      at += 4;
      if (operation == 18) {
        original = OptionalLong.of(view.int64(at));
        at += 8;
      }
    }
    if (known && (operation == 22 || operation == 23) && family != 3) {
      invalidate = Optional.of(new MemoryKey(view.int32(at)));
      at += 4;
    }
    if (known && (operation == 3 || operation == 5 || operation == 9 || operation == 11)) {
      at += 4;
    }
    int payload = place.end() - ICRC_BYTES - padCount - at;
    if (payload < 0 && (known || opcode.code() == CNP)) {
      return other(place.frame(), FrameFate.MALFORMED);
    }
    Optional<ManagementDatagram> management = Optional.empty();
    if (family == 3 && (destinationQp == 0 || destinationQp == 1) && payload >= 24) {
      management = management(view, at, payload);
    }
    boolean truncated = place.end() > view.bytes().length;
    return new Frame.Rdma(
        place.frame().number(),
        place.frame().timeNanos(),
        place.encapsulation(),
        place.source(),
        place.destination(),
        opcode,
        destinationQp,
        psn,
        ackRequest,
        padCount,
        Math.max(payload, 0),
        access,
        compare,
        swap,
        original,
        invalidate,
        syndrome,
        msn,
        sourceQp,
        management,
        truncated ? Icrc.UNCHECKED : checksum(place, view.bytes()),
        truncated);
  }

  private static Icrc checksum(Place place, byte[] bytes) {
    return switch (place.encapsulation()) {
      case ROCE_V2 ->
          InvariantCrc.check(
              bytes, place.network(), place.bth(), place.end(), bytes[place.network()] >> 4 == 4);
      case ROCE_V1 -> InvariantCrc.check(bytes, place.network(), place.bth(), place.end(), false);
      case INFINIBAND -> Icrc.UNCHECKED;
    };
  }

  private static Optional<ManagementDatagram> management(View view, int at, int payload) {
    try {
      int managementClass = view.int8(at + 1);
      int attribute = view.int16(at + 16);
      Optional<ConnectionMessage> connection = Optional.empty();
      if (managementClass == ManagementDatagram.COMMUNICATION_MANAGEMENT && payload >= 24 + 56) {
        connection = connection(view, at + 24, attribute);
      }
      return Optional.of(new ManagementDatagram(managementClass, attribute, connection));
    } catch (ShortFrame e) {
      // The datagram is cut; its transport headers are still good.
      return Optional.empty();
    }
  }

  /** IBTA volume 1, section 12.6: offsets from the end of the MAD's header. */
  private static Optional<ConnectionMessage> connection(View view, int at, int attribute) {
    int localId = view.int32(at);
    int remoteId = view.int32(at + 4);
    return switch (attribute) {
      case 0x10 -> {
        int code = view.int8(at + 50) >> 4;
        yield Optional.of(
            new ConnectRequest(
                localId,
                view.int24(at + 32),
                view.int24(at + 44),
                code >= 1 && code <= 5 ? 128 << code : 0));
      }
      case 0x12 -> Optional.of(new ConnectReject(localId, remoteId));
      case 0x13 ->
          Optional.of(
              new ConnectReply(localId, remoteId, view.int24(at + 12), view.int24(at + 20)));
      case 0x14 -> Optional.of(new ReadyToUse(localId, remoteId));
      case 0x15 -> Optional.of(new DisconnectRequest(localId, remoteId, view.int24(at + 8)));
      case 0x16 -> Optional.of(new DisconnectReply(localId, remoteId));
      default -> Optional.empty();
    };
  }

  private static String address32(View view, int at) {
    return view.int8(at)
        + "."
        + view.int8(at + 1)
        + "."
        + view.int8(at + 2)
        + "."
        + view.int8(at + 3);
  }

  private static String address128(View view, int at) {
    int[] groups = new int[8];
    for (int i = 0; i < 8; i++) {
      groups[i] = view.int16(at + 2 * i);
    }
    return HostNames.of(groups);
  }
}
