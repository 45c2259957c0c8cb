package org.mrcheck.rnic.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.WcStatus;
import org.mrcheck.rnic.CompletionQueue;
import org.mrcheck.rnic.Connection;
import org.mrcheck.rnic.MemoryRegion;
import org.mrcheck.rnic.ProtectionDomain;
import org.mrcheck.rnic.QueuePair;
import org.mrcheck.rnic.RnicConfig;
import org.mrcheck.rnic.SoftRnic;
import org.mrcheck.rnic.TraceRecording;
import org.mrcheck.rnic.Wire;
import org.mrcheck.rnic.WorkRequest;
import org.mrcheck.rnic.workload.Workload;
import org.mrcheck.rnic.workload.WorkloadOptions;
import org.mrcheck.rnic.workload.WorkloadSummary;

class RoceCaptureTest {
  @TempDir private Path folder;

  /** One line for each frame: from and to whom, and what. */
  private static List<String> lines(Path file) throws Exception {
    List<String> lines = new ArrayList<>();
    for (PcapngBlocks.Block packet : PcapngBlocks.packets(file)) {
      byte[] frame = packet.frame();
      ByteBuffer bytes = ByteBuffer.wrap(frame);
      String way = frame[29] + ">" + frame[33] + " ";
      if (bytes.getShort(36) == 4791) {
        assertThat(Integer.reverseBytes(bytes.getInt(frame.length - 4)))
            .isEqualTo(RoceFrame.icrc(frame, frame.length));
        Opcode opcode = new Opcode(frame[42] & 0xff);
        lines.add(
            way
                + "qp 0x%x %s psn %d"
                    .formatted(bytes.getInt(46), opcode, bytes.getInt(50) << 8 >>> 8)
                + (opcode.isAcknowledge() ? " 0x%02x".formatted(frame[54]) : ""));
      } else {
        assertThat(bytes.getShort(36)).isEqualTo((short) RoceCapture.MARKS_PORT);
        lines.add(way + new String(frame, 42, frame.length - 42, StandardCharsets.US_ASCII));
      }
    }
    return lines;
  }

