package org.mrcheck.check.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.MemoryKey;

class FrameDissectorTest {
  private static final FrameDissector DISSECTOR = new FrameDissector();

  // Where tshark 4.0.17 errs. The one takes UDP source port 69 for TFTP and shows nothing of the
  // frame, whose ICRC is right. The other reads an AETH 8 bytes behind the BTH of a dynamically
  // connected packet, though it reads the RETH of the same transport 20 bytes behind it.
  private static final String TFTP_PORT = "send-imm-two-packet";
  private static final String DYNAMIC = "dc-write-small";

  @TestFactory
  Stream<DynamicTest> dissect_everyFrameOfOwnRecordings_equalsTshark() {
    return TestCaptures.own().stream().map(FrameDissectorTest::equalsTshark);
  }

  @TestFactory
  Stream<DynamicTest> dissect_everyFrameOfPublishedRecordings_equalsTshark() {
    assumeTrue(
        !TestCaptures.published().isEmpty(),
        "SKIPPED: the recordings of other people are not beside the repository");
    return TestCaptures.published().stream().map(FrameDissectorTest::equalsTshark);
  }

  private static DynamicTest equalsTshark(Path capture) {
    return DynamicTest.dynamicTest(TestCaptures.base(capture), () -> compare(capture));
  }

  private static void compare(Path capture) throws IOException {
    Map<Long, String> expected = new TreeMap<>();
    for (String row : TestCaptures.table(capture)) {
      expected.put(Long.parseLong(row.substring(0, row.indexOf('\t'))), comparable(row));
    }
    Map<Long, String> found = new TreeMap<>();
    for (Frame frame : TestCaptures.dissect(capture)) {
      if (frame instanceof Frame.Rdma packet) {
        String row = row(packet);
        if (TestCaptures.base(capture).equals(DYNAMIC) && packet.opcode().code() == 0x51) {
          assertThat(row).as("AETH of frame %s", packet.number()).endsWith("|31|0|");
          row = row.replaceFirst("\\|31\\|0\\|$", "|0|6414927|");
        }
        if (TestCaptures.base(capture).equals(TFTP_PORT)
            && packet.source().equals("192.168.70.4")) {
          assertThat(packet.icrc()).isEqualTo(Icrc.OK);
          continue;
        }
        found.put(packet.number(), row);
      }
    }
    assertThat(found).isNotEmpty().containsExactlyEntriesOf(expected);
  }

  /** Time, then opcode to attribute identifier; the addresses are tshark's guesses in part. */
  private static String comparable(String row) {
    String[] columns = row.split("\t", -1);
    List<String> kept = new ArrayList<>();
    kept.add(columns[1]);
    kept.addAll(Arrays.asList(columns).subList(4, 15));
    kept.add(columns.length > 15 ? columns[15] : "");
    return String.join("|", kept);
  }

  private static String row(Frame.Rdma packet) {
    String access =
        packet
            .access()
            .map(
                remote ->
                    String.format("0x%016x|0x%08x|", remote.va(), remote.key().bits())
                        + (packet.opcode().isAtomicRequest() ? "" : remote.length()))
            .orElse("||");
    return String.format(
        "%d.%09d|%d|0x%06x|%d|%d|%d|%s|%s|%s|%s|%s",
        packet.timeNanos() / 1_000_000_000L,
        packet.timeNanos() % 1_000_000_000L,
        packet.opcode().code(),
        packet.destinationQp(),
        packet.psn(),
        packet.ackRequest() ? 1 : 0,
        packet.padCount(),
        access,
        packet.invalidate().map(key -> String.format("%08x", key.bits())).orElse(""),
        packet.syndrome().map(syndrome -> "" + syndrome.bits()).orElse(""),
        packet.msn().isPresent() ? "" + packet.msn().getAsInt() : "",
        packet.management().map(mad -> String.format("0x%04x", mad.attribute())).orElse(""));
  }

