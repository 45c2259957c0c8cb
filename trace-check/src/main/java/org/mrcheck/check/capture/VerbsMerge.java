package org.mrcheck.check.capture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.mrcheck.check.capture.MessageIndex.Message;
import org.mrcheck.check.capture.QueuePairTable.QueuePair;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;
import org.mrcheck.lang.trace.WcStatus;

/**
 * Places the lines of one verbs log between the frames of a capture, by causality and never by
 * time.
 *
 * <p>Three things bound a line. A post comes before the first packet of its message; a completion
 * comes after the answer to it and after all packets of its work request; a line that is also a
 * mark stands at its frame. The lines of a log keep their order, so each bound also holds for the
 * lines before or after it. Within the bounds a post is placed as late and a completion as early as
 * can be: the work request was outstanding at least from the one to the other.
 */
final class VerbsMerge {
  /** Makes the event once its number and time are known. */
  interface Placed {
    TraceEvent at(Stamp stamp);

    /** Who did it. */
    Actor actor();
  }

  /** An event without its stamp. */
  private record Pending(Actor actor, Function<Stamp, TraceEvent> maker) implements Placed {
    @Override
    public TraceEvent at(Stamp stamp) {
      return maker.apply(stamp);
    }
  }

  /** A mark in the capture. */
  record Mark(int frame, String text, QueuePair queuePair) {}

  /** A slot before frame i is 2i, after it 2i + 1. */
  private static int before(int frame) {
    return 2 * frame;
  }

  private static int after(int frame) {
    return 2 * frame + 1;
  }

  private static final class Item {
    Placed event;
    int low;
    int high = Integer.MAX_VALUE;
    boolean late;
  }

  private static final class PostItem {
    final VerbsLines.Post line;
    final QueuePair queuePair;
    final Item item = new Item();
    Optional<Message> message = Optional.empty();

    /** Where the search for its message began. */
    int searchedFrom;

    PostItem(VerbsLines.Post line, QueuePair queuePair) {
      this.line = line;
      this.queuePair = queuePair;
    }
  }

  private final String host;
  private final VerbsLines log;
  private final QueuePairTable table;
  private final Map<QueuePair, MessageIndex> messages;
  private final Deque<Mark> marks;
  private final Actor actor;
  private final List<Item> items = new ArrayList<>();
  private final Map<Long, Deque<PostItem>> outstanding = new HashMap<>();
  private final List<PostItem> posts = new ArrayList<>();
  private final Map<QueuePair, Integer> nextMessage = new HashMap<>();
  private final Map<QueuePair, Integer> nextReceive = new HashMap<>();
  private final Map<OwnerLine.Connected, Integer> seenConnections = new HashMap<>();
  private QueuePair current;
  private PostItem lastPost;
  private boolean knowsQueuePair;
  private long completions;
  private long withdrawn;
  private long notTransmitted;
  private long unanswered;
  private long withoutPost;
  private long marked;
  private long notMarked;
  private long notMarkedRegistrations;
  private long withoutQueuePair;
  private long conflicts;

  /**
   * One log.
   *
   * @param messages what each queue pair received
   * @param marks the marks that the log's host sent, in order
   */
  VerbsMerge(
      String host,
      VerbsLines log,
      QueuePairTable table,
      Map<QueuePair, MessageIndex> messages,
      List<Mark> marks) {
    this.host = host;
    this.log = log;
    this.table = table;
    this.messages = messages;
    this.marks = new ArrayDeque<>(marks);
    this.actor = new Actor(host, "verbs");
  }

  /** Places the lines: slot number to events in their order. */
  void placeInto(Map<Integer, List<Placed>> slots) {
    for (VerbsLines.Line line : log.lines()) {
      if (line instanceof VerbsLines.Owner owner) {
        owner(owner);
      } else if (line instanceof VerbsLines.Post post) {
        post(post);
      } else if (line instanceof VerbsLines.PostFailed) {
        withdraw();
      } else if (line instanceof VerbsLines.Completion completion) {
        completion(completion);
      }
    }
    int low = 0;
    for (Item item : items) {
      low = Math.max(low, item.low);
      item.low = low;
    }
    int high = Integer.MAX_VALUE;
    for (int i = items.size() - 1; i >= 0; i--) {
      high = Math.min(high, items.get(i).high);
      items.get(i).high = high;
    }
    int previous = 0;
    for (Item item : items) {
      int slot = item.late ? Math.max(item.high, item.low) : item.low;
      slot = Math.max(slot, previous);
      if (slot > item.high && item.event != null) {
        conflicts++;
      }
      previous = slot;
      if (item.event != null) {
        slots.computeIfAbsent(slot, key -> new ArrayList<>()).add(item.event);
      }
    }
    notTransmitted = posts.stream().filter(post -> post.message.isEmpty()).count();
  }

