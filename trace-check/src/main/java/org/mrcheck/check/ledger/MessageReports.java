package org.mrcheck.check.ledger;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.mrcheck.lang.binding.Parameter;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;

/**
 * Collects a {@link MessageReport} for every WRITE, READ and atomic message of a recording, for
 * explanations. It keeps a ledger of its own and every message, so memory grows with their number.
 * Not safe for use by several threads.
 */
public final class MessageReports {
  /** One message so far. Mutable. */
  private static final class Draft {
    final QueuePairAddress queuePair;
    final MessageKind kind;
    final RemoteAccess access;
    final int first;
    final int unit;
    final Stamp begun;
    final Set<Integer> seen = new HashSet<>();

    /** PSNs it takes at least. */
    long packets;

    /** Whether it takes no more than those. */
    boolean counted;

    long sentAgain;
    long acknowledged;
    long implied;
    long ignored;
    Optional<MessageReport.Refusal> refusal = Optional.empty();

    Draft(
        QueuePairAddress queuePair,
        MessageKind kind,
        RemoteAccess access,
        int first,
        int unit,
        long packets,
        Stamp begun) {
      this.queuePair = queuePair;
      this.kind = kind;
      this.access = access;
      this.first = first;
      this.unit = unit;
      this.packets = packets;
      this.begun = begun;
    }

    MessageReport report() {
      return new MessageReport(
          queuePair,
          kind,
          access,
          first,
          counted ? packets : 0,
          seen.size() + sentAgain,
          sentAgain,
          acknowledged,
          implied,
          refusal,
          ignored,
          begun);
    }
  }

  private final Ledger ledger;
  private final List<Draft> drafts = new ArrayList<>();

  /** Whether messages that were not refused are left out. */
  private final boolean refusedOnly;

  private final int most;

  /** Messages of each queue pair that may still see packets or answers. */
  private final Map<QueuePairAddress, List<Draft>> current = new LinkedHashMap<>();

  /** Refusals during a removal that has not returned, by host and key. */
  private final List<Draft> underRemoval = new ArrayList<>();

  /** For a recording with that header. */
  public MessageReports(TraceHeader header) {
    this(new Ledger(header), false, Integer.MAX_VALUE);
  }

  private MessageReports(Ledger ledger, boolean refusedOnly, int most) {
    this.ledger = ledger;
    this.refusedOnly = refusedOnly;
    this.most = most;
  }

  /**
   * Only of messages that were refused, and of no more than the first of them, by somebody else's
   * ledger; memory follows what is under way. Give it events by {@link #observe}.
   */
  public static MessageReports ofRefused(Ledger ledger, int most) {
    return new MessageReports(ledger, true, most);
  }

  /** Takes the next event. */
  public void record(TraceEvent unjudged) {
    observe(Ledger.judged(unjudged));
    ledger.record(unjudged);
  }

  /**
   * Takes the next event, which the ledger has not taken yet and is given by the caller afterwards.
   *
   * @param event by its syndrome, see {@link Ledger#judged}
   */
  public void observe(TraceEvent event) {
    if (event instanceof TraceEvent.Rx rx) {
      request(rx);
    } else if (event instanceof TraceEvent.Ack ack) {
      acknowledge(at(ack.stamp(), ack), ledger.widths().psnPlus(ack.psn(), 1), false);
    } else if (event instanceof TraceEvent.Tx tx && WireValues.isResponse(tx.packet())) {
      respond(tx);
    } else if (event instanceof TraceEvent.Nak nak) {
      refuse(nak);
    } else if (event instanceof TraceEvent.DeregReturn done
        && done.status() == TraceEvent.CallStatus.OK) {
      returned(done);
    } else if (event instanceof TraceEvent.InvReturn done
        && done.status() == TraceEvent.CallStatus.OK) {
      returned(done);
    } else if (event instanceof TraceEvent.QpCreate create) {
      current.remove(new QueuePairAddress(create.stamp().actor().host(), create.qp()));
    } else if (event instanceof TraceEvent.QpState state && state.state() == QueuePairState.RESET) {
      current.remove(new QueuePairAddress(state.stamp().actor().host(), state.qp()));
    }
  }

  /** The reports so far, in the order in which the messages began. */
  public List<MessageReport> reports() {
    return drafts.stream().map(Draft::report).toList();
  }

  private static QueuePairAddress at(Stamp stamp, TraceEvent event) {
    return new QueuePairAddress(stamp.actor().host(), Ledger.queuePairOf(event).orElseThrow());
  }

  private void request(TraceEvent.Rx rx) {
    QueuePairAddress address = at(rx.stamp(), rx);
    Optional<PacketAccess> access = ledger.accessOf(rx);
    List<Draft> messages = current.computeIfAbsent(address, absent -> new ArrayList<>());
    int psn = rx.packet().psn();
    Optional<Draft> known = holding(messages, psn);
    boolean begins = rx.packet().opcode().startsMessage() && access.isPresent();
    RequestStream received = ledger.queuePair(address).received;
    if (known.isEmpty() && begins && !received.isBeforeLow(psn)) {
      RemoteAccess remote = rx.packet().access().orElseThrow();
      int unit = rx.packet().opcode().endsMessage() ? 0 : rx.packet().payload();
      long packets =
          received.writeMessageOf(rx.packet()).map(MessageSpan::count).orElse(access.get().span());
      Draft draft =
          new Draft(
              address,
              MessageKind.of(rx.packet().opcode()),
              remote,
              psn,
              unit,
              packets,
              rx.stamp());
      draft.counted =
          draft.kind != MessageKind.READ || received.mtu() != 0 || remote.length() <= 256;
      if (!refusedOnly) {
        drafts.add(draft);
      }
      messages.add(draft);
      known = Optional.of(draft);
    }
    if (known.isPresent()) {
      Draft draft = known.get();
      if (draft.refusal.isPresent()) {
        draft.ignored++;
      }
      if (!draft.seen.add(psn)) {
        draft.sentAgain++;
      }
    }
  }