  @Test
  void dissect_ownRecordings_findsOneWrongIcrcOnly() throws IOException {
    List<String> wrong = new ArrayList<>();
    long right = 0;
    for (Path capture : TestCaptures.own()) {
      for (Frame frame : TestCaptures.dissect(capture)) {
        if (frame instanceof Frame.Rdma packet) {
          if (packet.icrc() == Icrc.OK) {
            right++;
          } else {
            wrong.add(TestCaptures.base(capture) + " " + packet.number() + " " + packet.icrc());
          }
        }
      }
    }
    assertThat(wrong).containsExactly("user-space-peer 5 BAD");
    assertThat(right).isGreaterThan(2500);
  }

  @Test
  void dissect_publishedRecordings_icrcIsAsTheInventorySays() throws IOException {
    assumeTrue(
        !TestCaptures.published().isEmpty(),
        "SKIPPED: the recordings of other people are not beside the repository");
    for (Path capture : TestCaptures.published()) {
      String name = TestCaptures.base(capture);
      Icrc expected =
          name.startsWith("ib-erf")
              ? Icrc.UNCHECKED
              : List.of("dc-write-small", "rc-write-2byte", "uc-send-sg").contains(name)
                  ? Icrc.BAD
                  : Icrc.OK;
      for (Frame frame : TestCaptures.dissect(capture)) {
        if (frame instanceof Frame.Rdma packet) {
          assertThat(packet.icrc()).as("%s %s", name, packet.number()).isEqualTo(expected);
        }
      }
    }
  }

  private static Frame dissect(byte[] frame) {
    return dissect(frame, frame.length);
  }

  private static Frame dissect(byte[] frame, int originalLength) {
    return DISSECTOR.dissect(new RawFrame(1, 5, RawFrame.ETHERNET, originalLength, frame, 0));
  }

  @Test
  void dissect_writeBehindTwoVlanTags_isTheSamePacket() {
    byte[] plain = write();
    byte[] tagged = new byte[plain.length + 8];
    System.arraycopy(plain, 0, tagged, 0, 12);
    System.arraycopy(HexFormat.of().parseHex("88a8000181000002"), 0, tagged, 12, 8);
    System.arraycopy(plain, 12, tagged, 20, plain.length - 12);

    assertThat(dissect(tagged)).isEqualTo(dissect(plain)).isInstanceOf(Frame.Rdma.class);
  }

  private static byte[] write() {
    return CaptureBytes.roce(
        "10.0.0.2", "10.0.0.1", 10, 0x11, 7, CaptureBytes.reth(-8, 0x80000001, 5, 5));
  }

  @Test
  void dissect_write_hasItsLargestValuesUnsigned() {
    Frame.Rdma packet = (Frame.Rdma) dissect(write());

    assertThat(packet.payload()).isEqualTo(5);
    assertThat(packet.padCount()).isEqualTo(3);
    assertThat(packet.icrc()).isEqualTo(Icrc.OK);
    assertThat(packet.access().orElseThrow().key()).isEqualTo(new MemoryKey(0x80000001));
    assertThat(Long.toUnsignedString(packet.access().orElseThrow().va()))
        .isEqualTo("18446744073709551608");
  }

  @Test
  void dissect_writeWithOneBitFlipped_hasAWrongIcrc() {
    byte[] frame = write();
    frame[frame.length - 6] ^= 1;

    assertThat(((Frame.Rdma) dissect(frame)).icrc()).isEqualTo(Icrc.BAD);
  }

  @Test
  void dissect_routersChangedTheirFields_icrcStillRight() {
    byte[] frame = write();
    frame[15] = 0x02;
    frame[22] = 3;
    frame[24] = 0x55;
    frame[40] = 0x66;
    frame[46] = (byte) 0x80;

    assertThat(((Frame.Rdma) dissect(frame)).icrc()).isEqualTo(Icrc.OK);
  }

