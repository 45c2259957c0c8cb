package org.mrcheck.check.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.mrcheck.check.capture.CaptureBytes.Pcap;
import org.mrcheck.check.capture.CaptureBytes.Pcapng;

/** Whatever the bytes are, an import ends with a trace or with a {@link CaptureFormatException}. */
class CaptureFuzzTest {
  private static final List<byte[]> SEEDS = seeds();

  /**
   * One change to a file.
   *
   * @param place where, as a share of the file's length
   */
  private record Change(double place, int value, int kind) {
    byte[] apply(byte[] content) {
      if (content.length == 0) {
        return content;
      }
      int at = (int) (place * (content.length - 1));
      byte[] changed = content.clone();
      switch (kind) {
        case 0 -> changed[at] = (byte) value;
        case 1 -> changed[at] ^= (byte) (1 << (value & 7));
        case 2 -> Arrays.fill(changed, at, Math.min(at + 4, changed.length), (byte) -1);
        case 3 -> Arrays.fill(changed, at, Math.min(at + 4, changed.length), (byte) 0);
        case 4 -> changed = Arrays.copyOf(content, at);
        default -> {
          byte[] tail = Arrays.copyOfRange(content, at, content.length);
          changed = CaptureBytes.join(List.of(Arrays.copyOf(content, at), tail, tail));
        }
      }
      return changed;
    }
  }

  private static List<byte[]> seeds() {
    byte[] write =
        CaptureBytes.roce("10.0.0.2", "10.0.0.1", 10, 0x11, 7, CaptureBytes.reth(64, 0x101, 5, 5));
    byte[] ack = CaptureBytes.roce("10.0.0.1", "10.0.0.2", 17, 0x12, 7, CaptureBytes.aeth(0x1f, 1));
    byte[] mark =
        CaptureBytes.mark(
            "10.0.0.1", "10.0.0.2", "mr_reg A pd 1 va 0x40 len 64 lkey 257 rkey 0x101 acc 15");
    byte[] queuePair =
        CaptureBytes.mark("10.0.0.1", "10.0.0.2", "qp 0x11 peer 0x12 pd 1 acc 15 psn 7 peer_psn 9");
    byte[] classic = Pcap.ethernet().add(mark).add(queuePair).add(write).add(ack).bytes();
    byte[] next =
        new Pcapng()
            .section(ByteOrder.BIG_ENDIAN)
            .interfaceOf(1, 9, 0)
            .enhanced(0, 5, write)
            .old(0, 6, ack)
            .simple(mark.length, mark)
            .section(ByteOrder.LITTLE_ENDIAN)
            .interfaceOf(197, 65535)
            .enhanced(0, 5, infiniband(write))
            .bytes();
    try {
      return List.of(
          classic,
          next,
          Files.readAllBytes(TestCaptures.OWN.resolve("window-lifecycle.pcap")),
          Files.readAllBytes(TestCaptures.OWN.resolve("user-space-peer.pcap")));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The packet of a RoCEv2 frame as an ERF record of a native link. */
  private static byte[] infiniband(byte[] frame) {
    byte[] packet = Arrays.copyOfRange(frame, 42, frame.length);
    byte[] header = new byte[16 + 8];
    header[8] = 21;
    header[15] = (byte) (8 + packet.length);
    header[17] = 2;
    header[19] = 3;
    header[21] = (byte) ((8 + packet.length) / 4);
    header[23] = 4;
    return CaptureBytes.join(List.of(header, packet));
  }

  @Provide
  Arbitrary<byte[]> damaged() {
    Arbitrary<Change> change =
        Combinators.combine(
                Arbitraries.doubles().between(0, 1),
                Arbitraries.integers().between(0, 255),
                Arbitraries.integers().between(0, 5))
            .as(Change::new);
    return Combinators.combine(Arbitraries.of(SEEDS), change.list().ofMinSize(1).ofMaxSize(6))
        .as(
            (seed, changes) -> {
              byte[] content = seed;
              for (Change one : changes) {
                content = one.apply(content);
              }
              return content;
            });
  }

  @Provide
  Arbitrary<byte[]> random() {
    return Arbitraries.bytes().array(byte[].class).ofMaxSize(400);
  }

  @Property(tries = 1000)
  void read_damagedCapture_isATraceOrAProblem(@ForAll("damaged") byte[] content)
      throws IOException {
    assertImports(content);
  }

  @Property(tries = 500)
  void read_randomBytes_isATraceOrAProblem(@ForAll("random") byte[] content) throws IOException {
    assertImports(content);
  }

  @Property(tries = 500)
  void read_randomFrames_areAccountedFor(@ForAll("random") byte[] frame) throws IOException {
    byte[] afterAddresses = CaptureBytes.join(List.of(new byte[12], frame));
    assertImports(
        Pcap.ethernet()
            .add(frame)
            .add(afterAddresses)
            .add(CaptureBytes.udp("10.0.0.1", "10.0.0.2", 4791, frame))
            .add(CaptureBytes.udp("10.0.0.1", "10.0.0.2", 9999, frame))
            .bytes());
    assertImports(
        new Pcap(ByteOrder.BIG_ENDIAN, false, RawFrame.ERF)
            .add(frame)
            .add(
                CaptureBytes.join(
                    List.of(new byte[8], new byte[] {21, 0, 0, 0, 0, 0, 1, 0}, frame)))
            .bytes());
  }

  private static void assertImports(byte[] content) throws IOException {
    try {
      ImportedCapture imported =
          CaptureImporter.read(
              new ByteArrayInputStream(content),
              "fuzz",
              new ImportOptions(OptionalInt.of(9999), List.of()));
      CaptureImporterTest.assertAccounted(imported);
      assertThat(imported.report().toString()).isNotEmpty();
    } catch (CaptureFormatException problem) {
      assertThat(problem.getMessage()).startsWith("fuzz: byte ");
    }
  }

  @Provide
  Arbitrary<String> logLine() {
    List<String> seeds =
        List.of(
            "1.5 mr_reg A pd 1 va 0x40 len 64 lkey 257 rkey 0x101 acc 15",
            "qp 0x11 peer 0x12 pd 1 acc 15 psn 7 peer_psn 9",
            "mw_bind_post w mr A pd 1 va 0 len 1 rkey 0x1 acc 6 type 2 qp 0x11",
            "local_inv_wc rkey 0x1 status none",
            "gid index 1 0000:0000:0000:0000:0000:ffff:0a09:0001",
            "2 post 1 W some text va 0x1 rkey 0x2 len 3",
            "3 wc (1, 0, 1, 0, 64)");
    return Combinators.combine(
            Arbitraries.of(seeds),
            Arbitraries.doubles().between(0, 1),
            Arbitraries.strings().ofMaxLength(6))
        .as(
            (line, place, text) -> {
              int at = (int) (place * line.length());
              return line.substring(0, at) + text + line.substring(Math.min(line.length(), at + 3));
            });
  }

  @Property(tries = 1000)
  void parse_damagedLogLine_isReadOrCounted(@ForAll("logLine") String line) {
    VerbsLines log = VerbsLines.parse("fuzz", line);

    assertThat(log.lines().size() + log.unknown()).isLessThanOrEqualTo(line.lines().count());
    assertThat(OwnerLine.parse(line)).isNotNull();
    assertThat(line.getBytes(StandardCharsets.UTF_8)).isNotNull();
  }
}
