package org.mrcheck.check.ledger;

import java.util.Optional;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Stamp;

/** A request message on its way through one queue pair. Mutable: its answer arrives later. */
final class Message {
  /** What the wire showed of a message's fate; {@code text} is what {@code answered} yields. */
  enum Fate {
    NONE("none"),
    ACKED("acked"),
    RNR("rnr"),
    ACCESS("access"),
    INVALID("invalid"),
    OPERATIONAL("operational");

    private final String text;

    Fate(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  final MessageKind kind;
  final int first;
  final Optional<RemoteAccess> access;
  final Stamp stamp;

  /** Payload of the first packet of several, which is the path MTU; 0 for a single packet. */
  final int unit;

  /** How many PSNs; 0 while that is not known. */
  long count;

  Fate fate = Fate.NONE;

  Message(
      MessageKind kind,
      int first,
      long count,
      int unit,
      Optional<RemoteAccess> access,
      Stamp stamp) {
    this.kind = kind;
    this.first = first;
    this.count = count;
    this.unit = unit;
    this.access = access;
    this.stamp = stamp;
  }

  boolean holds(NumberWidths widths, int psn) {
    return widths.psnIn(psn, first, Math.max(1, count));
  }

  MessageSpan span() {
    return new MessageSpan(first, Math.max(1, count));
  }
}
