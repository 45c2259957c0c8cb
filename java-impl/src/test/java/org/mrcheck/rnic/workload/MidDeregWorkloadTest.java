package org.mrcheck.rnic.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mrcheck.lang.diagnostic.DiagnosticSink;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.WcStatus;
import org.mrcheck.lang.trace.text.TraceLine;
import org.mrcheck.lang.trace.text.TraceReader;
import org.mrcheck.rnic.Defect;
import org.mrcheck.rnic.TraceOracle;
import org.mrcheck.rnic.TraceRecording;

class MidDeregWorkloadTest {
  /** The common list holds what the device emits and what it says it does not emit, no more. */
  @Test
  void run_emitsExactlyTheEventNamesThatItsTracePointsPromise() throws InterruptedException {
    TraceOracle oracle = new TraceOracle();
    try (TraceRecording recording = TraceRecording.into(oracle)) {
      MidDeregWorkload.run(WorkloadOptions.of(2, Duration.ofSeconds(1), 3), recording);
    }

    Set<EventName> promised = EnumSet.allOf(EventName.class);
    promised.removeAll(TraceRecording.notEmittedYet());
    assertThat(oracle.counts().keySet()).containsExactlyInAnyOrderElementsOf(promised);
  }

  @Test
  void runToFile_writesAsManyEventsAsItSays(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("a.mrtrace");
    WorkloadOptions options = new WorkloadOptions(2, Duration.ofSeconds(20), 300, 5, Set.of());

    WorkloadSummary summary = MidDeregWorkload.runToFile(options, file);

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

  @Test
  void run_correctDevice_showsEveryOutcomeAndNoComplaint() throws InterruptedException {
    TraceOracle oracle = new TraceOracle();
    WorkloadSummary summary;
    try (TraceRecording recording = TraceRecording.into(oracle)) {
      summary = MidDeregWorkload.run(WorkloadOptions.of(4, Duration.ofSeconds(2), 7), recording);
    }

    assertThat(oracle.complaints()).isEmpty();
    assertThat(summary.events()).isGreaterThan(40_000);
    assertThat(summary.completions())
        .containsKeys(WcStatus.SUCCESS, WcStatus.REM_ACCESS_ERR, WcStatus.WR_FLUSH_ERR);
    assertThat(summary.refusals().writesRefusedAtFirst()).isPositive();
    assertThat(summary.refusals().writesRefusedInside()).isPositive();
    assertThat(summary.refusals().readsRefusedAtFirst()).isPositive();
    assertThat(summary.regionsChangedAfterReturn()).isZero();
  }

  @Test
  void run_deregDoesNotDrain_isSeenInTheTraceAndInMemory() throws InterruptedException {
    TraceOracle oracle = new TraceOracle();
    WorkloadSummary summary;
    try (TraceRecording recording = TraceRecording.into(oracle)) {
      summary =
          MidDeregWorkload.run(
              WorkloadOptions.of(4, Duration.ofSeconds(2), 7)
                  .withDefects(Set.of(Defect.DEREG_DOES_NOT_DRAIN)),
              recording);
    }

    assertThat(oracle.accessesAfterReturn()).isPositive();
    assertThat(summary.regionsChangedAfterReturn()).isPositive();
  }
}