  private void owner(VerbsLines.Owner line) {
    Mark mark = null;
    for (Mark candidate : marks) {
      if (candidate.text().equals(line.text())) {
        mark = candidate;
        break;
      }
    }
    if (mark == null) {
      notMarked++;
      if (line.content().isRegistration()) {
        notMarkedRegistrations++;
      }
    } else {
      marked++;
      while (marks.removeFirst() != mark) {
        continue;
      }
      Item anchor = new Item();
      anchor.low = after(mark.frame());
      anchor.high = before(mark.frame());
      items.add(anchor);
    }
    OwnerLine.Connected connection =
        line.content() instanceof OwnerLine.QueuePairReady ready
            ? new OwnerLine.Connected(ready.number(), ready.peer())
            : line.content() instanceof OwnerLine.Connected connected ? connected : null;
    if (connection != null) {
      knowsQueuePair = true;
      int occurrence = seenConnections.merge(connection, 1, Integer::sum);
      current =
          mark != null && mark.queuePair() != null
              ? mark.queuePair()
              : queuePair(connection, occurrence);
    }
  }

  /** The n-th queue pair of that number whose peer has the other number, or of unknown peer. */
  private QueuePair queuePair(OwnerLine.Connected connection, int occurrence) {
    int left = occurrence;
    for (QueuePair candidate : table.of(host, connection.number())) {
      if (candidate.peer == null || candidate.peer.id.number() == connection.peer()) {
        left--;
        if (left == 0) {
          return candidate;
        }
      }
    }
    return null;
  }

  private void post(VerbsLines.Post line) {
    lastPost = null;
    if (current == null) {
      withoutQueuePair++;
      return;
    }
    PostItem post = new PostItem(line, current);
    QueuePair queuePair = current;
    Optional<RemoteAccess> remote =
        switch (line.operation()) {
          case SEND, SEND_WITH_IMM, SEND_WITH_INV -> Optional.empty();
          default -> Optional.of(new RemoteAccess(line.key(), line.va(), line.length()));
        };
    post.item.event =
        new Pending(
            actor,
            stamp ->
                new TraceEvent.Post(
                    stamp,
                    queuePair.id,
                    line.wr(),
                    line.operation(),
                    remote,
                    Optional.empty(),
                    line.length()));
    post.searchedFrom = nextMessage.getOrDefault(queuePair, 0);
    post.message = findMessage(line, queuePair);
    if (post.message.isPresent()) {
      post.item.high = before(post.message.get().firstFrame());
      post.item.late = true;
    }
    items.add(post.item);
    posts.add(post);
    lastPost = post;
    outstanding.computeIfAbsent(line.wr(), wr -> new ArrayDeque<>()).add(post);
  }

  /** The next message of the queue pair that looks like the post; what is passed over stays so. */
  private Optional<Message> findMessage(VerbsLines.Post line, QueuePair queuePair) {
    MessageIndex index = queuePair.peer == null ? null : messages.get(queuePair.peer);
    if (index == null) {
      return Optional.empty();
    }
    List<Message> all = index.messages();
    for (int i = nextMessage.getOrDefault(queuePair, 0); i < all.size(); i++) {
      if (fits(line, all.get(i))) {
        nextMessage.put(queuePair, i + 1);
        return Optional.of(all.get(i));
      }
    }
    return Optional.empty();
  }

  private static boolean fits(VerbsLines.Post line, Message message) {
    WorkOperation operation = message.operation();
    return switch (line.operation()) {
      case SEND, SEND_WITH_IMM, SEND_WITH_INV -> {
        boolean send =
            operation == line.operation() || !message.complete() && operation == WorkOperation.SEND;
        yield send
            && (!message.complete() || message.payload() == line.length())
            && (message.invalidate().isEmpty() || message.invalidate().get().equals(line.key()));
      }
      case RDMA_WRITE_WITH_IMM ->
          (operation == WorkOperation.RDMA_WRITE_WITH_IMM
                  || operation == WorkOperation.RDMA_WRITE && !message.complete())
              && sameAccess(line, message);
      default -> operation == line.operation() && sameAccess(line, message);
    };
  }

  private static boolean sameAccess(VerbsLines.Post line, Message message) {
    return message
        .access()
        .map(
            access ->
                access.key().equals(line.key())
                    && access.va() == line.va()
                    && access.length() == line.length())
        .orElse(false);
  }

  /** Takes back the post before the line, if it was one that could be placed. */
  private void withdraw() {
    withdrawn++;
    PostItem last = lastPost;
    lastPost = null;
    if (last == null) {
      return;
    }
    posts.remove(last);
    items.remove(last.item);
    outstanding.get(last.line.wr()).remove(last);
    // Its message, if one was taken for it, belongs to a later post.
    nextMessage.put(last.queuePair, last.searchedFrom);
  }

