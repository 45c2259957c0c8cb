package org.mrcheck.check.capture;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.mrcheck.check.capture.QueuePairTable.QueuePair;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.Syndrome;

/**
 * Looks for frames that reached a host and that the capture lacks. A host that sends marks has its
 * packets captured where it sends and receives them, so what the network lost before that point is
 * no loss of the capture; but a tap may drop frames. The host's own answers show it: an
 * acknowledgement covers every request up to its PSN, a NAK every request before its PSN, and a
 * sequence error names a PSN that had not arrived (IBTA volume 1, section 9.7.5). A lost frame that
 * nothing refers to cannot be noticed. Confined to one thread.
 */
final class WireWitness {
  /** A jump of more packets than that is taken for a loss without looking further. */
  private static final int LONGEST_GAP = 1 << 16;

  /** What one queue pair of the host has been sent. */
  private static final class Received {
    final int base;

    /** One past the last PSN, counted from the base. */
    long next;

    /** PSNs before that which have not arrived, counted from the base. */
    final NavigableSet<Long> missing = new TreeSet<>();

    /** Whether a READ of unknown span makes the present end uncertain. */
    boolean endUnknown;

    Received(int base) {
      this.base = base;
    }

    long at(int psn) {
      return next + QueuePairTable.difference(psn, (int) (base + next & 0xff_ffff));
    }
  }

  private final String host;
  private final Map<QueuePair, Received> queuePairs = new HashMap<>();
  private String loss;

  private WireWitness(String host) {
    this.host = host;
  }

  /**
   * Why the capture does not hold every packet of that host; empty if nothing shows a loss.
   *
   * @param receivers for each frame the queue pair it is addressed to, null where there is none
   */
  static Optional<String> lossAt(String host, List<Frame> frames, List<QueuePair> receivers) {
    WireWitness witness = new WireWitness(host);
    for (int index = 0; index < frames.size() && witness.loss == null; index++) {
      if (frames.get(index) instanceof Frame.Rdma packet) {
        witness.take(packet, receivers.get(index));
      } else if (frames.get(index) instanceof Frame.Other other
          && (other.reason() == FrameFate.TRUNCATED
              || other.reason() == FrameFate.MALFORMED
              || other.reason() == FrameFate.FRAGMENT)) {
        witness.loss = "frame " + other.number() + " could not be read";
      }
    }
    return Optional.ofNullable(witness.loss);
  }

  private void take(Frame.Rdma packet, QueuePair receiver) {
    if (!packet.isConnected() || receiver == null) {
      return;
    }
    if (packet.isRequest() && packet.destination().equals(host)) {
      request(packet, receiver);
    } else if (packet.isResponse() && packet.source().equals(host)) {
      if (receiver.peer == null) {
        loss = "frame " + packet.number() + " answers on a queue pair that is not known";
      } else {
        answer(packet, receiver.peer);
      }
    }
  }

  private Optional<Received> received(Frame.Rdma packet, QueuePair responder) {
    Received known = queuePairs.get(responder);
    if (known == null) {
      if (responder.receivePsn.isEmpty()) {
        loss = "frame " + packet.number() + " belongs to a connection made before the capture";
        return Optional.empty();
      }
      known = new Received(responder.receivePsn.getAsInt());
      queuePairs.put(responder, known);
    }
    return Optional.of(known);
  }

  private void request(Frame.Rdma packet, QueuePair receiver) {
    Optional<Received> known = received(packet, receiver);
    if (known.isEmpty() || packet.icrc() == Icrc.BAD) {
      // The device drops what is damaged.
      return;
    }
    if (packet.truncated()) {
      loss = "frame " + packet.number() + " is cut by the snap length";
      return;
    }
    Received received = known.get();
    long from = received.at(packet.psn());
    long span = 1;
    boolean spanKnown = true;
    if (packet.opcode().isReadRequest()) {
      long length = packet.access().map(access -> access.length()).orElse(0L);
      long mtu = receiver.mtu.orElse(256);
      span = Math.max(1, Math.min(1 << 23, (length + mtu - 1) / mtu));
      spanKnown = receiver.mtu.isPresent() || length <= 256;
    }
    if (!spanKnown) {
      span = 1;
    }
    if (from > received.next && !received.endUnknown) {
      if (from - received.next > LONGEST_GAP) {
        loss = "frame " + packet.number() + " jumps far ahead";
        return;
      }
      for (long psn = received.next; psn < from; psn++) {
        received.missing.add(psn);
      }
    }
    received.missing.subSet(from, from + span).clear();
    if (from + span > received.next) {
      received.next = from + span;
      received.endUnknown = !spanKnown;
    } else if (from + span == received.next && !spanKnown) {
      received.endUnknown = true;
    }
  }

  private void answer(Frame.Rdma packet, QueuePair responder) {
    Optional<Received> known = received(packet, responder);
    if (known.isEmpty()) {
      return;
    }
    Received received = known.get();
    long psn = received.at(packet.psn());
    if (psn < 0) {
      // Answers to duplicates may repeat what was before the first request.
      return;
    }
    Syndrome syndrome = packet.syndrome().orElse(new Syndrome(0));
    boolean sequence = syndrome.equals(Syndrome.PSN_SEQUENCE_ERROR);
    if (sequence) {
      if (!received.missing.contains(psn)) {
        loss =
            "frame "
                + packet.number()
                + " reports a sequence error at psn "
                + packet.psn()
                + ", and the capture has no gap there";
        return;
      }
    } else if (psn >= received.next && !received.endUnknown || received.missing.contains(psn)) {
      loss = "frame " + packet.number() + " answers psn " + packet.psn() + ", which it lacks";
      return;
    }
    Long before = received.missing.lower(psn);
    if (before != null) {
      loss =
          "frame "
              + packet.number()
              + " answers psn "
              + packet.psn()
              + ", and with it psn "
              + (received.base + before & 0xff_ffff)
              + ", which it lacks";
      return;
    }
    if (sequence) {
      // Everything from here on was discarded and is sent again.
      received.next = psn;
      received.endUnknown = false;
      received.missing.tailSet(psn).clear();
    }
    if (packet.opcode().isAcknowledge() && !sequence && syndrome.bits() >= 0x20) {
      // A refused packet must be sent again to be answered again.
      if (psn + 1 == received.next && !syndrome.isFatal()) {
        received.next = psn;
        received.endUnknown = false;
      }
    }
  }
}
