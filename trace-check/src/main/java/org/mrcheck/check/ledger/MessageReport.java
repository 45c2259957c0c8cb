package org.mrcheck.check.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.Syndrome;

/**
 * What became of one WRITE, READ or atomic message on the wire, packet by packet. Immutable.
 *
 * @param queuePair the responder
 * @param kind what it does
 * @param access its key, address and length
 * @param firstPsn PSN of its first packet
 * @param packets how many PSNs it takes, 0 if that is not known
 * @param seen how many of them were seen as requests; a READ has one request
 * @param sentAgain how many of those were repetitions
 * @param acknowledged PSNs acknowledged by an ACK or, for a READ, answered by a response
 * @param implied further PSNs acknowledged by a NAK or a response with a later PSN
 * @param refusal the NAK that ended it
 * @param ignored packets of the message that arrived after that NAK
 * @param begun the event of its first packet
 */
public record MessageReport(
    QueuePairAddress queuePair,
    MessageKind kind,
    RemoteAccess access,
    int firstPsn,
    long packets,
    long seen,
    long sentAgain,
    long acknowledged,
    long implied,
    Optional<Refusal> refusal,
    long ignored,
    Stamp begun) {

  /**
   * A NAK that names a PSN of the message.
   *
   * @param offset how many packets of the message come before the refused one
   * @param prefix bytes of a WRITE in those packets, which stay written; empty where the size of a
   *     packet is not known
   * @param attribution why, as far as the registrations tell
   * @param takenAwayBy the deregistration or invalidation that was called and had not returned
   */
  public record Refusal(
      Stamp stamp,
      int psn,
      Syndrome syndrome,
      long offset,
      OptionalLong prefix,
      Optional<Attribution> attribution,
      Optional<Removal> takenAwayBy) {}

  /**
   * A deregistration or invalidation of the message's key.
   *
   * @param returned empty if the recording ends before
   */
  public record Removal(String registration, Stamp called, Optional<Stamp> returned) {}

  /** Whether the message was cut short after some of it had been carried out. */
  public boolean isCutShort() {
    return refusal.isPresent() && refusal.get().offset() > 0;
  }

  /** For people: one line per fact, the first names the message. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s of %s bytes at 0x%s under key %s on %s, psn %d%s (%s)"
            .formatted(
                kind.text(),
                Long.toUnsignedString(access.length()),
                Long.toHexString(access.va()),
                access.key(),
                queuePair,
                firstPsn,
                packets > 1 ? " and " + (packets - 1) + " more" : "",
                place(begun)));
    if (kind == MessageKind.WRITE) {
      lines.add(
          seen
              + " of "
              + (packets == 0 ? "an unknown number of" : packets)
              + " packets seen"
              + (sentAgain > 0 ? ", " + sentAgain + " of them sent again" : ""));
    }
    lines.add(
        "%d packets acknowledged: %d by ACKs or responses, %d implied by the NAK's PSN"
            .formatted(acknowledged + implied, acknowledged, implied));
    refusal.ifPresent(nak -> lines.addAll(refusalLines(nak)));
    return lines;
  }

  private List<String> refusalLines(Refusal nak) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s %s at psn %d, packet %d of %s (%s)"
            .formatted(
                nak.syndrome(),
                nak.syndrome().phrase(),
                nak.psn(),
                nak.offset() + 1,
                packets == 0 ? "an unknown number" : Long.toString(packets),
                place(nak.stamp())));
    nak.attribution().ifPresent(why -> lines.add("because " + why.describe()));
    nak.takenAwayBy()
        .ifPresent(
            removal ->
                lines.add(
                    "the NAK stands between the call (%s) and the return (%s) that take away %s"
                        .formatted(
                            place(removal.called()),
                            removal.returned().map(MessageReport::place).orElse("not recorded"),
                            removal.registration())));
    if (ignored > 0) {
      lines.add(
          ignored
              + (ignored == 1
                  ? " packet arrived after the NAK and was ignored"
                  : " packets arrived after the NAK and were ignored"));
    }
    if (kind == MessageKind.WRITE && nak.offset() > 0) {
      lines.add(
          nak.prefix().isPresent()
              ? "the written prefix of %d packets, %s bytes, stays"
                  .formatted(nak.offset(), Long.toUnsignedString(nak.prefix().getAsLong()))
              : "a written prefix of %d packets stays".formatted(nak.offset()));
    }
    return lines;
  }

  private static String place(Stamp stamp) {
    return stamp.frame() == 0
        ? "event " + stamp.seq()
        : "event " + stamp.seq() + ", frame " + stamp.frame();
  }
}
