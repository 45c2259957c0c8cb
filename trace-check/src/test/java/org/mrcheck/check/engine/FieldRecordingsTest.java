package org.mrcheck.check.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mrcheck.check.capture.CaptureImporter;
import org.mrcheck.check.capture.ImportOptions;
import org.mrcheck.check.capture.ImportOptions.VerbsLog;
import org.mrcheck.check.capture.ImportedCapture;
import org.mrcheck.check.report.ConsoleReport;
import org.mrcheck.check.report.RefusalText;
import org.mrcheck.check.verdict.BindingResult;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.ContractResult;
import org.mrcheck.check.verdict.RefusalReport.Justice;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.check.verdict.VerdictPolicy;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;

/** Recordings of real devices: no false alarm, and an alarm for every mutation. */
class FieldRecordingsTest {
  private static final Path ROOT = Path.of(System.getProperty("mrcheck.root", ".."));
  private static final Path OWN = ROOT.resolve("trace-check/src/test/resources/captures/rxe");
  private static final Path PUBLIC = ROOT.resolve("../shared/captures/public").normalize();
  private static final Path GOLDEN = ROOT.resolve("trace-check/src/test/resources/reports");

  static List<Path> captures() {
    List<Path> all = new ArrayList<>(in(OWN));
    all.addAll(Files.isDirectory(PUBLIC) ? in(PUBLIC) : List.of(PUBLIC));
    return all;
  }

  private static List<Path> in(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches(".*\\.pcap(ng)?(\\.gz)?"))
          .sorted()
          .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static ImportedCapture read(Path capture) throws IOException {
    String base = capture.getFileName().toString().replaceAll("\\.pcap(ng)?(\\.gz)?$", "");
    List<VerbsLog> logs = new ArrayList<>();
    for (String side : List.of("a", "b")) {
      Path log = capture.resolveSibling(base + ".verbs." + side + ".log");
      if (Files.exists(log)) {
        logs.add(VerbsLog.parse(log.toString()));
      }
    }
    return CaptureImporter.read(capture, new ImportOptions(OptionalInt.of(9999), logs));
  }

  private static ImportedCapture own(String file) throws IOException {
    return read(OWN.resolve(file));
  }

  private static CheckResult check(ImportedCapture capture, List<TraceEvent> events)
      throws Exception {
    return new TraceChecker(Contracts.bundled())
        .check(
            new ListTrace("field.mrtrace", capture.header(), events),
            CheckOptions.DEFAULT.withExplanations(0),
            CheckProgress.silent());
  }

