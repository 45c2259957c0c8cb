package org.mrcheck.check.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mrcheck.check.capture.CaptureBytes.Pcap;
import org.mrcheck.check.capture.ImportOptions.VerbsLog;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader.Completeness;
import org.mrcheck.lang.trace.WcStatus;
import org.mrcheck.lang.trace.text.TraceLine;
import org.mrcheck.lang.trace.text.TraceReader;
import org.mrcheck.lang.trace.text.TraceWriter;

class CaptureImporterTest {
  private static final String OWNER = "10.0.0.1";
  private static final String USER = "10.0.0.2";

  // ---- every recording

  @TestFactory
  Stream<DynamicTest> read_ownRecordings_everyFrameIsAccountedFor() {
    return TestCaptures.own().stream().map(CaptureImporterTest::accounted);
  }

  @TestFactory
  Stream<DynamicTest> read_publishedRecordings_everyFrameIsAccountedFor() {
    assumeTrue(
        !TestCaptures.published().isEmpty(),
        "SKIPPED: the recordings of other people are not beside the repository");
    return TestCaptures.published().stream().map(CaptureImporterTest::accounted);
  }

  private static DynamicTest accounted(Path capture) {
    return DynamicTest.dynamicTest(
        TestCaptures.base(capture),
        () -> {
          ImportedCapture imported =
              CaptureImporter.read(capture, TestCaptures.optionsFor(capture));
          assertAccounted(imported);
          assertThat(imported.report().count(FrameFate.UNPAIRED)).isZero();
          assertThat(imported.report().frames()).isPositive();
          assertThat(CaptureImporter.read(capture, TestCaptures.optionsFor(capture)))
              .isEqualTo(imported);
          assertReadsBack(imported);
        });
  }

  /** The trace as text says the same. */
  private static void assertReadsBack(ImportedCapture imported) throws Exception {
    List<String> warnings = new ArrayList<>();
    List<TraceEvent> events = new ArrayList<>();
    try (TraceReader reader =
        TraceReader.open(
            new ByteArrayInputStream(text(imported)),
            "test.mrtrace",
            warning -> warnings.add(warning.message()))) {
      for (TraceLine line = reader.next(); line != null; line = reader.next()) {
        events.add(line.event());
      }
      assertThat(reader.header()).isEqualTo(imported.header());
    }
    assertThat(events).isEqualTo(imported.events());
    assertThat(warnings).isEmpty();
  }

