package org.mrcheck.check.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader.Completeness;

/** Whether a capture holds every packet of the host that sends the marks. */
class WireWitnessTest {
  private static final String OWNER = "10.9.0.1";
  private static final ImportOptions MARKS = new ImportOptions(OptionalInt.of(9999), List.of());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "all-operations.pcap",
        "nak-and-rnr.pcap",
        "window-lifecycle.pcap",
        "lossy-link.pcap.gz",
        "mid-deregistration.pcap.gz"
      })
  void read_wholeCaptureWithMarks_declaresTheOwnersWireComplete(String file) throws IOException {
    ImportedCapture capture = CaptureImporter.read(TestCaptures.OWN.resolve(file), MARKS);

    assertThat(String.join("\n", capture.report().lines())).contains("its answers show no loss");
    assertThat(capture.header().completeness(EventClass.WIRE, OWNER))
        .contains(Completeness.COMPLETE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nak-and-rnr.pcap", "all-operations.pcap", "window-lifecycle.pcap"})
  void read_anyRequestCutFromTheCapture_leavesTheWirePartial(String file) throws IOException {
    Path path = TestCaptures.OWN.resolve(file);
    ImportedCapture whole = CaptureImporter.read(path, MARKS);
    List<Long> unnoticed = new ArrayList<>();
    int cut = 0;
    for (TraceEvent event : whole.events()) {
      if (event instanceof TraceEvent.Rx && event.stamp().actor().host().equals(OWNER)) {
        cut++;
        ImportedCapture rest =
            CaptureImporter.read(
                new ByteArrayInputStream(without(path, event.stamp().frame())), file, MARKS);
        if (rest.header().completeness(EventClass.WIRE, OWNER).orElseThrow()
            != Completeness.PARTIAL) {
          unnoticed.add(event.stamp().frame());
        } else {
          assertThat(String.join("\n", rest.report().lines())).contains("may be incomplete");
        }
      }
    }
    assertThat(cut).isGreaterThan(5);
    // Three packets behind a refused one: the device ignores them, so no answer refers to them.
    assertThat(unnoticed)
        .isEqualTo(file.startsWith("nak") ? List.of(91L, 92L, 93L) : List.<Long>of());
  }

  @Test
  void read_captureWithoutMarks_declaresNothingComplete() throws IOException {
    ImportedCapture capture =
        CaptureImporter.read(
            TestCaptures.OWN.resolve("nak-and-rnr.pcap"),
            new ImportOptions(OptionalInt.empty(), List.of()));

    assertThat(capture.header().completeness(EventClass.WIRE, OWNER))
        .contains(Completeness.PARTIAL);
  }

  /** A classic little-endian capture without one of its frames, counted from 1. */
  private static byte[] without(Path capture, long frame) throws IOException {
    byte[] all = Files.readAllBytes(capture);
    ByteBuffer buffer = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(all, 0, 24);
    int at = 24;
    for (long number = 1; at < all.length; number++) {
      int size = 16 + buffer.getInt(at + 8);
      if (number != frame) {
        out.write(all, at, size);
      }
      at += size;
    }
    return out.toByteArray();
  }
}