  private void completion(VerbsLines.Completion line) {
    Deque<PostItem> waiting = outstanding.get(line.wr());
    PostItem post = waiting == null ? null : waiting.pollFirst();
    QueuePair queuePair = post != null ? post.queuePair : current;
    if (queuePair == null) {
      withoutQueuePair++;
      return;
    }
    Optional<WcStatus> status = status(line.status());
    if (status.isEmpty()) {
      withoutQueuePair++;
      return;
    }
    boolean success = status.get() == WcStatus.SUCCESS;
    // After an error the completion's operation and length are not valid (row E12).
    Optional<WorkOperation> operation =
        !success
            ? Optional.empty()
            : post != null ? Optional.of(post.line.operation()) : operation(line.opcode());
    Item item = new Item();
    item.event =
        new Pending(
            actor,
            stamp ->
                new TraceEvent.Wc(
                    stamp,
                    queuePair.id,
                    line.wr(),
                    status.get(),
                    operation,
                    OptionalInt.of(line.vendorError()),
                    success ? OptionalLong.of(line.length()) : OptionalLong.empty()));
    if (post != null) {
      item.low = afterAnswer(post, status.get());
    } else {
      withoutPost++;
      if (success && operation.equals(Optional.of(WorkOperation.RECV))) {
        item.low = afterArrival(queuePair);
      }
    }
    items.add(item);
    completions++;
  }

  private int afterAnswer(PostItem post, WcStatus status) {
    boolean expected =
        switch (status) {
          case SUCCESS, REM_ACCESS_ERR, REM_INV_REQ_ERR, REM_OP_ERR, RNR_RETRY_EXC_ERR -> true;
          default -> false;
        };
    OptionalInt answer = OptionalInt.empty();
    int lastPacket = -1;
    if (post.message.isPresent()) {
      Message message = post.message.get();
      MessageIndex index = messages.get(post.queuePair.peer);
      lastPacket = message.lastFrame();
      answer =
          switch (status) {
            case SUCCESS -> index.success(message);
            case REM_ACCESS_ERR, REM_INV_REQ_ERR, REM_OP_ERR -> index.fatal(message);
            case RNR_RETRY_EXC_ERR -> index.lastNotReady(message);
            default -> OptionalInt.empty();
          };
    }
    if (expected && answer.isEmpty()) {
      unanswered++;
    }
    int frame = Math.max(lastPacket, answer.orElse(-1));
    return frame < 0 ? 0 : after(frame);
  }

  /** After the last packet of the next message that takes a receive buffer. */
  private int afterArrival(QueuePair queuePair) {
    MessageIndex index = messages.get(queuePair);
    if (index == null) {
      return 0;
    }
    List<Message> all = index.messages();
    for (int i = nextReceive.getOrDefault(queuePair, 0); i < all.size(); i++) {
      Message message = all.get(i);
      boolean takes =
          switch (message.operation()) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE_WITH_IMM -> true;
            default -> false;
          };
      if (takes) {
        nextReceive.put(queuePair, i + 1);
        return after(message.lastFrame());
      }
    }
    return 0;
  }

  private static Optional<WcStatus> status(int number) {
    return number < WcStatus.values().length ? Optional.of(WcStatus.of(number)) : Optional.empty();
  }

  /** rdma-core's {@code enum ibv_wc_opcode}. */
  private static Optional<WorkOperation> operation(int opcode) {
    return switch (opcode) {
      case 0 -> Optional.of(WorkOperation.SEND);
      case 1 -> Optional.of(WorkOperation.RDMA_WRITE);
      case 2 -> Optional.of(WorkOperation.RDMA_READ);
      case 3 -> Optional.of(WorkOperation.ATOMIC_CMP_AND_SWP);
      case 4 -> Optional.of(WorkOperation.ATOMIC_FETCH_AND_ADD);
      case 5 -> Optional.of(WorkOperation.BIND_MW);
      case 6 -> Optional.of(WorkOperation.LOCAL_INV);
      case 128, 129 -> Optional.of(WorkOperation.RECV);
      default -> Optional.empty();
    };
  }

  /** The host the log belongs to. */
  String host() {
    return host;
  }

  /** Whether anything of it became an event. */
  boolean observed() {
    return completions > 0 || !posts.isEmpty();
  }

  /** Whether every work request and completion of the log found its place. */
  boolean complete() {
    return unanswered == 0
        && withoutPost == 0
        && withoutQueuePair == 0
        && conflicts == 0
        && knowsQueuePair;
  }

  /** Whether lines about registrations are in the log and not among the marks. */
  boolean missesMarks() {
    return notMarkedRegistrations > 0;
  }

  ImportReport.VerbsReport report() {
    return new ImportReport.VerbsReport(
        log.name(),
        host,
        posts.size(),
        completions,
        withdrawn,
        notTransmitted,
        unanswered,
        withoutPost + withoutQueuePair,
        marked,
        notMarked,
        conflicts,
        log.unknown());
  }
}
