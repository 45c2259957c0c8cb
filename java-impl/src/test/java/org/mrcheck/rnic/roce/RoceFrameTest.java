package org.mrcheck.rnic.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.rnic.roce.RoceFrame.Route;

class RoceFrameTest {
  private static final Station A = new Station(0x5254_0000_0001L, 0x0a09_0001);
  private static final Station B = new Station(0x5254_0000_0002L, 0x0a09_0002);
  private static final int PORT = 49441;

  /** Frames that Linux's Soft-RoCE sent, and what they say. */
  private enum LinuxFrame {
    WRITE_ONLY(
        new Route(B, A, PORT, 0x4a7f),
        "52540000000152540000000208004500007c4a7f40004011dbdd0a0900020a090001c12112b7006800000a00ffff"
            + "0000001180abc333000000001ad57000000003ce00000040"
            + "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
            + "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f9397541b",
        Packet.plain(new Opcode(10), 0xabc333, true, 64).withAccess(access(0x1ad57000, 64)),
        counting(64)),
    ACKNOWLEDGE(
        new Route(A, B, PORT, 0xe63c),
        "525400000002525400000001080045000030e63c40004011406c0a0900010a090002c12112b7001c00001100ffff"
            + "0000001100abc3331f000001c12e7bad",
        Packet.plain(Opcode.RC_ACKNOWLEDGE, 0xabc333, false, 0).withAeth(new Syndrome(0x1f), 1),
        new byte[0]),
    READ_REQUEST(
        new Route(B, A, PORT, 0x4a85),
        "52540000000152540000000208004500003c4a8540004011dc170a0900020a090001c12112b7002800000c00ffff"
            + "0000001180abc338000000001ad57064000003ce00000bb8990af473",
        Packet.plain(Opcode.RC_READ_REQUEST, 0xabc338, true, 0)
            .withAccess(access(0x1ad57064, 3000)),
        new byte[0]),
    READ_RESPONSE_ONLY(
        new Route(A, B, PORT, 0xe64d),
        "525400000002525400000001080045000038e64d4000401140530a0900010a090002c12112b7002400001000ffff"
            + "0000001100abc33b1f0000040001020304050607b22abed6",
        Packet.plain(Opcode.RC_READ_RESPONSE_ONLY, 0xabc33b, false, 8)
            .withAeth(new Syndrome(0x1f), 4),
        counting(8)),
    FETCH_ADD(
        new Route(B, A, PORT, 0x4a8e),
        "5254000000015254000000020800450000484a8e40004011dc020a0900020a090001c12112b7003400001400ffff"
            + "0000001180abc33c000000001ad57040000003ce00000000000000050000000000000000cfe684a2",
        atomic(Opcode.RC_FETCH_ADD, 0xabc33c, 5, 0),
        new byte[0]),
    COMPARE_SWAP(
        new Route(B, A, PORT, 0x4a90),
        "5254000000015254000000020800450000484a9040004011dc000a0900020a090001c12112b7003400001300ffff"
            + "0000001180abc33d000000001ad57040000003ce000000000000000900000000000000058a515376",
        atomic(Opcode.RC_COMPARE_SWAP, 0xabc33d, 9, 5),
        new byte[0]),
    ATOMIC_ACKNOWLEDGE(
        new Route(A, B, PORT, 0xe64f),
        "525400000002525400000001080045000038e64f4000401140510a0900010a090002c12112b7002400001200ffff"
            + "0000001100abc33c1f0000054746454443424140d22a93c9",
        new Packet(
            Opcode.RC_ATOMIC_ACKNOWLEDGE,
            0xabc33c,
            false,
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.of(new Syndrome(0x1f)),
            OptionalInt.of(5),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.of(0x4746454443424140L),
            Icrc.UNCHECKED),
        new byte[0]),
    SEND_ONLY_WITH_INVALIDATE(
        new Route(B, A, PORT, 0x3d26),
        "5254000000015254000000020800450000603d2640004011e9520a0900020a090001c12112b7004c00001700ffff"
            + "0000001180abc33508000147"
            + "e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff18191a1b1c1d1e1f202122232425262728292a2b"
            + "2c2d2e2f05fe755d",
        invalidate(0xabc335, 0x8000147, 48),
        hex(
            "e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
                + "18191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f"));

    private final Route route;
    private final byte[] bytes;
    private final Packet packet;
    private final byte[] payload;

