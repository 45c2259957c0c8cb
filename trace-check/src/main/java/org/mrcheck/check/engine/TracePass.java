package org.mrcheck.check.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mrcheck.check.ledger.Ledger;
import org.mrcheck.lang.diagnostic.Diagnostic;
import org.mrcheck.lang.diagnostic.DiagnosticSink;
import org.mrcheck.lang.diagnostic.Severity;
import org.mrcheck.lang.diagnostic.SourceSpan;
import org.mrcheck.lang.diagnostic.SyntaxException;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.text.TraceLine;

/** One reading of a trace by a ledger and some bindings. Used once, by one thread. */
final class TracePass {
  private static final int EVENTS_BETWEEN_REPORTS = 1 << 14;
  private static final long NANOS_BETWEEN_REPORTS = 100_000_000L;

  private final TraceSource source;
  private final SequenceNumbers numbers;
  private long events;
  private long declaredLost;
  private long extensions;

  /** Makes the bindings of one pass, given its ledger. */
  @FunctionalInterface
  interface Runs {
    List<BindingRun> over(Ledger ledger, TraceSource.Pass pass) throws CatalogueException;
  }

  /** Sees each event before it is recorded and stepped; false ends the pass. */
  @FunctionalInterface
  interface Watch {
    boolean before(TraceLine line, Ledger ledger);
  }

  TracePass(TraceSource source, Set<Long> movedLater) {
    this.source = source;
    this.numbers = new SequenceNumbers(movedLater);
  }

  /** Reads the trace to its end, or until the watch has seen enough. */
  List<BindingRun> read(Runs runs, Watch watch, DiagnosticSink warnings, CheckProgress progress)
      throws IOException, SyntaxException, CatalogueException {
    try (TraceSource.Pass pass = source.open(warnings)) {
      Ledger ledger = new Ledger(pass.header());
      List<BindingRun> all = runs.over(ledger, pass);
      BindingRun[][] listeners = listeners(all);
      long reported = System.nanoTime();
      TraceLine line = pass.next();
      while (line != null) {
        TraceEvent event = Ledger.judged(line.event());
        events++;
        Optional<Loss> loss = loss(line, warnings);
        if (loss.isPresent()) {
          ledger.noteLoss();
          for (BindingRun run : all) {
            run.noteLoss(loss.get());
          }
        }
        if (!watch.before(line, ledger)) {
          break;
        }
        for (BindingRun run : listeners[event.name().ordinal()]) {
          run.accept(event, line.line());
        }
        ledger.record(event, line.line());
        if (events % EVENTS_BETWEEN_REPORTS == 0
            && System.nanoTime() - reported > NANOS_BETWEEN_REPORTS) {
          reported = System.nanoTime();
          progress.reached(events, line.offset(), source.size());
        }
        line = pass.next();
      }
      extensions = pass.extensions();
      for (BindingRun run : all) {
        run.finish();
      }
      return all;
    }
  }

  private static BindingRun[][] listeners(List<BindingRun> runs) {
    BindingRun[][] listeners = new BindingRun[EventName.values().length][];
    for (EventName name : EventName.values()) {
      List<BindingRun> interested = new ArrayList<>();
      for (BindingRun run : runs) {
        if (run.listensTo(name)) {
          interested.add(run);
        }
      }
      listeners[name.ordinal()] = interested.toArray(BindingRun[]::new);
    }
    return listeners;
  }

  private Optional<Loss> loss(TraceLine line, DiagnosticSink warnings) {
    long seq = line.event().stamp().seq();
    long steppedBack = numbers.steppedBack();
    Optional<Long> hole = numbers.next(seq);
    if (numbers.steppedBack() > steppedBack) {
      warnings.accept(
          new Diagnostic(
              Severity.WARNING,
              "sequence number " + seq + " comes after a higher one: this line was moved",
              new SourceSpan(source.name(), line.line(), 1, 0),
              Optional.empty(),
              Optional.empty(),
              List.of(),
              List.of("the order of lines counts, not the numbers"),
              List.of()));
    }
    if (line.event() instanceof TraceEvent.Lost lost) {
      declaredLost += Math.max(1, lost.count());
      long count = lost.count() == 0 ? 0 : lost.count() + hole.orElse(0L);
      return Optional.of(
          new Loss(
              seq,
              count,
              "the recorder lost "
                  + (lost.count() == 0 ? "some events" : events(lost.count()))
                  + " at line "
                  + line.line()
                  + " (seq "
                  + seq
                  + ")"));
    }
    return hole.map(
        count ->
            new Loss(
                seq,
                count,
                events(count)
                    + (count == 1 ? " is" : " are")
                    + " missing before line "
                    + line.line()
                    + " (seq "
                    + (count == 1 ? "" + (seq - 1) : (seq - count) + " to " + (seq - 1))
                    + ")"));
  }

  private static String events(long count) {
    return count + (count == 1 ? " event" : " events");
  }

  SequenceNumbers numbers() {
    return numbers;
  }

  long events() {
    return events;
  }

  long declaredLost() {
    return declaredLost;
  }

  long extensions() {
    return extensions;
  }
}