  private static byte[] text(ImportedCapture imported) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (TraceWriter writer = TraceWriter.to(out, imported.header())) {
      imported.writeTo(writer);
    }
    return out.toByteArray();
  }

  /** Frames, fates and events add up; events are numbered; every queue pair named is connected. */
  static void assertAccounted(ImportedCapture imported) {
    ImportReport report = imported.report();
    assertThat(report.fates().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(report.frames());
    long wire =
        report.count(EventName.RX)
            + report.count(EventName.TX)
            + report.count(EventName.ACK)
            + report.count(EventName.NAK);
    assertThat(wire).isEqualTo(report.count(FrameFate.EVENT));
    assertThat(report.events().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(imported.events().size());
    assertThat(imported.events().stream().mapToLong(event -> event.stamp().seq()).toArray())
        .isEqualTo(LongStream.rangeClosed(1, imported.events().size()).toArray());
    Set<String> acting =
        imported.events().stream()
            .map(event -> event.stamp().actor().host())
            .collect(Collectors.toSet());
    assertThat(imported.header().hosts().stream().map(host -> host.name()))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(acting);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nak-and-rnr", "user-space-peer", "window-lifecycle", "all-operations"})
  void read_recording_isTheGoldenTrace(String name) throws IOException {
    Path capture = TestCaptures.OWN.resolve(name + ".pcap");
    ImportedCapture imported = CaptureImporter.read(capture, TestCaptures.optionsFor(capture));
    String trace = new String(text(imported), StandardCharsets.UTF_8);
    String report = String.join("\n", imported.report().lines()) + "\n";

    assertGolden(name + ".mrtrace", trace);
    assertGolden(name + ".report.txt", report);
  }

  private static void assertGolden(String name, String text) throws IOException {
    Path golden = TestCaptures.OWN.resolveSibling("golden").resolve(name);
    if (Boolean.getBoolean("mrcheck.golden.update")) {
      Files.createDirectories(golden.getParent());
      Files.writeString(golden, text);
    }
    assertThat(text).isEqualTo(Files.readString(golden));
  }

  // ---- what the recordings of the Linux device hold

  private static ImportedCapture own(String file) throws IOException {
    Path capture = TestCaptures.OWN.resolve(file);
    return CaptureImporter.read(capture, TestCaptures.optionsFor(capture));
  }

  private static <E extends TraceEvent> List<E> all(ImportedCapture imported, Class<E> type) {
    return imported.events().stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  void read_nakAndRnr_hasTheAnswersOfTheInventory() throws IOException {
    ImportedCapture imported = own("nak-and-rnr.pcap");
    List<TraceEvent.Nak> naks = all(imported, TraceEvent.Nak.class);

    assertThat(naks.stream().filter(nak -> nak.syndrome().bits() == 0x62)).hasSize(10);
    assertThat(naks.stream().filter(nak -> nak.syndrome().bits() == 0x2e)).hasSize(17);
    assertThat(imported.header().completeness(EventClass.REGISTRATION, "10.9.0.1"))
        .contains(Completeness.COMPLETE);
    assertThat(imported.header().completeness(EventClass.REGISTRATION, "10.9.0.2")).isEmpty();
    assertThat(imported.header().completeness(EventClass.POSTING, "10.9.0.2"))
        .contains(Completeness.COMPLETE);
    assertThat(imported.header().completeness(EventClass.WIRE, "10.9.0.1"))
        .contains(Completeness.COMPLETE);
    assertThat(imported.header().completeness(EventClass.WIRE, "10.9.0.2"))
        .contains(Completeness.PARTIAL);
  }

  @Test
  void read_midDeregistration_refusalsLieBetweenCallAndReturn() throws IOException {
    ImportedCapture imported = own("mid-deregistration.pcap.gz");
    Map<Long, Integer> calls = new HashMap<>();
    int refusals = 0;
    long calling = 0;
    for (TraceEvent event : imported.events()) {
      if (event instanceof TraceEvent.DeregCall call) {
        calling = call.mr();
      } else if (event instanceof TraceEvent.DeregReturn done) {
        assertThat(done.mr()).isEqualTo(calling);
        calling = 0;
      } else if (event instanceof TraceEvent.Nak nak) {
        assertThat(nak.syndrome().bits()).isEqualTo(0x62);
        assertThat(calling).isNotZero();
        calls.merge(calling, 1, Integer::sum);
        refusals++;
      }
    }

    assertThat(refusals).isEqualTo(4);
    assertThat(calls).hasSize(4);
    assertThat(imported.report().count(EventName.POST)).isEqualTo(7);
    assertThat(imported.report().count(EventName.WC)).isEqualTo(7);
  }

  @Test
  void read_userSpacePeer_replayedAtomicReturnsTheSameOriginal() throws IOException {
    ImportedCapture imported = own("user-space-peer.pcap");

    assertThat(
            all(imported, TraceEvent.Tx.class).stream()
                .filter(tx -> tx.packet().original().isPresent())
                .map(tx -> tx.packet().psn() + "=" + tx.packet().original().getAsLong()))
        .containsExactly("1284=0", "1284=0");
    assertThat(imported.header().completeness(EventClass.REGISTRATION, "10.9.0.1")).isEmpty();
    assertThat(imported.report().badIcrc()).isEqualTo(1);
  }

  @Test
  void read_everyLogBesideARecording_postsPrecedeTheirPacketsAndCompletionsFollow()
      throws IOException {
    for (Path capture : TestCaptures.own()) {
      ImportedCapture imported = CaptureImporter.read(capture, TestCaptures.optionsFor(capture));
      Map<QueuePairId, Integer> outstanding = new HashMap<>();
      long arrived = 0;
      for (TraceEvent event : imported.events()) {
        if (event instanceof TraceEvent.Post post) {
          outstanding.merge(post.qp(), 1, Integer::sum);
        } else if (event instanceof TraceEvent.Wc wc
            && wc.stamp().actor().host().equals("10.9.0.2")) {
          assertThat(outstanding.merge(wc.qp(), -1, Integer::sum)).isNotNegative();
        } else if (event instanceof TraceEvent.Rx rx
            && imported.report().count(EventName.POST) > 0) {
          // The requester's queue pairs bear the responder's numbers in these recordings.
          assertThat(outstanding.getOrDefault(rx.qp(), 0)).isPositive();
          arrived++;
        }
      }
      assertThat(outstanding.values()).allMatch(left -> left == 0);
      assertThat(arrived)
          .isEqualTo(
              imported.report().count(EventName.POST) > 0
                  ? imported.report().count(EventName.RX)
                  : 0);
    }
  }

  @Test
  void read_failedPost_isWithdrawn() throws IOException {
    ImportedCapture imported = own("nak-and-rnr.pcap");

    assertThat(all(imported, TraceEvent.Post.class)).noneMatch(post -> post.wr() == 13);
    assertThat(imported.report().verbs().get(1).withdrawn()).isEqualTo(1);
    assertThat(
            all(imported, TraceEvent.Wc.class).stream()
                .filter(wc -> wc.status() == WcStatus.WR_FLUSH_ERR)
                .map(TraceEvent.Wc::wr))
        .containsExactly(3L);
  }

  @Test
  void read_sendWithInvalidate_isAnIntervalFromArrivalToAnswer() throws IOException {
    ImportedCapture imported = own("window-lifecycle.pcap");
    List<String> wire =
        imported.events().stream()
            .filter(event -> event.stamp().actor().role().equals("wire"))
            .filter(
                event ->
                    event instanceof TraceEvent.InvCall || event instanceof TraceEvent.InvReturn)
            .map(event -> event.name().text() + " " + event.stamp().frame())
            .toList();

    assertThat(wire)
        .containsExactly(
            "inv.call 30",
            "inv.return 31",
            "inv.call 44",
            "inv.return 45",
            "inv.call 56",
            "inv.return 57");
  }

  @Test
  void read_withoutMarks_knowsNothingOfRegistrations() throws IOException {
    Path capture = TestCaptures.OWN.resolve("nak-and-rnr.pcap");
    ImportedCapture imported = CaptureImporter.read(capture, ImportOptions.PACKETS_ONLY);

    assertThat(imported.report().count(EventName.REG)).isZero();
    assertThat(imported.header().completeness(EventClass.REGISTRATION, "10.9.0.1")).isEmpty();
    assertThat(imported.report().count(FrameFate.UNPAIRED)).isZero();
    assertThat(imported.report().count(EventName.NAK)).isEqualTo(27);
  }

  @Test
  void read_ownersLogWithoutMarks_leavesItsUnorderedLinesOut() throws IOException {
    Path capture = TestCaptures.OWN.resolve("nak-and-rnr.pcap");
    ImportedCapture imported =
        CaptureImporter.read(
            capture,
            new ImportOptions(OptionalInt.empty(), TestCaptures.optionsFor(capture).verbsLogs()));

    assertThat(imported.report().count(EventName.REG)).isZero();
    assertThat(imported.report().verbs().get(0).notMarked()).isEqualTo(34);
    assertThat(imported.report().count(EventName.POST)).isEqualTo(19);
    assertThat(imported.report().count(EventName.WC)).isEqualTo(19);
  }

  // ---- queue pairs

  private static ImportedCapture read(Pcap pcap) throws IOException {
    return read(pcap, new ImportOptions(OptionalInt.of(9999), List.of()));
  }

  private static ImportedCapture read(Pcap pcap, ImportOptions options) throws IOException {
    ImportedCapture imported =
        CaptureImporter.read(new ByteArrayInputStream(pcap.bytes()), "test.pcap", options);
    assertAccounted(imported);
    return imported;
  }

  private static byte[] write(int qp, int psn) {
    return write(qp, psn, 64);
  }

  private static byte[] write(int qp, int psn, long va) {
    return CaptureBytes.roce(USER, OWNER, 10, qp, psn, CaptureBytes.reth(va, 0x101, 4, 4));
  }

  private static byte[] answer(int qp, int psn, int syndrome) {
    return CaptureBytes.roce(OWNER, USER, 17, qp, psn, CaptureBytes.aeth(syndrome, 1));
  }

  private static byte[] queuePair(int number, int peer, int psn) {
    return CaptureBytes.mark(
        OWNER,
        USER,
        "qp " + number + " peer " + peer + " pd 1 acc 15 psn " + psn + " peer_psn 900");
  }

  private static List<String> wire(ImportedCapture imported) {
    List<String> shown = new ArrayList<>();
    for (TraceEvent event : imported.events()) {
      if (event instanceof TraceEvent.Rx rx) {
        shown.add("rx " + rx.qp() + " " + rx.packet().psn());
      } else if (event instanceof TraceEvent.Ack ack) {
        shown.add("ack " + ack.qp() + " " + ack.psn());
      } else if (event instanceof TraceEvent.Nak nak) {
        shown.add("nak " + nak.qp() + " " + nak.psn());
      } else if (event instanceof TraceEvent.Tx tx) {
        shown.add("tx " + tx.qp() + " " + tx.packet().psn());
      }
    }
    return shown;
  }

  @Test
  void read_numberUsedAgain_isTheNextIncarnationAndLatePacketsBelongToTheOld() throws IOException {
    ImportedCapture imported =
        read(
            Pcap.ethernet()
                .add(queuePair(0x11, 0x21, 100))
                .add(write(0x11, 100))
                .add(answer(0x21, 100, 0x1f))
                .add(queuePair(0x11, 0x21, 5_000_000))
                .add(write(0x11, 101))
                .add(write(0x11, 5_000_000))
                .add(answer(0x21, 5_000_000, 0x1f))
                .add(answer(0x21, 101, 0x62)));

    assertThat(wire(imported))
        .containsExactly(
            "rx 0x11.1 100",
            "ack 0x11.1 100",
            "rx 0x11.1 101",
            "rx 0x11.2 5000000",
            "ack 0x11.2 5000000",
            "nak 0x11.1 101");
    assertThat(imported.report().latePackets()).isEqualTo(2);
    assertThat(all(imported, TraceEvent.QpCreate.class))
        .extracting(event -> event.qp().toString())
        .containsExactly("0x11.1", "0x11.2");
  }

  @Test
  void read_newConnectionWithPsnsOfTheOld_keepsItsPackets() throws IOException {
    Pcap pcap = Pcap.ethernet().add(queuePair(0x11, 0x21, 100));
    for (int psn = 100; psn < 110; psn++) {
      pcap.add(write(0x11, psn));
    }
    pcap.add(queuePair(0x11, 0x21, 105));
    for (int psn = 104; psn < 115; psn++) {
      pcap.add(write(0x11, psn));
    }
    List<String> wire = wire(read(pcap));

    assertThat(wire.subList(0, 10)).allMatch(event -> event.startsWith("rx 0x11.1"));
    assertThat(wire.get(10)).isEqualTo("rx 0x11.1 104");
    assertThat(wire.subList(11, 21)).allMatch(event -> event.startsWith("rx 0x11.2"));
  }

  @Test
  void read_packetsBeforeTheFirstMark_belongToAnEarlierIncarnation() throws IOException {
    ImportedCapture imported =
        read(
            Pcap.ethernet()
                .add(write(0x11, 7))
                .add(answer(0x21, 7, 0x1f))
                .add(queuePair(0x11, 0x21, 100))
                .add(write(0x11, 100)));

    assertThat(wire(imported)).containsExactly("rx 0x11.1 7", "ack 0x11.1 7", "rx 0x11.2 100");
  }

  @Test
  void read_noMarks_pairsByPsn() throws IOException {
    ImportedCapture imported =
        read(
            Pcap.ethernet()
                .add(write(0x11, 100))
                .add(write(0x12, 200))
                .add(write(0x12, 201))
                .add(answer(0x22, 201, 0x1f))
                .add(answer(0x21, 100, 0x1f)));

    assertThat(wire(imported)).endsWith("ack 0x12.1 201", "ack 0x11.1 100");
    assertThat(
            all(imported, TraceEvent.QpConnect.class).stream()
                .map(event -> event.qp() + "-" + event.peer().orElseThrow()))
        .containsExactly(
            "0x11.1-10.0.0.2/0x21.1",
            "0x21.1-10.0.0.1/0x11.1",
            "0x12.1-10.0.0.2/0x22.1",
            "0x22.1-10.0.0.1/0x12.1");
    assertThat(imported.report().paired()).isEqualTo(Map.of("matching PSNs", 4L));
  }

  @Test
  void read_twoPossibleResponders_staysUnpairedAndIsCounted() throws IOException {
    ImportedCapture imported =
        read(
            Pcap.ethernet()
                .add(write(0x11, 100))
                .add(write(0x12, 100))
                .add(answer(0x21, 100, 0x1f))
                .add(answer(0x22, 100, 0x1f)));

    assertThat(wire(imported)).containsExactly("rx 0x11.1 100", "rx 0x12.1 100");
    assertThat(imported.report().count(FrameFate.UNPAIRED)).isEqualTo(2);
    assertThat(imported.report().unpaired()).hasSize(4);
    assertThat(imported.report().toString()).contains("response of an unknown queue pair");
  }

  @Test
  void read_answersOnly_areCountedAsUnpaired() throws IOException {
    ImportedCapture imported = read(Pcap.ethernet().add(answer(0x21, 100, 0x1f)));

    assertThat(imported.events()).isEmpty();
    assertThat(imported.report().count(FrameFate.UNPAIRED)).isEqualTo(1);
  }

  @Test
  void read_marksOfBothEnds_areOneConnection() throws IOException {
    byte[] other = CaptureBytes.mark(USER, OWNER, "qp 33 peer 17 pd 1 acc 15 psn 900 peer_psn 100");
    ImportedCapture imported =
        read(
            Pcap.ethernet()
                .add(queuePair(17, 33, 100))
                .add(other)
                .add(write(17, 100))
                .add(answer(33, 100, 0x1f)));

    assertThat(imported.report().queuePairs()).isEqualTo(2);
    assertThat(all(imported, TraceEvent.QpConnect.class)).hasSize(2);
    assertThat(wire(imported)).containsExactly("rx 0x11.1 100", "ack 0x11.1 100");
  }

  @Test
  void read_psnGapAndRepetition_areCounted() throws IOException {
    ImportedCapture imported =
        read(
            Pcap.ethernet()
                .add(write(0x11, 0xff_fffe))
                .add(write(0x11, 0xff_ffff))
                .add(write(0x11, 2))
                .add(write(0x11, 0)));

    assertThat(imported.report().psnGaps()).isEqualTo(1);
    assertThat(imported.report().missingPackets()).isEqualTo(2);
    assertThat(imported.report().repeatedPackets()).isEqualTo(1);
  }

  @Test
  void read_connectionManagement_givesPsnsMtuAndPeers() throws IOException {
    ImportedCapture imported = own("rping-3000.pcap");
    List<TraceEvent.QpConnect> connects = all(imported, TraceEvent.QpConnect.class);

    assertThat(connects).hasSize(2);
    assertThat(connects.get(0).receivePsn()).hasValue(15439403);
    assertThat(connects.get(0).sendPsn()).hasValue(6206287);
    assertThat(connects.get(0).mtu()).hasValue(1024);
    assertThat(connects.get(0).stamp().actor().host()).isEqualTo("10.9.0.1");
    assertThat(imported.report().count(FrameFate.CONNECTION_MANAGEMENT)).isEqualTo(5);
  }

  // ---- marks and logs

  @Test
  void read_marksOfEveryKind_becomeEvents() throws IOException {
    Pcap pcap = Pcap.ethernet().add(queuePair(0x11, 0x21, 100));
    for (String line :
        List.of(
            "mr_reg A pd 1 va 0xfffffffffffff000 len 4096 lkey 0x101 rkey 0x101 acc 15",
            "mr_reg L pd 1 va 0 len 4096 lkey 0x202 rkey 0x0 acc 1",
            "mw_bind_post w mr A pd 1 va 0 len 1 rkey 0x301 acc 6 type 2 qp 0x11",
            "mw_bind_wc w rkey 0x301 status 6",
            "local_inv_post rkey 0x301",
            "local_inv_wc rkey 0x301 status 0",
            "mr_dereg_call A rkey 0x101",
            "mr_dereg_return A rkey 0x101",
            "mr_dereg_call Z rkey 0x999",
            "mr_reg bad pd 1 va zzz len 1 rkey 1 acc 1",
            "mr_reg big pd 1 va 0 len 1 rkey 0x1ffffffff acc 1",
            "a line of another program")) {
      pcap.add(CaptureBytes.mark(OWNER, USER, line));
    }
    ImportedCapture imported = read(pcap);

    assertThat(imported.events().stream().map(event -> event.name().text()))
        .containsExactly(
            "qp.create",
            "qp.connect",
            "reg",
            "reg",
            "bind.call",
            "bind.return",
            "inv.call",
            "inv.return",
            "dereg.call",
            "dereg.return",
            "dereg.call");
    assertThat(imported.report().count(FrameFate.UNKNOWN_MARK)).isEqualTo(3);
    assertThat(imported.report().unknownMarks().get(2)).endsWith("a line of another program");
    TraceEvent.BindCall bind = all(imported, TraceEvent.BindCall.class).get(0);
    assertThat(bind.mr()).isEqualTo(1);
    assertThat(bind.mw()).isEqualTo(3);
    assertThat(bind.qp()).contains(new QueuePairId(0x11, 1));
    assertThat(all(imported, TraceEvent.BindReturn.class).get(0).status())
        .isEqualTo(TraceEvent.CallStatus.ERROR);
    assertThat(all(imported, TraceEvent.DeregCall.class).get(1).mr()).isEqualTo(4);
  }

  @Test
  void read_markLostInTheCapture_makesRegistrationPartial(@TempDir Path folder) throws IOException {
    Path log = folder.resolve("owner.log");
    Files.writeString(
        log,
        """
        1 mr_reg A pd 1 va 0 len 64 lkey 0x101 rkey 0x101 acc 15
        2 mr_reg B pd 1 va 0 len 64 lkey 0x201 rkey 0x201 acc 15
        """);
    Pcap pcap =
        Pcap.ethernet()
            .add(
                CaptureBytes.mark(
                    OWNER, USER, "mr_reg A pd 1 va 0 len 64 lkey 0x101 rkey 0x101 acc 15"));
    ImportedCapture imported =
        read(
            pcap,
            new ImportOptions(
                OptionalInt.of(9999), List.of(new VerbsLog(log, Optional.of(OWNER)))));

    assertThat(imported.header().completeness(EventClass.REGISTRATION, OWNER))
        .contains(Completeness.PARTIAL);
    assertThat(imported.report().warnings())
        .anyMatch(warning -> warning.contains("marks were lost"));
    assertThat(imported.report().count(EventName.REG)).isEqualTo(1);
  }

  @Test
  void read_logOfUnknownHost_isLeftOutWithAWarning(@TempDir Path folder) throws IOException {
    Path log = folder.resolve("some.log");
    Files.writeString(log, "1 post 1 W x va 0x0 rkey 0x1 len 1\n");
    ImportedCapture imported =
        read(
            Pcap.ethernet().add(write(0x11, 1)),
            new ImportOptions(OptionalInt.empty(), List.of(VerbsLog.parse(log.toString()))));

    assertThat(imported.report().warnings().get(0)).contains("some.log@HOST");
    assertThat(imported.report().count(EventName.POST)).isZero();
  }

  private static final String LOG =
      """
      gid index 1 0000:0000:0000:0000:0000:ffff:0a00:0002
      5 QP 0x21 -> 0x11
      9 post 1 W first va 0x40 rkey 0x101 len 4
      8 post 2 W second va 0x80 rkey 0x101 len 4
      7 post 3 W third, never sent va 0xc0 rkey 0x101 len 4
      6 wc (1, 0, 1, 0, 4)
      5 wc (2, 10, 0, 0, 0)
      4 wc (3, 5, 0, 0, 0)
      """;

  @Test
  void read_pipelinedPosts_arePlacedByCausalityWhateverTheirTimesSay(@TempDir Path folder)
      throws IOException {
    Path log = folder.resolve("user.log");
    Files.writeString(log, LOG);
    ImportedCapture imported =
        read(
            Pcap.ethernet()
                .add(queuePair(0x11, 0x21, 100))
                .add(write(0x11, 100, 0x40))
                .add(write(0x11, 101, 0x80))
                .add(answer(0x21, 101, 0x62)),
            new ImportOptions(OptionalInt.of(9999), List.of(VerbsLog.parse(log.toString()))));

    assertThat(order(imported))
        .containsExactly(
            "post 1", "rx 100", "post 2", "post 3", "rx 101", "nak 101", "wc 1", "wc 2", "wc 3");
    assertThat(imported.report().verbs().get(0).conflicts()).isZero();
    assertThat(imported.report().verbs().get(0).notTransmitted()).isEqualTo(1);
    assertThat(imported.header().completeness(EventClass.POSTING, USER))
        .contains(Completeness.COMPLETE);
  }

  @Test
  void read_answerNotCaptured_completionFollowsThePacketsAndPostingIsPartial(@TempDir Path folder)
      throws IOException {
    Path log = folder.resolve("user.log");
    Files.writeString(log, LOG);
    ImportedCapture imported =
        read(
            Pcap.ethernet()
                .add(queuePair(0x11, 0x21, 100))
                .add(write(0x11, 100, 0x40))
                .add(answer(0x21, 100, 0x1f)),
            new ImportOptions(OptionalInt.of(9999), List.of(VerbsLog.parse(log.toString()))));

    assertThat(order(imported))
        .containsExactly("post 1", "post 2", "post 3", "rx 100", "ack 100", "wc 1", "wc 2", "wc 3");
    assertThat(imported.header().completeness(EventClass.POSTING, USER))
        .contains(Completeness.PARTIAL);
  }

  private static List<String> order(ImportedCapture imported) {
    List<String> shown = new ArrayList<>();
    for (TraceEvent event : imported.events()) {
      if (event instanceof TraceEvent.Post post) {
        shown.add("post " + post.wr());
      } else if (event instanceof TraceEvent.Wc wc) {
        shown.add("wc " + wc.wr());
      } else if (event instanceof TraceEvent.Rx rx) {
        shown.add("rx " + rx.packet().psn());
      } else if (event instanceof TraceEvent.Ack ack) {
        shown.add("ack " + ack.psn());
      } else if (event instanceof TraceEvent.Nak nak) {
        shown.add("nak " + nak.psn());
      }
    }
    return shown;
  }

  @Test
  void read_directory_isAProblem(@TempDir Path folder) {
    assertThatThrownBy(() -> CaptureImporter.read(folder, ImportOptions.PACKETS_ONLY))
        .isInstanceOf(CaptureFormatException.class)
        .hasMessageContaining("this is a directory");
  }

  @Test
  void parse_verbsOption_takesTheHostBehindTheSign() {
    assertThat(VerbsLog.parse("a/b.log@10.9.0.2"))
        .isEqualTo(new VerbsLog(Path.of("a/b.log"), Optional.of("10.9.0.2")));
    assertThat(VerbsLog.parse("me@home/b.log"))
        .isEqualTo(new VerbsLog(Path.of("me@home/b.log"), Optional.empty()));
    assertThat(VerbsLog.parse("b.log")).isEqualTo(new VerbsLog(Path.of("b.log"), Optional.empty()));
  }
}