    LinuxFrame(Route route, String bytes, Packet packet, byte[] payload) {
      this.route = route;
      this.bytes = hex(bytes);
      this.packet = packet;
      this.payload = payload;
    }
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  private static byte[] counting(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  private static RemoteAccess access(long va, long length) {
    return new RemoteAccess(new MemoryKey(0x3ce), va, length);
  }

  private static Packet atomic(Opcode opcode, int psn, long swap, long compare) {
    return new Packet(
        opcode,
        psn,
        true,
        0,
        Optional.of(access(0x1ad57040, 8)),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        OptionalLong.of(compare),
        OptionalLong.of(swap),
        OptionalLong.empty(),
        Icrc.UNCHECKED);
  }

  private static Packet invalidate(int psn, int key, int payload) {
    return new Packet(
        new Opcode(0x17),
        psn,
        true,
        payload,
        Optional.empty(),
        Optional.of(new MemoryKey(key)),
        Optional.empty(),
        OptionalInt.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        Icrc.UNCHECKED);
  }

  @ParameterizedTest
  @EnumSource
  void encode_whatLinuxSent_isTheSameByteForByte(LinuxFrame frame) {
    byte[] encoded = RoceFrame.encode(frame.route, 0x11, frame.packet, 0, frame.payload);

    assertThat(HexFormat.of().formatHex(encoded)).isEqualTo(HexFormat.of().formatHex(frame.bytes));
  }

  @ParameterizedTest
  @EnumSource
  void icrc_whatLinuxSent_isTheStoredOne(LinuxFrame frame) {
    assertThat(RoceFrame.icrc(frame.bytes, frame.bytes.length)).isEqualTo(stored(frame.bytes));
  }

  @Test
  void icrc_whatRoutersChange_doesNotMatterAndTheRestDoes() {
    byte[] frame = LinuxFrame.WRITE_ONLY.bytes;
    int right = stored(frame);
    List<Integer> without = new ArrayList<>();
    for (int at = 14; at < frame.length - 4; at++) {
      byte[] changed = frame.clone();
      changed[at] ^= 0x10;
      if (RoceFrame.icrc(changed, changed.length) == right) {
        without.add(at);
      }
    }
    // Type of service, time to live, IPv4 and UDP checksum, fifth byte of the BTH.
    assertThat(without).containsExactly(15, 22, 24, 25, 40, 41, 46);
  }

  private static int stored(byte[] frame) {
    return ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getInt(frame.length - 4);
  }

  @Test
  void encode_everyKindOfFrame_hasTheGoldenBytes() throws IOException {
    Route out = new Route(Station.documentation(1), Station.documentation(2), 0xc123, 0);
    Route back = new Route(Station.documentation(2), Station.documentation(1), 0xc123, 0);
    RemoteAccess access = new RemoteAccess(new MemoryKey(0x12ab), 0x7f00_0000_1000L, 3000);
    Syndrome ack = new Syndrome(0x1f);
    StringBuilder text = new StringBuilder();
    for (int operation = 0; operation <= 0x17; operation++) {
      Opcode opcode = new Opcode(operation);
      if (operation == 0x15) {
        continue;
      }
      boolean empty =
          opcode.isAcknowledge()
              || opcode.isReadRequest()
              || opcode.isAtomicRequest()
              || opcode.equals(Opcode.RC_ATOMIC_ACKNOWLEDGE);
      byte[] payload = counting(empty ? 0 : 1 + operation % 4);
      boolean request = opcode.isRequest();
      Packet packet =
          new Packet(
              opcode,
              0xfffffe,
              opcode.endsMessage(),
              payload.length,
              opcode.hasReth() || opcode.isAtomicRequest() ? Optional.of(access) : Optional.empty(),
              opcode.hasIeth() ? Optional.of(new MemoryKey(0x34cd)) : Optional.empty(),
              opcode.hasAeth() ? Optional.of(ack) : Optional.empty(),
              opcode.hasAeth() ? OptionalInt.of(7) : OptionalInt.empty(),
              OptionalLong.of(0x1111),
              OptionalLong.of(0x2222),
              OptionalLong.of(0x3333),
              Icrc.UNCHECKED);
      byte[] frame = RoceFrame.encode(request ? out : back, 0x12, packet, 0xcafe, payload);
      text.append(opcode).append(' ').append(HexFormat.of().formatHex(frame)).append('\n');
    }
    for (Syndrome nak :
        List.of(
            Syndrome.PSN_SEQUENCE_ERROR,
            Syndrome.INVALID_REQUEST,
            Syndrome.REMOTE_ACCESS_ERROR,
            Syndrome.REMOTE_OPERATIONAL_ERROR)) {
      Packet packet = Packet.plain(Opcode.RC_ACKNOWLEDGE, 5, false, 0).withAeth(nak, 7);
      byte[] frame = RoceFrame.encode(back, 0x12, packet, 0, new byte[0]);
      text.append(nak).append(' ').append(HexFormat.of().formatHex(frame)).append('\n');
    }
    byte[] mark =
        RoceFrame.datagram(
            new Route(Station.documentation(1), Station.documentation(2), 9999, 0),
            9999,
            "mr_dereg_call mr3 rkey 0x102".getBytes(StandardCharsets.US_ASCII));
    text.append("mark ").append(HexFormat.of().formatHex(mark)).append('\n');

    Path golden =
        Path.of(System.getProperty("mrcheck.root", ".."))
            .resolve("java-impl/src/test/resources/golden/roce-frames.txt");
    if (Boolean.getBoolean("mrcheck.golden.update")) {
      Files.createDirectories(golden.getParent());
      Files.writeString(golden, text);
    }
    assertThat(golden).as("golden file; -Dmrcheck.golden.update=true writes it").exists();
    assertThat(text.toString()).isEqualTo(Files.readString(golden));
  }

  @Property(tries = 200)
  void encode_anyPayload_isPaddedToFourBytesWithLengthsThatAgree(
      @ForAll @IntRange(max = 4096) int length) {
    Packet packet = Packet.plain(Opcode.RC_WRITE_MIDDLE, 1, false, length);

    byte[] frame =
        RoceFrame.encode(
            new Route(Station.documentation(1), Station.documentation(2), 0xc000, 0),
            0x12,
            packet,
            0,
            counting(length));

    ByteBuffer bytes = ByteBuffer.wrap(frame);
    int pad = frame[43] >> 4 & 3;
    assertThat((length + pad) % 4).isZero();
    assertThat(frame).hasSize(14 + 20 + 8 + 12 + length + pad + 4);
    assertThat(bytes.getShort(16)).isEqualTo((short) (frame.length - 14));
    assertThat(bytes.getShort(38)).isEqualTo((short) (frame.length - 34));
    assertThat(stored(frame)).isEqualTo(RoceFrame.icrc(frame, frame.length));
  }

  @Test
  void encode_packetWithoutWhatItsOpcodeNeeds_isRejected() {
    Route route = LinuxFrame.WRITE_ONLY.route;
    byte[] none = {};
    Packet write = Packet.plain(Opcode.RC_WRITE_ONLY, 1, true, 0);
    assertThatThrownBy(() -> RoceFrame.encode(route, 1, write, 0, none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("access");
    Packet ack = Packet.plain(Opcode.RC_ACKNOWLEDGE, 1, false, 0);
    assertThatThrownBy(() -> RoceFrame.encode(route, 1, ack, 0, none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("syndrome");
    Packet datagram = Packet.plain(new Opcode(0x64), 1, false, 0);
    assertThatThrownBy(() -> RoceFrame.encode(route, 1, datagram, 0, none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("transport");
    Packet longer = Packet.plain(Opcode.RC_SEND_ONLY, 1, false, 1);
    assertThatThrownBy(() -> RoceFrame.encode(route, 1, longer, 0, none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("payload");
    assertThatThrownBy(() -> RoceFrame.encode(route, 1 << 24, ack, 0, none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("destinationQp");
  }

  // ---- recordings of Linux's Soft-RoCE beside the repository

  /** Every whole RoCEv2 frame of the plain captures: the stored CRC is the computed one. */
  @Test
  void icrc_everyRecordedFrame_isTheStoredOneUnlessSentWrong() throws IOException {
    Path folder =
        Path.of(System.getProperty("mrcheck.root", ".."))
            .resolve("../shared/captures/rxe")
            .normalize();
    assumeTrue(
        Files.isDirectory(folder), "SKIPPED: no recordings of Soft-RoCE beside the repository");
    Map<String, Integer> wrong = new HashMap<>();
    int checked = 0;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".pcap")).toList()) {
        for (byte[] frame : roceFrames(file)) {
          checked++;
          int length = 14 + ((frame[16] & 0xff) << 8 | frame[17] & 0xff);
          byte[] whole = Arrays.copyOf(frame, length);
          if (RoceFrame.icrc(whole, length) != stored(whole)) {
            wrong.merge(file.getFileName().toString(), 1, Integer::sum);
          }
        }
      }
    }
    assertThat(checked).isGreaterThan(2500);
    // The peer in user space sent one packet with a wrong CRC on purpose, which Linux ignored.
    assertThat(wrong).isEqualTo(Map.of("user-space-peer.pcap", 1));
  }

  /** The RoCEv2 frames of a little-endian pcap file. */
  private static List<byte[]> roceFrames(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.position(24);
    List<byte[]> frames = new ArrayList<>();
    while (bytes.remaining() >= 16) {
      bytes.position(bytes.position() + 8);
      byte[] frame = new byte[bytes.getInt()];
      bytes.position(bytes.position() + 4);
      bytes.get(frame);
      boolean ipv4 = frame.length > 42 && frame[12] == 8 && frame[13] == 0 && frame[14] == 0x45;
      if (ipv4 && frame[23] == 17 && ((frame[36] & 0xff) << 8 | frame[37] & 0xff) == 4791) {
        frames.add(frame);
      }
    }
    return frames;
  }
}