  private Optional<Draft> holding(List<Draft> messages, int psn) {
    for (int i = messages.size() - 1; i >= 0; i--) {
      Draft draft = messages.get(i);
      if (ledger.widths().psnIn(psn, draft.first, Math.max(1, draft.packets))) {
        return Optional.of(draft);
      }
    }
    return Optional.empty();
  }

  private void respond(TraceEvent.Tx tx) {
    QueuePairAddress address = at(tx.stamp(), tx);
    List<Draft> messages = current.getOrDefault(address, List.of());
    int psn = tx.packet().psn();
    // What is before the response is implied by it; the response itself answers its own PSN.
    acknowledge(address, psn, true);
    if (WireValues.isLastResponse(tx.packet())) {
      holding(messages, psn)
          .ifPresent(
              draft -> {
                draft.packets = ledger.widths().psnDistance(draft.first, psn) + 1L;
                draft.counted = true;
              });
    }
    acknowledge(address, ledger.widths().psnPlus(psn, 1), false);
  }

  /** Everything before {@code end} is acknowledged. */
  private void acknowledge(QueuePairAddress address, int end, boolean implied) {
    List<Draft> messages = current.get(address);
    if (messages == null) {
      return;
    }
    for (Draft draft : messages) {
      long reach = ledger.widths().psnDistance(draft.first, end);
      boolean before = ledger.widths().psnBefore(draft.first, end);
      long newly =
          before
              ? Math.min(reach, Math.max(1, draft.packets)) - draft.acknowledged - draft.implied
              : 0;
      if (newly > 0) {
        draft.acknowledged += implied ? 0 : newly;
        draft.implied += implied ? newly : 0;
      }
    }
    messages.removeIf(
        draft ->
            draft.refusal.isEmpty()
                && draft.acknowledged + draft.implied >= Math.max(1, draft.packets));
  }

  private void refuse(TraceEvent.Nak nak) {
    QueuePairAddress address = at(nak.stamp(), nak);
    List<Draft> messages = current.getOrDefault(address, List.of());
    Optional<Draft> refused =
        nak.syndrome().isFatal() ? holding(messages, nak.psn()) : Optional.empty();
    acknowledge(address, nak.psn(), true);
    refused
        .filter(draft -> draft.refusal.isEmpty())
        .ifPresent(draft -> refuse(draft, nak, address));
  }

  private void refuse(Draft draft, TraceEvent.Nak nak, QueuePairAddress address) {
    long offset = ledger.widths().psnDistance(draft.first, nak.psn());
    OptionalLong prefix =
        offset == 0 || draft.unit > 0 ? OptionalLong.of(offset * draft.unit) : OptionalLong.empty();
    Optional<MessageReport.Removal> removal =
        ledger
            .keyTable(address.host())
            .holder(draft.access.key())
            .filter(holder -> nak.syndrome().equals(Syndrome.REMOTE_ACCESS_ERROR))
            .filter(holder -> holder.ending.isPresent())
            .map(
                holder ->
                    new MessageReport.Removal(
                        holder.registration.map(Registration::title).orElse("the key"),
                        holder.ending.get(),
                        Optional.empty()));
    draft.refusal =
        Optional.of(
            new MessageReport.Refusal(
                nak.stamp(),
                nak.psn(),
                nak.syndrome(),
                offset,
                prefix,
                ledger.attribute(nak),
                removal));
    if (refusedOnly && drafts.size() < most) {
      drafts.add(draft);
    }
    if (removal.isPresent() && (!refusedOnly || drafts.contains(draft))) {
      underRemoval.add(draft);
    }
  }

  /** Completes the removals that end with this return. */
  private void returned(TraceEvent event) {
    Stamp stamp = event.stamp();
    String host = stamp.actor().host();
    Set<MemoryKey> keys = new HashSet<>();
    ledger
        .binds(event, List.of(Parameter.HOST, Parameter.KEY))
        .forEach(values -> values.key().ifPresent(keys::add));
    List<Draft> settled = new ArrayList<>();
    for (Draft draft : underRemoval) {
      MessageReport.Refusal refusal = draft.refusal.orElseThrow();
      MessageReport.Removal removal = refusal.takenAwayBy().orElseThrow();
      if (draft.queuePair.host().equals(host) && keys.contains(draft.access.key())) {
        draft.refusal =
            Optional.of(
                new MessageReport.Refusal(
                    refusal.stamp(),
                    refusal.psn(),
                    refusal.syndrome(),
                    refusal.offset(),
                    refusal.prefix(),
                    refusal.attribution(),
                    Optional.of(
                        new MessageReport.Removal(
                            removal.registration(), removal.called(), Optional.of(stamp)))));
        settled.add(draft);
      }
    }
    underRemoval.removeAll(settled);
  }
}
