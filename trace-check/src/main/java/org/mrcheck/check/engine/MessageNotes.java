package org.mrcheck.check.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.mrcheck.check.ledger.Ledger;
import org.mrcheck.check.ledger.MessageSpan;
import org.mrcheck.check.ledger.ParameterValues;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.text.TraceLine;

/**
 * What became of one refused WRITE message: packets acknowledged, packets that the NAK's PSN
 * acknowledges (row L69), packets that came after it, and where the NAK stands between the call and
 * the return that took the key away. Is shown every event of the trace, those after the NAK too.
 */
final class MessageNotes {
  private static final int PSN_MASK = 0xff_ffff;

  private final ParameterValues instance;
  private final MessageSpan span;
  private final long nakLine;
  private final TraceEvent.Nak nak;
  private final BitSet arrived = new BitSet();
  private final BitSet arrivedLater = new BitSet();
  private int firstPayload;
  private Optional<RemoteAccess> access = Optional.empty();
  private long acknowledged;
  private EventReference call;
  private EventReference returned;
  private boolean over;
  private Optional<String> cause = Optional.empty();

  MessageNotes(ParameterValues instance, MessageSpan span, TraceEvent.Nak nak, long nakLine) {
    this.instance = instance;
    this.span = span;
    this.nak = nak;
    this.nakLine = nakLine;
  }

  /** Takes the next event, before the ledger does. */
  void take(TraceLine line, Ledger ledger) {
    TraceEvent event = Ledger.judged(line.event());
    if (!event.stamp().actor().host().equals(instance.host())) {
      return;
    }
    if (line.line() == nakLine) {
      cause =
          ledger
              .attribute(nak)
              .filter(found -> !found.isUnexplained())
              .map(found -> found.describe());
      over = true;
    } else if (event instanceof TraceEvent.Rx rx && instance.qp().equals(Optional.of(rx.qp()))) {
      receive(rx);
    } else if (event instanceof TraceEvent.Ack ack
        && !over
        && instance.qp().equals(Optional.of(ack.qp()))
        && offset(ack.psn()) < span.count()) {
      acknowledged = Math.max(acknowledged, offset(ack.psn()) + 1);
    } else if (event.name().eventClass() == EventClass.REGISTRATION && access.isPresent()) {
      noteRegistration(event, line.line(), access.get().key());
    }
  }

  private void receive(TraceEvent.Rx rx) {
    long offset = offset(rx.packet().psn());
    if (!rx.packet().opcode().isWrite() || offset >= span.count()) {
      return;
    }
    if (offset == 0 && !over) {
      access = rx.packet().access();
      firstPayload = rx.packet().payload();
      arrived.clear();
      acknowledged = 0;
      call = null;
    }
    (over ? arrivedLater : arrived).set((int) offset);
  }

  private void noteRegistration(TraceEvent event, long line, MemoryKey key) {
    Optional<MemoryKey> named = Optional.empty();
    boolean isCall = false;
    if (event instanceof TraceEvent.DeregCall dereg) {
      named = Optional.of(dereg.key());
      isCall = true;
    } else if (event instanceof TraceEvent.InvCall invalidate) {
      named = Optional.of(invalidate.key());
      isCall = true;
    } else if (event instanceof TraceEvent.DeregReturn dereg) {
      named = Optional.of(dereg.key());
    } else if (event instanceof TraceEvent.InvReturn invalidate) {
      named = Optional.of(invalidate.key());
    }
    if (!named.equals(Optional.of(key))) {
      return;
    }
    if (isCall && !over) {
      call = new EventReference(event, line);
    } else if (!isCall && returned == null && (over || call != null)) {
      returned = new EventReference(event, line);
    }
  }

  private long offset(int psn) {
    return psn - span.first() & PSN_MASK;
  }

  /** The findings, one sentence each; call after the last event. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    long refused = offset(nak.psn());
    access.ifPresent(
        remote ->
            notes.add(
                "WRITE of %s bytes to key %s at 0x%s: %d packets, psn %d to %d"
                    .formatted(
                        Long.toUnsignedString(remote.length()),
                        remote.key(),
                        Long.toHexString(remote.va()),
                        span.count(),
                        span.first(),
                        span.first() + span.count() - 1 & PSN_MASK)));
    cause.ifPresent(text -> notes.add("refused for: " + text));
    notes.add(
        "acknowledged before the NAK: "
            + acknowledged
            + " packets; implied by the NAK's psn "
            + nak.psn()
            + ": all "
            + refused
            + " before it"
            + (firstPayload > 0 && refused > 0
                ? ", " + refused * firstPayload + " bytes, which were written and stay"
                : ""));
    if (call != null) {
      notes.add(
          "the NAK (line "
              + nakLine
              + ") comes after "
              + call.event().name().text()
              + " at line "
              + call.line()
              + (returned == null
                  ? ", whose return was not recorded"
                  : (returned.line() > nakLine ? " and before " : " and after ")
                      + returned.event().name().text()
                      + " at line "
                      + returned.line()));
    }
    long notBefore = arrived.stream().filter(packet -> packet >= refused).count();
    notes.add(
        notBefore
            + " packets from the refused one on had arrived before the NAK, "
            + arrivedLater.cardinality()
            + " arrived after it; they were ignored");
    return notes;
  }
}
