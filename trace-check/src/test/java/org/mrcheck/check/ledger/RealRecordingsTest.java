package org.mrcheck.check.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.mrcheck.check.capture.CaptureImporter;
import org.mrcheck.check.capture.ImportOptions;
import org.mrcheck.check.capture.ImportedCapture;
import org.mrcheck.lang.trace.TraceEvent;

/** The ledger on recordings of the Linux Soft-RoCE device. */
class RealRecordingsTest {
  private static final Path FOLDER =
      Path.of(
          System.getProperty("mrcheck.root", ".."), "trace-check/src/test/resources/captures/rxe");

  private static ImportedCapture read(String file) throws IOException {
    return CaptureImporter.read(
        FOLDER.resolve(file), new ImportOptions(OptionalInt.of(9999), List.of()));
  }

  private static List<MessageReport> messages(ImportedCapture capture) {
    MessageReports reports = new MessageReports(capture.header());
    capture.events().forEach(reports::record);
    return reports.reports();
  }

  @Test
  void reports_midDeregistration_countWhatWasAcknowledgedImpliedAndIgnored() throws IOException {
    List<MessageReport> cut =
        messages(read("mid-deregistration.pcap.gz")).stream()
            .filter(MessageReport::isCutShort)
            .toList();
    assertThat(cut).hasSize(2);
    MessageReport first = cut.get(0);
    assertThat(first.acknowledged() + first.implied()).isEqualTo(208);
    assertThat(first.implied()).isEqualTo(10);
    assertThat(first.ignored()).isEqualTo(25);
    assertThat(first.refusal().orElseThrow().prefix()).hasValue(208L * 1024);
    assertThat(first.refusal().orElseThrow().takenAwayBy().orElseThrow().returned()).isPresent();
    assertThat(String.join("\n", first.lines()))
        .contains(
            "391 packets",
            "208 packets acknowledged: 198 by ACKs or responses, 10 implied by the NAK's PSN",
            "0x62 remote access error at psn 11258473, packet 209 of 391",
            "the NAK stands between the call",
            "25 packets arrived after the NAK and were ignored",
            "the written prefix of 208 packets, 212992 bytes, stays");
    MessageReport second = cut.get(1);
    assertThat(second.acknowledged() + second.implied()).isEqualTo(354);
    assertThat(second.refusal().orElseThrow().prefix()).hasValue(354L * 1024);
  }

  @Test
  void reports_messagesThatSucceeded_haveNoRefusal() throws IOException {
    List<MessageReport> all = messages(read("all-operations.pcap"));
    assertThat(all).isNotEmpty();
    assertThat(all).allMatch(message -> message.refusal().isEmpty());
    assertThat(all)
        .allMatch(message -> message.acknowledged() + message.implied() == message.packets());
  }

  @Test
  void attribute_nakAndRnr_explainsEveryRemoteAccessError() throws IOException {
    ImportedCapture capture = read("nak-and-rnr.pcap");
    Ledger ledger = new Ledger(capture.header());
    List<String> causes = new ArrayList<>();
    for (TraceEvent event : capture.events()) {
      if (event instanceof TraceEvent.Nak nak) {
        ledger.attribute(nak).ifPresent(why -> causes.add(why.describe()));
      }
      ledger.record(event);
    }
    assertThat(causes).hasSize(10);
    assertThat(causes.get(0))
        .startsWith("wrong tag: 0x00 presented, index 3 is live with tag 0x5a");
    assertThat(causes.get(1)).startsWith("past the end by 208 bytes");
    assertThat(causes.get(2)).startsWith("below the base by 16 bytes");
    assertThat(causes.get(3)).startsWith("missing right remote_write");
    assertThat(causes.get(4)).startsWith("missing right remote_read");
    assertThat(causes.get(5)).startsWith("no remote key: 0xb4f is the lkey of local-only");
    assertThat(causes.get(6)).startsWith("missing right remote_atomic");
    assertThat(causes.get(7)).startsWith("past the end by 1808 bytes");
    assertThat(causes.get(8)).startsWith("stale key:").contains("\"B\" was deregistered");
    assertThat(causes.get(9)).startsWith("stale key:").contains("\"B\" was deregistered");
  }

  @Test
  void atExpected_lossyLink_everySequenceErrorNamesAGap() throws IOException {
    ImportedCapture capture = read("lossy-link.pcap.gz");
    Ledger ledger = new Ledger(capture.header());
    int naks = 0;
    for (TraceEvent event : capture.events()) {
      if (event instanceof TraceEvent.Nak) {
        naks++;
        assertThat(
                Derivation.named("atExpected")
                    .orElseThrow()
                    .derive(ledger, java.util.Optional.empty(), event))
            .isEqualTo(DerivedValue.TRUE);
      }
      ledger.record(event);
    }
    assertThat(naks).isEqualTo(4);
  }
}