  @Test
  void capture_writeReadAndStaleKey_isTheConversationWithItsMarks() throws Exception {
    Path file = folder.resolve("a.pcapng");
    try (RoceCapture capture = RoceCapture.toFile(file, "test", List.of("a", "b"))) {
      Wire wire = new Wire(capture);
      try (SoftRnic a = SoftRnic.open(RnicConfig.forHost("a"), wire);
          SoftRnic b = SoftRnic.open(RnicConfig.forHost("b"), wire)) {
        ProtectionDomain pdA = a.allocateProtectionDomain();
        ProtectionDomain pdB = b.allocateProtectionDomain();
        CompletionQueue completions = a.createCompletionQueue();
        QueuePair qpA = a.createQueuePair(pdA, completions, AccessFlags.NONE);
        QueuePair qpB =
            b.createQueuePair(
                pdB,
                b.createCompletionQueue(),
                AccessFlags.of(Flag.REMOTE_WRITE, Flag.REMOTE_READ));
        qpB.connect(new Connection(qpA.address(), 100, 500, 256));
        qpA.connect(new Connection(qpB.address(), 500, 100, 256));
        AccessFlags rights = AccessFlags.of(Flag.LOCAL_WRITE, Flag.REMOTE_WRITE, Flag.REMOTE_READ);
        MemoryRegion local = pdA.register(ByteBuffer.allocate(600), 0x1000, rights);
        MemoryRegion target = pdB.register(ByteBuffer.allocate(600), -600, rights);
        WorkRequest write =
            new WorkRequest.RdmaWrite(1, local.lkey(), 0x1000, 515, target.rkey(), -600);
        assertThat(execute(qpA, completions, write)).isEqualTo(WcStatus.SUCCESS);
        WorkRequest read =
            new WorkRequest.RdmaRead(2, local.lkey(), 0x1000, 515, target.rkey(), -600);
        assertThat(execute(qpA, completions, read)).isEqualTo(WcStatus.SUCCESS);
        target.deregister();
        assertThat(execute(qpA, completions, read)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        local.deregister();
      }
      assertThat(capture.packets()).isEqualTo(10);
      assertThat(capture.marks()).isEqualTo(8);
    }

    List<String> lines = lines(file);
    String keyA = word(lines.get(2), "rkey");
    String keyB = word(lines.get(3), "rkey");
    String qpA = word(lines.get(1), "qp");
    String qpB = word(lines.get(0), "qp");
    assertThat(lines)
        .containsExactly(
            "2>1 qp " + qpB + " peer " + qpA + " pd 1 acc 6 psn 0x1f4 peer_psn 0x64 mtu 256",
            "1>2 qp " + qpA + " peer " + qpB + " pd 1 acc 0 psn 0x64 peer_psn 0x1f4 mtu 256",
            "1>2 mr_reg mr1 pd 1 va 0x1000 len 600 lkey %s rkey %s acc 7".formatted(keyA, keyA),
            "2>1 mr_reg mr1 pd 1 va 0xfffffffffffffda8 len 600 lkey %s rkey %s acc 7"
                .formatted(keyB, keyB),
            "1>2 qp " + qpB + " RC_RDMA_WRITE_FIRST psn 500",
            "1>2 qp " + qpB + " RC_RDMA_WRITE_MIDDLE psn 501",
            "1>2 qp " + qpB + " RC_RDMA_WRITE_LAST psn 502",
            "2>1 qp " + qpA + " RC_ACKNOWLEDGE psn 502 0x1f",
            "1>2 qp " + qpB + " RC_RDMA_READ_REQUEST psn 503",
            "2>1 qp " + qpA + " RC_RDMA_READ_RESPONSE_FIRST psn 503",
            "2>1 qp " + qpA + " RC_RDMA_READ_RESPONSE_MIDDLE psn 504",
            "2>1 qp " + qpA + " RC_RDMA_READ_RESPONSE_LAST psn 505",
            "2>1 mr_dereg_call mr1 rkey " + keyB,
            "2>1 mr_dereg_return mr1 rkey " + keyB,
            "1>2 qp " + qpB + " RC_RDMA_READ_REQUEST psn 506",
            "2>1 qp " + qpA + " RC_ACKNOWLEDGE psn 506 0x62",
            "1>2 mr_dereg_call mr1 rkey " + keyA,
            "1>2 mr_dereg_return mr1 rkey " + keyA);
  }

  private static WcStatus execute(QueuePair qp, CompletionQueue completions, WorkRequest request)
      throws InterruptedException {
    qp.post(request);
    return completions.poll(Duration.ofSeconds(20)).orElseThrow().status();
  }

  private static String word(String line, String name) {
    String[] words = line.split(" ");
    return words[List.of(words).indexOf(name) + 1];
  }

  @Test
  void toFile_comment_tellsWhichHostHasWhichAddress() throws Exception {
    Path file = folder.resolve("a.pcapng");
    RoceCapture.toFile(file, "three hosts", List.of("x", "y", "z")).close();

    byte[] comment = PcapngBlocks.read(file).get(0).options(16).get(1);
    assertThat(new String(comment, StandardCharsets.UTF_8))
        .isEqualTo(
            "three hosts; 192.0.2.1 is x, 192.0.2.2 is y, 192.0.2.3 is z;"
                + " marks are datagrams to UDP port 9999");
  }

  @Test
  void toFile_hostsTwiceOrNone_isRejected() {
    Path file = folder.resolve("a.pcapng");
    assertThatThrownBy(() -> RoceCapture.toFile(file, "", List.of("x", "x")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RoceCapture.toFile(file, "", List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** One connection at a time, so that PSNs alone tell which request an answer belongs to. */
  @Test
  void capture_midDeregOnOneConnection_noAnswerStandsBeforeItsRequest() throws Exception {
    Path file = folder.resolve("a.pcapng");
    WorkloadOptions options =
        WorkloadOptions.of(1, Duration.ofSeconds(60), 7).withMaxOperations(500);
    WorkloadSummary summary;
    long packets;
    try (RoceCapture capture = Workload.MID_DEREG.capture(options, file)) {
      summary = Workload.MID_DEREG.run(options, TraceRecording.off(), capture);
      packets = capture.packets();
    }

    long furthest = -1;
    long answers = 0;
    long acknowledgements = 0;
    long requests = 0;
    for (String line : lines(file)) {
      if (line.startsWith("1>2 qp ") && line.contains(" peer ")) {
        // A new connection.
        furthest = Long.decode(word(line, "peer_psn")) - 1;
      } else if (line.startsWith("1>2 qp ")) {
        requests++;
        long psn = Long.parseLong(word(line, "psn"));
        furthest = later(psn, furthest) ? psn : furthest;
      } else if (line.contains("RC_ACKNOWLEDGE")) {
        answers++;
        if (line.endsWith(" 0x1f")) {
          acknowledgements++;
          assertThat(later(Long.parseLong(word(line, "psn")), furthest)).isFalse();
        }
      } else if (line.contains("RESPONSE")) {
        answers++;
      }
    }
    assertThat(requests + answers).isEqualTo(packets);
    assertThat(acknowledgements).isGreaterThan(100);
    assertThat(summary.operations()).isGreaterThanOrEqualTo(500);
  }

  /**
   * ACKs of requests behind a READ name PSNs behind the READ's responses, all of them requested.
   */
  private static boolean later(long psn, long than) {
    long ahead = psn - than & 0xff_ffff;
    return ahead != 0 && ahead < 0x80_0000;
  }
}