  @Test
  void dissect_payloadCutBySnapLength_isAPacketWithItsWholePayload() {
    byte[] frame =
        CaptureBytes.roce("10.0.0.2", "10.0.0.1", 10, 0x11, 7, CaptureBytes.reth(0, 1, 1000, 1000));
    Frame.Rdma packet = (Frame.Rdma) dissect(Arrays.copyOf(frame, 80), frame.length);

    assertThat(packet.truncated()).isTrue();
    assertThat(packet.payload()).isEqualTo(1000);
    assertThat(packet.icrc()).isEqualTo(Icrc.UNCHECKED);
    assertThat(packet.access()).isPresent();
  }

  @Test
  void dissect_headersCutBySnapLength_isCountedAsTruncated() {
    byte[] frame = write();
    for (int length = 0; length < 70; length++) {
      assertThat(dissect(Arrays.copyOf(frame, length), frame.length))
          .as("cut at %s", length)
          .isEqualTo(new Frame.Other(1, 5, FrameFate.TRUNCATED));
    }
  }

  @Test
  void dissect_udpLengthTooShortForHeaders_isMalformed() {
    byte[] frame = write();
    frame[38] = 0;
    frame[39] = 30;

    assertThat(dissect(frame)).isEqualTo(new Frame.Other(1, 5, FrameFate.MALFORMED));
  }

  @Test
  void dissect_fragment_isNoPacket() {
    byte[] frame = write();
    frame[20] = 0x20;

    assertThat(dissect(frame)).isEqualTo(new Frame.Other(1, 5, FrameFate.FRAGMENT));
  }

  @Test
  void dissect_unknownLinkType_isCounted() {
    assertThat(DISSECTOR.dissect(new RawFrame(1, 5, 113, 3, new byte[3], 0)))
        .isEqualTo(new Frame.Other(1, 5, FrameFate.UNKNOWN_LINK));
  }

  @Test
  void dissect_rocev2InIpv6WithExtensionHeader_namesHostsByRfc5952() {
    byte[] inner = write();
    int transport = inner.length - 34;
    ByteBuffer frame = ByteBuffer.allocate(14 + 40 + 8 + transport).order(ByteOrder.BIG_ENDIAN);
    frame.put(new byte[12]).putShort((short) 0x86dd);
    frame.putInt(0x6000_0000).putShort((short) (8 + transport)).put((byte) 0).put((byte) 64);
    frame.putLong(0x2001_0db8_0000_0000L).putLong(1).putLong(0xfe80_0000_0000_0000L).putLong(0x10);
    frame.put((byte) 17).put(new byte[7]);
    frame.put(inner, 34, transport);
    Frame.Rdma packet = (Frame.Rdma) dissect(frame.array());

    assertThat(packet.source()).isEqualTo("2001:db8::1");
    assertThat(packet.destination()).isEqualTo("fe80::10");
    assertThat(packet.destinationQp()).isEqualTo(0x11);
  }

  @Test
  void hostNames_groupsOfEveryShape_followRfc5952() {
    assertThat(HostNames.of(new int[8])).isEqualTo("::");
    assertThat(HostNames.of(new int[] {1, 0, 0, 2, 0, 0, 0, 3})).isEqualTo("1:0:0:2::3");
    assertThat(HostNames.of(new int[] {1, 0, 2, 3, 4, 5, 6, 7})).isEqualTo("1:0:2:3:4:5:6:7");
    assertThat(HostNames.of(new int[] {1, 2, 3, 4, 5, 6, 0, 0})).isEqualTo("1:2:3:4:5:6::");
    assertThat(HostNames.of(new int[] {0, 0, 0, 0, 0, 0xffff, 0x0a09, 1})).isEqualTo("10.9.0.1");
  }

  @Test
  void dissect_congestionNotification_isAPacketOfThatOpcode() {
    byte[] frame = CaptureBytes.roce("10.0.0.2", "10.0.0.1", 0x81, 0x11, 0, new byte[16]);

    assertThat(((Frame.Rdma) dissect(frame)).opcode().code()).isEqualTo(0x81);
  }
}
