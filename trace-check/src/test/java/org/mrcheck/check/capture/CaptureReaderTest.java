package org.mrcheck.check.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mrcheck.check.capture.CaptureBytes.Pcap;
import org.mrcheck.check.capture.CaptureBytes.Pcapng;
import org.mrcheck.lang.diagnostic.DiagnosticRenderer;

class CaptureReaderTest {
  private static final byte[] FRAME = {1, 2, 3, 4, 5};

  private static List<RawFrame> read(byte[] content) throws IOException {
    List<RawFrame> frames = new ArrayList<>();
    try (CaptureReader reader = CaptureReader.open(content, "test.pcap")) {
      for (var frame = reader.next(); frame.isPresent(); frame = reader.next()) {
        frames.add(frame.get());
      }
      assertThat(reader.next()).isEmpty();
    }
    return frames;
  }

  private static String warning(byte[] content) throws IOException {
    try (CaptureReader reader = CaptureReader.open(content, "test.pcap")) {
      while (reader.next().isPresent()) {
        continue;
      }
      return String.join("; ", reader.warnings());
    }
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void next_classicFile_yieldsFramesInEveryByteOrderAndResolution(boolean big, boolean nanos)
      throws IOException {
    ByteOrder order = big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    byte[] content =
        new Pcap(order, nanos, 1)
            .add(4_000_000_001_123_456_000L, FRAME, 5)
            .add(7_000, new byte[0], 60)
            .bytes();
    List<RawFrame> frames = read(content);

    assertThat(frames).hasSize(2);
    assertThat(frames.get(0).number()).isEqualTo(1);
    assertThat(frames.get(0).timeNanos()).isEqualTo(4_000_000_001_123_456_000L);
    assertThat(frames.get(0).bytes()).isEqualTo(FRAME);
    assertThat(frames.get(0).linkType()).isEqualTo(1);
    assertThat(frames.get(0).offset()).isEqualTo(40);
    assertThat(frames.get(1).isTruncated()).isTrue();
    assertThat(frames.get(1).timeNanos()).isEqualTo(7_000);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void next_nextGenerationFile_yieldsFramesOfEveryBlockKind(boolean big) throws IOException {
    ByteOrder order = big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    byte[] content =
        new Pcapng()
            .section(order)
            .unknown(0xbad, 20_000)
            .interfaceOf(1, 3)
            .interfaceOf(197, 9, 100)
            .enhanced(0, 2_000_001, FRAME)
            .enhanced(1, 7, FRAME)
            .old(1, 8, FRAME)
            .simple(5, Arrays.copyOf(FRAME, 3))
            .unknown(5, 8)
            .bytes();
    List<RawFrame> frames = read(content);

    assertThat(frames).extracting(RawFrame::number).containsExactly(1L, 2L, 3L, 4L);
    assertThat(frames).extracting(RawFrame::linkType).containsExactly(1, 197, 197, 1);
    assertThat(frames)
        .extracting(RawFrame::timeNanos)
        .containsExactly(2_000_001_000L, 100_000_000_007L, 100_000_000_008L, 0L);
    assertThat(frames.get(3).bytes()).containsExactly(1, 2, 3);
    assertThat(frames.get(3).isTruncated()).isTrue();
  }

  @Test
  void next_sectionsOfBothByteOrders_startTheirInterfacesAnew() throws IOException {
    byte[] content =
        new Pcapng()
            .section(ByteOrder.BIG_ENDIAN)
            .interfaceOf(1, 0)
            .enhanced(0, 1, FRAME)
            .section(ByteOrder.LITTLE_ENDIAN)
            .interfaceOf(197, 0)
            .enhanced(0, 2, FRAME)
            .bytes();

    assertThat(read(content)).extracting(RawFrame::linkType).containsExactly(1, 197);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 5, 5000000000",
    "3, 1500, 1500000000",
    "6, 1500000, 1500000000",
    "9, 1500000000, 1500000000",
    "12, 1500000000999, 1500000000",
    "129, 3, 1500000000",
    "138, 1536, 1500000000",
    "127, 5, 0",
    "255, 5, 0",
  })
  void next_timeResolution_givesNanoseconds(int resolution, long units, long nanos)
      throws IOException {
    byte[] content =
        new Pcapng()
            .section(ByteOrder.LITTLE_ENDIAN)
            .interfaceOf(1, resolution, 0)
            .enhanced(0, units, FRAME)
            .bytes();

    assertThat(read(content).get(0).timeNanos()).isEqualTo(nanos);
  }

  @Test
  void open_gzip_readsItsContent() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(Pcap.ethernet().add(FRAME).bytes());
    }