  @ParameterizedTest
  @MethodSource("captures")
  void check_recordingOfARealDevice_findsNoViolation(Path file) throws Exception {
    assumeTrue(Files.isRegularFile(file), "not present: " + file);
    ImportedCapture capture = read(file);

    CheckResult result = check(capture, capture.events());

    assertThat(violated(result)).isEmpty();
    boolean answered =
        capture.events().stream()
            .anyMatch(event -> event instanceof TraceEvent.Ack || event instanceof TraceEvent.Nak);
    if (answered) {
      assertThat(result.counts().decided()).isPositive();
    }
    for (ContractResult contract : result.contracts()) {
      for (BindingResult binding : contract.bindings()) {
        long reasons = binding.reasons().values().stream().mapToLong(Long::longValue).sum();
        assertThat(reasons).isEqualTo(binding.counts().of(Verdict.Kind.INCONCLUSIVE));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "nak-and-rnr.pcap, dead",
    "nak-and-rnr.pcap, never",
    "nak-and-rnr.pcap, overrun",
    "nak-and-rnr.pcap, ack-0x62",
    "nak-and-rnr.pcap, ack-0x61",
    "nak-and-rnr.pcap, ack-0x60",
    "nak-and-rnr.pcap, 0x62-0x61",
    "nak-and-rnr.pcap, 0x62-ack"
  })
  void check_everyMutationOfOneKind_isAViolation(String file, String kind) throws Exception {
    ImportedCapture capture = own(file);
    List<String> missed = new ArrayList<>();
    Set<String> named = new TreeSet<>();
    int tried = 0;
    for (int index = 0; index < capture.events().size(); index++) {
      Optional<TraceEvent> mutant = mutate(capture.events(), index, kind);
      if (mutant.isPresent()) {
        tried++;
        List<TraceEvent> events = new ArrayList<>(capture.events());
        events.set(index, mutant.get());
        List<String> violated = violated(check(capture, events));
        named.addAll(violated);
        if (violated.isEmpty()) {
          missed.add(mutant.get().toString());
        }
      }
    }
    assertThat(tried).isPositive();
    assertThat(missed).as("of " + tried + " mutants, undetected").isEmpty();
    assertThat(named).contains(contractFor(kind));
  }

  @ParameterizedTest
  @CsvSource({"dead", "overrun", "ack-0x62", "ack-0x61", "ack-0x60", "0x62-0x61"})
  void check_mutationsOfMidDeregistration_areViolations(String kind) throws Exception {
    ImportedCapture capture = own("mid-deregistration.pcap.gz");
    int tried = 0;
    for (int index = 0; index < capture.events().size() && tried < 3; index++) {
      Optional<TraceEvent> mutant = mutate(capture.events(), index, kind);
      if (mutant.isPresent()) {
        List<TraceEvent> events = new ArrayList<>(capture.events());
        events.set(index, mutant.get());
        assertThat(violated(check(capture, events))).as(mutant.get().toString()).isNotEmpty();
        tried++;
      }
    }
    assertThat(tried).isPositive();
  }

  private static String contractFor(String kind) {
    return switch (kind) {
      case "ack-0x61", "0x62-0x61" -> "UmbrellaStatus";
      case "ack-0x60" -> "NakOnlyAtExpectedPsn";
      default -> "SoundCheck";
    };
  }

  private static Optional<TraceEvent> mutate(List<TraceEvent> events, int index, String kind) {
    TraceEvent event = events.get(index);
    return switch (kind) {
      case "dead" -> {
        // Deregistered in nak-and-rnr, never issued in mid-deregistration.
        MemoryKey dead = new MemoryKey(0x1011);
        yield accepted(events, index)
            .filter(rx -> !rx.packet().access().orElseThrow().key().equals(dead))
            .map(rx -> access(rx, dead, 0));
      }
      case "never" -> accepted(events, index).map(rx -> access(rx, new MemoryKey(0xabcdef01), 0));
      case "overrun" ->
          accepted(events, index)
              .filter(rx -> rx.packet().opcode().isReadRequest())
              .map(rx -> access(rx, rx.packet().access().orElseThrow().key(), 1 << 20));
      case "ack-0x62" -> nak(event, Syndrome.REMOTE_ACCESS_ERROR);
      // The receive buffer of a SEND may be too short: not decided.
      case "ack-0x61" ->
          nak(event, Syndrome.INVALID_REQUEST).filter(nak -> !answersSend(events, index));
      case "ack-0x60" -> nak(event, Syndrome.PSN_SEQUENCE_ERROR);
      case "0x62-0x61" ->
          refusal(event)
              .map(
                  nak ->
                      new TraceEvent.Nak(
                          nak.stamp(), nak.qp(), nak.psn(), nak.msn(), Syndrome.INVALID_REQUEST));
      case "0x62-ack" ->
          // The first packet of a longer WRITE may be accepted where a later one is past the end.
          refusal(event)
              .filter(nak -> !request(events, index).packet().opcode().toString().endsWith("FIRST"))
              .map(
                  nak ->
                      new TraceEvent.Ack(
                          nak.stamp(), nak.qp(), nak.psn(), nak.msn(), new Syndrome(0x1f)));
      default -> throw new IllegalArgumentException(kind);
    };
  }

  /** The request that an answer names. */
  private static TraceEvent.Rx request(List<TraceEvent> events, int index) {
    TraceEvent answer = events.get(index);
    int psn = answer instanceof TraceEvent.Ack ack ? ack.psn() : ((TraceEvent.Nak) answer).psn();
    for (int before = index; before >= 0; before--) {
      if (events.get(before) instanceof TraceEvent.Rx rx && rx.packet().psn() == psn) {
        return rx;
      }
    }
    throw new AssertionError("no request for " + answer);
  }

  private static boolean answersSend(List<TraceEvent> events, int index) {
    return request(events, index).packet().opcode().toString().contains("SEND");
  }

  private static Optional<TraceEvent.Nak> refusal(TraceEvent event) {
    return event instanceof TraceEvent.Nak nak
            && nak.syndrome().equals(Syndrome.REMOTE_ACCESS_ERROR)
        ? Optional.of(nak)
        : Optional.empty();
  }

  private static Optional<TraceEvent> nak(TraceEvent event, Syndrome syndrome) {
    return event instanceof TraceEvent.Ack ack
        ? Optional.of(new TraceEvent.Nak(ack.stamp(), ack.qp(), ack.psn(), ack.msn(), syndrome))
        : Optional.empty();
  }

  /** A request with a key and at least a byte that its queue pair's next answer does not refuse. */
  private static Optional<TraceEvent.Rx> accepted(List<TraceEvent> events, int index) {
    if (!(events.get(index) instanceof TraceEvent.Rx rx)
        || rx.packet().access().map(access -> access.length() == 0).orElse(true)) {
      return Optional.empty();
    }
    for (TraceEvent later : events.subList(index, events.size())) {
      if (later instanceof TraceEvent.Ack ack && ack.qp().equals(rx.qp())
          || later instanceof TraceEvent.Tx tx && tx.qp().equals(rx.qp())) {
        return Optional.of(rx);
      }
      if (later instanceof TraceEvent.Nak nak && nak.qp().equals(rx.qp())) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static TraceEvent access(TraceEvent.Rx rx, MemoryKey key, long longer) {
    Packet packet = rx.packet();
    RemoteAccess access = packet.access().orElseThrow();
    return new TraceEvent.Rx(
        rx.stamp(),
        rx.qp(),
        new Packet(
            packet.opcode(),
            packet.psn(),
            packet.ackRequest(),
            packet.payload(),
            Optional.of(new RemoteAccess(key, access.va(), access.length() + longer)),
            packet.invalidate(),
            packet.syndrome(),
            packet.msn(),
            packet.compare(),
            packet.swap(),
            packet.original(),
            packet.icrc()));
  }

  private static List<String> violated(CheckResult result) {
    return result.contracts().stream()
        .filter(contract -> contract.counts().of(Verdict.Kind.VIOLATION) > 0)
        .map(ContractResult::contract)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"nak-and-rnr, nak-and-rnr.pcap", "mid-deregistration, mid-deregistration.pcap.gz"})
  void reports_refusalsOfARecording_areAsExpected(String name, String file) throws Exception {
    ImportedCapture capture = own(file);
    CheckResult checked = check(capture, capture.events());
    CheckResult result =
        new CheckResult(
            name + ".mrtrace",
            checked.header(),
            checked.input(),
            checked.contracts(),
            checked.refusals(),
            checked.specification(),
            0.5);

    golden(name + ".refusals.txt", RefusalText.full(result.refusals()));
    golden(
        name + ".field.console.txt",
        ConsoleReport.text(result, VerdictPolicy.DEFAULT.exitCode(result)));
  }

  @Test
  void refusals_nakAndRnr_areTenAndJustified() throws Exception {
    ImportedCapture capture = own("nak-and-rnr.pcap");
    CheckResult result = check(capture, capture.events());
    assertThat(result.refusals().total()).isEqualTo(10);
    assertThat(result.refusals().kept())
        .hasSize(10)
        .allSatisfy(refusal -> assertThat(refusal.justice()).isEqualTo(Justice.JUSTIFIED));
  }

  private static void golden(String name, String text) throws IOException {
    assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
    Path file = GOLDEN.resolve(name);
    if (Boolean.getBoolean("mrcheck.golden.update")) {
      Files.writeString(file, text);
    }
    assertThat(text).isEqualTo(Files.readString(file));
  }
}
