package org.mrcheck.rnic.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mrcheck.lang.trace.WcStatus;
import org.mrcheck.rnic.Defect;
import org.mrcheck.rnic.TraceOracle;
import org.mrcheck.rnic.TraceRecording;

class MidDeregWorkloadTest {
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
