package org.mrcheck.check.capture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;

/**
 * The messages that one queue pair received, and the answers it gave: what the completions of a log
 * are matched with. PSNs are counted on beyond 24 bits, so that they compare as numbers.
 */
final class MessageIndex {
  /**
   * A message; frames are indices into the capture.
   *
   * @param last PSN of its last packet; {@link Long#MAX_VALUE} where only the end of the recording
   *     bounds it
   */
  record Message(
      WorkOperation operation,
      Optional<RemoteAccess> access,
      Optional<MemoryKey> invalidate,
      long first,
      long last,
      boolean complete,
      long payload,
      int firstFrame,
      int lastFrame) {}

  private record Answer(int frame, long psn, Opcode opcode, Optional<Syndrome> syndrome) {}

  private static final class Open {
    final Optional<RemoteAccess> access;
    Opcode firstOpcode;
    Opcode lastOpcode;
    Optional<MemoryKey> invalidate = Optional.empty();
    final long first;
    long lastSeen;
    boolean ended;
    final Map<Long, Integer> payloads = new TreeMap<>();
    int firstFrame;
    int lastFrame;

    Open(Frame.Rdma packet, long psn, int frame) {
      access = packet.access();
      firstOpcode = packet.opcode();
      lastOpcode = packet.opcode();
      first = psn;
      lastSeen = psn;
      firstFrame = frame;
      lastFrame = frame;
    }

    void add(Frame.Rdma packet, long psn, int frame) {
      firstFrame = Math.min(firstFrame, frame);
      lastFrame = Math.max(lastFrame, frame);
      lastSeen = Math.max(lastSeen, psn);
      payloads.put(psn, packet.payload());
      if (packet.opcode().endsMessage()) {
        ended = true;
        lastOpcode = packet.opcode();
        invalidate = packet.invalidate();
      }
    }
  }

  private record Request(Frame.Rdma packet, long psn, int frame) {}

  private final List<Request> requests = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();
  private boolean started;
  private long near;
  private List<Message> messages;

  MessageIndex(OptionalInt firstPsn) {
    if (firstPsn.isPresent()) {
      started = true;
      near = firstPsn.getAsInt();
    }
  }

  /** Takes a request that arrived, in the order of frames. */
  void request(Frame.Rdma packet, int frame) {
    if (!started) {
      started = true;
      near = packet.psn();
    }
    near = counted(packet.psn());
    requests.add(new Request(packet, near, frame));
  }

  /** Takes an answer that left, in the order of frames. */
  void answer(Frame.Rdma packet, int frame) {
    if (started) {
      answers.add(new Answer(frame, counted(packet.psn()), packet.opcode(), packet.syndrome()));
    }
  }

  private long counted(int psn) {
    return near + QueuePairTable.difference(psn, (int) near);
  }

  /** The messages in the order of their PSNs. */
  List<Message> messages() {
    if (messages == null) {
      messages = build();
    }
    return messages;
  }

  private List<Message> build() {
    TreeMap<Long, Open> starts = new TreeMap<>();
    for (Request request : requests) {
      if (request.packet().opcode().startsMessage()) {
        // Another message at the same PSN replaces one that was dropped, as by a wrong ICRC.
        Open known = starts.get(request.psn());
        if (known == null
            || !known.access.equals(request.packet().access())
            || !known.firstOpcode.equals(request.packet().opcode())) {
          starts.put(request.psn(), new Open(request.packet(), request.psn(), request.frame()));
        }
      }
    }
    for (Request request : requests) {
      Map.Entry<Long, Open> home = starts.floorEntry(request.psn());
      if (home == null) {
        continue;
      }
      Open open = home.getValue();
      boolean starter = request.packet().opcode().startsMessage();
      if (!starter
          || request.psn() == open.first
              && open.firstOpcode.equals(request.packet().opcode())
              && open.access.equals(request.packet().access())) {
        open.add(request.packet(), request.psn(), request.frame());
      }
    }
    List<Message> built = new ArrayList<>();
    for (Map.Entry<Long, Open> entry : starts.entrySet()) {
      Open open = entry.getValue();
      Long next = starts.higherKey(entry.getKey());
      boolean read = open.firstOpcode.isReadRequest();
      long last = open.ended && !read ? open.lastSeen : next != null ? next - 1 : Long.MAX_VALUE;
      long payload = open.payloads.values().stream().mapToLong(Integer::longValue).sum();
      boolean complete = open.ended && open.payloads.size() == open.lastSeen - open.first + 1;
      built.add(
          new Message(
              operation(open.firstOpcode, open.lastOpcode),
              open.access,
              open.invalidate,
              open.first,
              last,
              complete,
              payload,
              open.firstFrame,
              open.lastFrame));
    }
    return built;
  }

  private static WorkOperation operation(Opcode first, Opcode last) {
    if (first.isReadRequest()) {
      return WorkOperation.RDMA_READ;
    }
    if (first.isAtomicRequest()) {
      return first.operation() == 19
          ? WorkOperation.ATOMIC_CMP_AND_SWP
          : WorkOperation.ATOMIC_FETCH_AND_ADD;
    }
    if (first.isWrite()) {
      return last.hasImmediate() ? WorkOperation.RDMA_WRITE_WITH_IMM : WorkOperation.RDMA_WRITE;
    }
    if (last.hasIeth()) {
      return WorkOperation.SEND_WITH_INV;
    }
    return last.hasImmediate() ? WorkOperation.SEND_WITH_IMM : WorkOperation.SEND;
  }

  /** The answers from a frame on: no packet is answered before it arrives. */
  private List<Answer> answersFrom(int frame) {
    int low = 0;
    int high = answers.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (answers.get(middle).frame() < frame) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return answers.subList(low, answers.size());
  }

  /** The frame of the first answer by which the requester knows that the message succeeded. */
  OptionalInt success(Message message) {
    for (Answer answer : answersFrom(message.firstFrame())) {
      boolean read = answer.opcode().isReadResponse();
      boolean nak =
          answer.syndrome().isPresent() && answer.syndrome().get().kind() != Syndrome.Kind.ACK;
      boolean mine =
          switch (message.operation()) {
            case RDMA_READ ->
                read
                    && answer.psn() >= message.first()
                    && answer.psn() <= message.last()
                    && answer.opcode().operation() >= 15;
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD ->
                answer.opcode().operation() == 18 && answer.psn() == message.first();
            default ->
                // A response or a NAK acknowledges everything before it.
                nak || read || answer.opcode().operation() == 18
                    ? answer.psn() > message.last()
                    : answer.psn() >= message.last();
          };
      if (mine) {
        return OptionalInt.of(answer.frame());
      }
    }
    return OptionalInt.empty();
  }

  /** The frame of the first NAK that ended the message. */
  OptionalInt fatal(Message message) {
    for (Answer answer : answersFrom(message.firstFrame())) {
      if (answer.syndrome().isPresent()
          && answer.syndrome().get().isFatal()
          && answer.psn() >= message.first()
          && answer.psn() <= message.last()) {
        return OptionalInt.of(answer.frame());
      }
    }
    return OptionalInt.empty();
  }

  /** The frame of the last RNR NAK for the message. */
  OptionalInt lastNotReady(Message message) {
    OptionalInt found = OptionalInt.empty();
    for (Answer answer : answersFrom(message.firstFrame())) {
      if (answer.syndrome().isPresent()
          && answer.syndrome().get().kind() == Syndrome.Kind.RNR_NAK
          && answer.psn() >= message.first()
          && answer.psn() <= message.last()) {
        found = OptionalInt.of(answer.frame());
      }
    }
    return found;
  }
}
