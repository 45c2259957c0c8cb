package org.mrcheck.rnic.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mrcheck.lang.diagnostic.DiagnosticSink;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.WcStatus;
import org.mrcheck.lang.trace.text.TraceLine;
import org.mrcheck.lang.trace.text.TraceReader;
import org.mrcheck.rnic.Defect;
import org.mrcheck.rnic.RnicCounters;
import org.mrcheck.rnic.TraceOracle;
import org.mrcheck.rnic.TraceRecording;

class MidDeregWorkloadTest {
  /** The device emits nothing that it says it does not emit, and what this workload is about. */
  @Test
  void run_emitsWhatItsTracePointsPromise() throws InterruptedException {
    Set<EventName> seen = EnumSet.noneOf(EventName.class);
    for (int round = 0; round < 3; round++) {
      seen.addAll(
          run(WorkloadOptions.of(2, Duration.ofMillis(700), round)).oracle().counts().keySet());
    }

    Set<EventName> promised = EnumSet.allOf(EventName.class);
    promised.removeAll(TraceRecording.notEmittedYet());
    assertThat(promised).containsAll(seen);
    assertThat(seen)
        .contains(
            EventName.REG_CALL,
            EventName.REG,
            EventName.PIN,
            EventName.DEREG_CALL,
            EventName.DEREG_RETURN,
            EventName.UNPIN,
            EventName.POST,
            EventName.WC,
            EventName.RX,
            EventName.TX,
            EventName.ACK,
            EventName.NAK,
            EventName.CHECK_KEY,
            EventName.DMA_READ,
            EventName.DMA_WRITE,
            EventName.QP_CREATE,
            EventName.QP_CONNECT,
            EventName.QP_STATE);
  }

  @Test
  void runToFile_writesAsManyEventsAsItSays(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("a.mrtrace");
    WorkloadOptions options =
        WorkloadOptions.of(2, Duration.ofSeconds(60), 5).withMaxOperations(300);

    WorkloadSummary summary = Workload.MID_DEREG.runToFile(options, file);

    assertThat(summary.operations()).isBetween(300L, 310L);
    assertThat(summary.completions().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(summary.operations());
    TraceOracle oracle = new TraceOracle();
    try (TraceReader reader = TraceReader.open(file, DiagnosticSink.ignoring())) {
      for (TraceLine line = reader.next(); line != null; line = reader.next()) {
        oracle.accept(line.event());
      }
    }
    assertThat(oracle.counts().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(summary.events());
    assertThat(oracle.complaints()).isEmpty();
  }

  private static final int ROUNDS = 15;

  private record Run(WorkloadSummary summary, TraceOracle oracle) {
    boolean showsEveryOutcome() {
      RnicCounters refusals = summary.refusals();
      return summary
              .completions()
              .keySet()
              .containsAll(Set.of(WcStatus.SUCCESS, WcStatus.REM_ACCESS_ERR, WcStatus.WR_FLUSH_ERR))
          && refusals.writesRefusedAtFirst() > 0
          && refusals.writesRefusedInside() > 0
          && refusals.readsRefusedAtFirst() > 0;
    }
  }

  private static Run run(WorkloadOptions options) throws InterruptedException {
    TraceOracle oracle = new TraceOracle();
    try (TraceRecording recording = TraceRecording.into(oracle)) {
      return new Run(Workload.MID_DEREG.run(options, recording), oracle);
    }
  }

  /** Short runs, as many as it takes on a busy machine. */
  @Test
  void run_correctDevice_showsEveryOutcomeAndNoComplaint() throws InterruptedException {
    boolean complete = false;
    for (int round = 0; round < ROUNDS && !complete; round++) {
      Run run = run(WorkloadOptions.of(4, Duration.ofSeconds(1), 100 + round));

      assertThat(run.oracle().complaints()).isEmpty();
      assertThat(run.summary().regionsChangedAfterReturn()).isZero();
      assertThat(run.summary().registrations()).isEqualTo(run.summary().deregistrations());
      complete = run.showsEveryOutcome();
    }
    assertThat(complete).isTrue();
  }

  @Test
  void run_deregDoesNotDrain_isSeenInTheTraceAndInMemory() throws InterruptedException {
    boolean inTrace = false;
    boolean inMemory = false;
    for (int round = 0; round < ROUNDS && !(inTrace && inMemory); round++) {
      Run run =
          run(
              WorkloadOptions.of(4, Duration.ofSeconds(1), 200 + round)
                  .withDefects(Set.of(Defect.DEREG_DOES_NOT_DRAIN)));

      inTrace |= run.oracle().accessesAfterReturn() > 0;
      inMemory |= run.summary().regionsChangedAfterReturn() > 0;
    }
    assertThat(inTrace).isTrue();
    assertThat(inMemory).isTrue();
  }

  @Test
  @Tag("slow")
  void run_fiveSecondsOnFourQueuePairs_hasAHundredThousandEvents() throws InterruptedException {
    Run run = run(WorkloadOptions.of(4, Duration.ofSeconds(5), 1));

    assertThat(run.summary().events()).isGreaterThan(100_000);
    assertThat(run.showsEveryOutcome()).isTrue();
    assertThat(run.oracle().complaints()).isEmpty();
  }
}
