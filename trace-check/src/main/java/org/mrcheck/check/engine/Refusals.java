package org.mrcheck.check.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mrcheck.check.ledger.Attribution;
import org.mrcheck.check.ledger.Ledger;
import org.mrcheck.check.ledger.MessageReport;
import org.mrcheck.check.ledger.MessageReports;
import org.mrcheck.check.verdict.EventPlace;
import org.mrcheck.check.verdict.RefusalReport;
import org.mrcheck.check.verdict.RefusalReport.Justice;
import org.mrcheck.check.verdict.RefusalSummary;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.text.TraceLine;

/**
 * Collects the remote access errors of one pass with their causes: all are counted, the first are
 * kept. Confined to one thread.
 */
final class Refusals {
  /** Refusals kept in full. */
  static final int MOST_KEPT = 50;

  private record Kept(
      long seq,
      EventPlace at,
      String queuePair,
      Optional<Attribution> attribution,
      Justice justice) {}

  private final Map<String, Long> byKind = new LinkedHashMap<>();
  private final List<Kept> kept = new ArrayList<>();
  private MessageReports messages;
  private long total;

  /** Takes the next event, before the ledger does. */
  void before(TraceLine line, Ledger ledger) {
    if (messages == null) {
      messages = MessageReports.ofRefused(ledger, MOST_KEPT);
    }
    TraceEvent event = Ledger.judged(line.event());
    messages.observe(event);
    if (event instanceof TraceEvent.Nak nak
        && nak.syndrome().equals(Syndrome.REMOTE_ACCESS_ERROR)) {
      take(nak, line.line(), ledger);
    }
  }

  private void take(TraceEvent.Nak nak, long line, Ledger ledger) {
    Optional<Attribution> attribution = ledger.attribute(nak);
    total++;
    byKind.merge(kind(attribution), 1L, Long::sum);
    if (kept.size() < MOST_KEPT) {
      kept.add(
          new Kept(
              nak.stamp().seq(),
              EventTexts.place(nak, line),
              nak.stamp().actor().host() + " " + nak.qp(),
              attribution,
              justice(attribution, ledger, nak.stamp().actor().host())));
    }
  }

  private static String kind(Optional<Attribution> attribution) {
    return attribution
        .map(why -> why.causes().isEmpty() ? "nothing wrong" : why.causes().get(0).kind())
        .orElse("request not recorded");
  }

  private Justice justice(Optional<Attribution> attribution, Ledger ledger, String host) {
    if (attribution.isEmpty()) {
      return Justice.UNKNOWN;
    }
    List<Attribution.Cause> causes = attribution.get().causes();
    boolean complete = ledger.isComplete(EventClass.REGISTRATION, host);
    if (causes.isEmpty()) {
      return complete ? Justice.UNJUSTIFIED : Justice.UNKNOWN;
    }
    if (causes.stream().allMatch(Attribution.BeingTakenAway.class::isInstance)) {
      return Justice.ALLOWED;
    }
    boolean neverSeen = causes.get(0) instanceof Attribution.NeverRegistered;
    return neverSeen && !complete ? Justice.UNKNOWN : Justice.JUSTIFIED;
  }

  /** What was found so far. */
  RefusalSummary summary() {
    Map<Long, MessageReport> byNak = new LinkedHashMap<>();
    if (messages != null) {
      messages
          .reports()
          .forEach(
              report ->
                  report.refusal().ifPresent(nak -> byNak.putIfAbsent(nak.stamp().seq(), report)));
    }
    return new RefusalSummary(
        total,
        byKind,
        kept.stream().map(one -> report(one, Optional.ofNullable(byNak.get(one.seq)))).toList());
  }

  private static RefusalReport report(Kept one, Optional<MessageReport> message) {
    return new RefusalReport(
        one.at,
        one.queuePair,
        one.attribution.map(Attribution::describe).orElse("the refused request is not recorded"),
        kind(one.attribution),
        one.justice,
        message.map(MessageReport::lines).orElse(List.of()),
        message.map(MessageReport::isCutShort).orElse(false));
  }
}