    assertThat(read(out.toByteArray())).hasSize(1);
    byte[] cut = Arrays.copyOf(out.toByteArray(), out.size() - 12);
    assertThat(warning(cut)).contains("gzip");
  }

  @Test
  void next_fileCutAtEveryByte_yieldsTheWholeFramesAndAWarning() throws IOException {
    byte[] classic = Pcap.ethernet().add(FRAME).add(FRAME).bytes();
    for (int length = 24; length < classic.length; length++) {
      byte[] cut = Arrays.copyOf(classic, length);
      boolean clean = length == 24 || length == 24 + 21;
      assertThat(read(cut)).hasSize(length < 24 + 21 ? 0 : 1);
      assertThat(warning(cut).isEmpty()).as("cut at %s", length).isEqualTo(clean);
    }
    byte[] next =
        new Pcapng()
            .section(ByteOrder.LITTLE_ENDIAN)
            .interfaceOf(1, 0)
            .enhanced(0, 1, FRAME)
            .bytes();
    for (int length = 28; length < next.length; length++) {
      byte[] cut = Arrays.copyOf(next, length);
      boolean clean = length == 28 || length == 48;
      assertThat(read(cut)).hasSize(length >= next.length - 4 ? 1 : 0);
      assertThat(warning(cut).isEmpty()).as("cut at %s", length).isEqualTo(clean);
    }
  }

  @Test
  void open_noCapture_saysWhatItFoundAndExpected() {
    assertProblem(new byte[0], 0, "the file is empty");
    assertProblem(new byte[] {1, 2, 3}, 0, "only 3 bytes");
    assertProblem("not a capture at all".getBytes(StandardCharsets.UTF_8), 0, "the bytes 6e6f7420");
    assertThatThrownBy(() -> read("\u0000\u0001\u0002\u0003x".getBytes(StandardCharsets.UTF_8)))
        .hasMessage(
            "test.pcap: byte 0: the bytes 00010203; expected pcap (a1b2c3d4 or a1b23c4d in either"
                + " byte order) or pcapng (0a0d0d0a). Record with tcpdump or dumpcap, or convert"
                + " with: editcap -F pcapng IN OUT.");
  }

  @Test
  void open_noCapture_rendersAsADiagnostic() {
    assertThatThrownBy(() -> read(new byte[] {1, 2, 3}))
        .isInstanceOfSatisfying(
            CaptureFormatException.class,
            problem ->
                assertThat(DiagnosticRenderer.render(problem.diagnostic()))
                    .contains("test.pcap", "from byte 0 on", "only 3 bytes", "pcapng header"));
  }

  @Test
  void open_directory_saysSo(@TempDir Path folder) {
    assertThatThrownBy(() -> CaptureReader.open(folder))
        .isInstanceOf(CaptureFormatException.class)
        .hasMessageContaining("this is a directory");
  }

  @Test
  void next_absurdLengths_areProblemsAtTheirByte() {
    byte[] classic = Pcap.ethernet().add(FRAME).add(FRAME).bytes();
    classic[24 + 21 + 11] = 0x7f;
    assertProblem(classic, 24 + 21 + 8, "a frame of 2130706437 bytes");

    byte[] next =
        new Pcapng()
            .section(ByteOrder.LITTLE_ENDIAN)
            .interfaceOf(1, 0)
            .enhanced(0, 1, FRAME)
            .bytes();
    byte[] blockLength = next.clone();
    blockLength[52] = 13;
    assertProblem(blockLength, 52, "a block length of 13");
    byte[] frameLength = next.clone();
    frameLength[48 + 20] = 99;
    assertProblem(frameLength, 48 + 20, "a frame of 99 bytes in a block with room for 8");
    byte[] trailer = next.clone();
    trailer[next.length - 4]++;
    assertProblem(trailer, next.length - 4, "a closing block length of 41");
    byte[] noInterface = next.clone();
    noInterface[48 + 8] = 9;
    assertProblem(noInterface, 56, "a frame of interface 9");
  }

  @Test
  void next_unknownBlockOfFourGigabytes_isSkippedWithoutMemoryForIt() throws IOException {
    byte[] content =
        new Pcapng()
            .section(ByteOrder.LITTLE_ENDIAN)
            .interfaceOf(1, 0)
            .enhanced(0, 1, FRAME)
            .unknown(0xbad, 40)
            .bytes();
    int length = content.length - 52 + 4;
    content[length] = (byte) 0xfc;
    content[length + 1] = content[length + 2] = content[length + 3] = (byte) 0xff;

    assertThat(read(content)).hasSize(1);
    assertThat(warning(content)).contains("the file ends inside a block");
  }

  @Test
  void open_newerVersion_isAProblem() {
    byte[] classic = Pcap.ethernet().bytes();
    classic[4] = 9;
    assertProblem(classic, 4, "pcap version 9");
    byte[] next = new Pcapng().section(ByteOrder.LITTLE_ENDIAN).bytes();
    next[12] = 2;
    assertProblem(next, 12, "pcapng version 2");
  }

  private static void assertProblem(byte[] content, long offset, String found) {
    assertThatThrownBy(() -> read(content))
        .isInstanceOfSatisfying(
            CaptureFormatException.class,
            problem -> {
              assertThat(problem.file()).isEqualTo("test.pcap");
              assertThat(problem.offset()).isEqualTo(offset);
              assertThat(problem.found()).isEqualTo(found);
              assertThat(problem.expected()).isNotEmpty();
            });
  }
}
