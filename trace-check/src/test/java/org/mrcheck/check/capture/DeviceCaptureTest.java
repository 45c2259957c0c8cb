package org.mrcheck.check.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mrcheck.check.engine.CheckOptions;
import org.mrcheck.check.engine.CheckProgress;
import org.mrcheck.check.engine.ContractCatalogue;
import org.mrcheck.check.engine.TraceChecker;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.text.TraceWriter;
import org.mrcheck.rnic.Connection;
import org.mrcheck.rnic.MemoryRegion;
import org.mrcheck.rnic.QueuePair;
import org.mrcheck.rnic.TraceRecording;
import org.mrcheck.rnic.Wire;
import org.mrcheck.rnic.WireTap;
import org.mrcheck.rnic.roce.RoceCapture;
import org.mrcheck.rnic.workload.Workload;
import org.mrcheck.rnic.workload.WorkloadOptions;
import org.mrcheck.rnic.workload.WorkloadSummary;

/** A capture of the soft RNIC, read by the importer, which shares no code with its writer. */
class DeviceCaptureTest {
  @Test
  void import_midDeregRun_everyFrameIsRightAndEveryContractHolds(@TempDir Path folder)
      throws Exception {
    WorkloadOptions options =
        WorkloadOptions.of(4, Duration.ofSeconds(60), 3).withMaxOperations(600);
    Path file = folder.resolve("run.pcapng");
    WorkloadSummary summary;
    long packets;
    try (RoceCapture capture = Workload.MID_DEREG.capture(options, file)) {
      summary = Workload.MID_DEREG.run(options, TraceRecording.off(), capture);
      packets = capture.packets();
    }

    List<Frame> frames = TestCaptures.dissect(file);
    List<Frame.Rdma> rdma =
        frames.stream().filter(Frame.Rdma.class::isInstance).map(Frame.Rdma.class::cast).toList();
    assertThat(rdma).hasSize((int) packets).allMatch(frame -> frame.icrc() == Icrc.OK);
    ImportedCapture imported = read(file);
    ImportReport report = imported.report();
    assertThat(report.warnings()).isEmpty();
    assertThat(report.unknownMarks()).isEmpty();
    assertThat(report.count(FrameFate.EVENT)).isEqualTo(packets);
    assertThat(report.count(FrameFate.EVENT) + report.count(FrameFate.MARK))
        .isEqualTo(report.frames());
    assertThat(count(imported, EventName.REG)).isEqualTo(summary.registrations());
    assertThat(count(imported, EventName.DEREG_CALL)).isEqualTo(summary.deregistrations());
    assertThat(count(imported, EventName.DEREG_RETURN)).isEqualTo(summary.deregistrations());

    CheckResult result = check(imported, folder.resolve("run.mrtrace"));
    assertThat(result.details())
        .noneMatch(detail -> detail.verdict().kind() == Verdict.Kind.VIOLATION);
    assertThat(result.counts().of(Verdict.Kind.VIOLATION)).isZero();
    assertThat(result.counts().of(Verdict.Kind.GAVE_UP)).isZero();
    assertThat(result.contract("SoundCheck").orElseThrow().counts().of(Verdict.Kind.CONFORMANT))
        .isPositive();
  }

  /** Says that regions of the responder are deregistered as soon as they are registered. */
  private record EarlyMarks(WireTap capture) implements WireTap {
    @Override
    public void sent(
        QueuePairAddress source, QueuePairAddress destination, Wire.Frame frame, boolean damaged) {
      capture.sent(source, destination, frame, damaged);
    }

    @Override
    public void registered(String host, MemoryRegion region) {
      capture.registered(host, region);
      capture.deregistrationCalled(host, region);
      capture.deregistrationReturned(host, region);
    }

    @Override
    public void deregistrationCalled(String host, MemoryRegion region) {}

    @Override
    public void deregistrationReturned(String host, MemoryRegion region) {}

    @Override
    public void connected(QueuePair queuePair, Connection connection) {
      capture.connected(queuePair, connection);
    }
  }

  @Test
  void import_packetsAcceptedAfterDeregistrationReturned_isAViolation(@TempDir Path folder)
      throws Exception {
    WorkloadOptions options =
        WorkloadOptions.of(1, Duration.ofSeconds(60), 3).withMaxOperations(50);
    Path file = folder.resolve("run.pcapng");
    try (RoceCapture capture = Workload.MID_DEREG.capture(options, file)) {
      Workload.MID_DEREG.run(options, TraceRecording.off(), new EarlyMarks(capture));
    }

    CheckResult result = check(read(file), folder.resolve("run.mrtrace"));

    assertThat(result.contract("SoundCheck").orElseThrow().counts().of(Verdict.Kind.VIOLATION))
        .isPositive();
  }

  private static ImportedCapture read(Path file) throws Exception {
    return CaptureImporter.read(
        file, new ImportOptions(OptionalInt.of(RoceCapture.MARKS_PORT), List.of()));
  }

  private static long count(ImportedCapture imported, EventName name) {
    return imported.events().stream().filter(event -> event.name() == name).count();
  }

  private static CheckResult check(ImportedCapture imported, Path trace) throws Exception {
    try (TraceWriter writer = TraceWriter.create(trace, imported.header())) {
      imported.writeTo(writer);
    }
    return new TraceChecker(ContractCatalogue.bundled())
        .check(trace, CheckOptions.DEFAULT, CheckProgress.silent());
  }
}
