package org.mrcheck.check.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.ContractResult;
import org.mrcheck.check.verdict.ExitCode;
import org.mrcheck.check.verdict.InstanceReport;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.check.verdict.VerdictExplanation;
import org.mrcheck.check.verdict.VerdictPolicy;
import org.mrcheck.lang.diagnostic.SyntaxException;
import org.mrcheck.lang.trace.EventClass;

class TraceCheckerTest {
  @TempDir private Path folder;

  @Test
  void check_correctDevice_isDecidedWithoutViolation() throws IOException {
    CheckResult result = Contracts.check(ExampleTrace.whole());

    assertThat(Contracts.violations(result)).isZero();
    assertThat(result.counts().undecided()).isZero();
    assertThat(VerdictPolicy.DEFAULT.exitCode(result)).isEqualTo(ExitCode.OK);
    assertThat(kind(result, "NoAccessAfterReturn")).contains(Verdict.Kind.CONFORMANT);
    assertThat(kind(result, "SoundCheck")).contains(Verdict.Kind.CONFORMANT);
    assertThat(result.contract("CompletionMatchesAnswer").orElseThrow().nothingObserved()).isTrue();
  }

  @Test
  void check_deregReturnRemoved_leavesThatRegistrationInconclusiveAndNamesItFirst()
      throws IOException {
    CheckResult result = Contracts.check(ExampleTrace.without(ExampleTrace.DEREG_RETURN));

    assertThat(Contracts.violations(result)).isZero();
    assertThat(result.input().missing()).isOne();
    assertThat(kind(result, "NoAccessAfterReturn")).contains(Verdict.Kind.INCONCLUSIVE);
    InstanceReport first = details(result, "NoAccessAfterReturn").get(0);
    assertThat(first.instance()).hasToString("host=h mr=1");
    assertThat(((Verdict.Inconclusive) first.verdict()).reason())
        .isEqualTo("1 event is missing before line 19 (seq 10)");
    assertThat(
            new VerdictPolicy(
                    java.util.Set.of("NoAccessAfterReturn"),
                    VerdictPolicy.DEFAULT.failOn(),
                    Optional.empty())
                .exitCode(result))
        .isEqualTo(ExitCode.REQUIRED_INCONCLUSIVE);
  }

  @Test
  void check_dmaMovedBehindReturn_violatesNoAccessAfterReturnWithCause() throws IOException {
    CheckResult result =
        Contracts.check(ExampleTrace.moved(ExampleTrace.DMA, ExampleTrace.DEREG_RETURN));

    assertThat(Contracts.violations(result, "NoAccessAfterReturn")).isOne();
    assertThat(result.input().missing()).isZero();
    assertThat(result.input().moved()).isOne();
    assertThat(VerdictPolicy.DEFAULT.exitCode(result)).isEqualTo(ExitCode.VIOLATION);
    VerdictExplanation explanation =
        details(result, "NoAccessAfterReturn").get(0).explanation().orElseThrow();
    assertThat(explanation.event().text()).startsWith("dma.write");
    assertThat(explanation.sourceLine()).startsWith("7 1006 h/engine0 dma.write");
    assertThat(explanation.refusals().get(0).conjuncts().get(0).text())
        .isEqualTo("s # \"unregistered\"");
    assertThat(explanation.cause().orElseThrow().text()).startsWith("dereg.return mr=1");
    assertThat(explanation.specification()).startsWith("NoAccessAfterReturn.tla:");
  }

  @Test
  void check_dmaUnderReturnedRegistrationAfterLoss_staysViolation() throws IOException {
    List<String> events = new ArrayList<>(ExampleTrace.events());
    events.add("20 2000 h/engine0 dma.write qp=0x11.1 psn=9 mr=1 key=0x100 va=0x1e00 len=512");

    CheckResult result = Contracts.check(ExampleTrace.with(events));

    assertThat(result.input().missing()).isEqualTo(5);
    assertThat(Contracts.violations(result, "NoAccessAfterReturn")).isOne();
  }

  @Test
  void check_dmaUnderUnknownRegistrationAfterLoss_isInconclusive() throws IOException {
    List<String> events = new ArrayList<>(ExampleTrace.events());
    events.add("20 2000 h/engine0 dma.write qp=0x11.1 psn=9 mr=3 key=0x300 va=0x1e00 len=512");

    CheckResult result = Contracts.check(ExampleTrace.with(events));

    assertThat(Contracts.violations(result, "NoAccessAfterReturn")).isZero();
    assertThat(details(result, "NoAccessAfterReturn").get(0).instance()).hasToString("host=h mr=3");
  }

  @Test
  void check_recorderSaysItLostEvents_isInconclusive() throws IOException {
    List<String> events = new ArrayList<>(ExampleTrace.events().subList(0, 9));
    events.add("10 2000 h/recorder lost count=3");

    CheckResult result = Contracts.check(ExampleTrace.with(events));

    assertThat(result.input().declaredLost()).isEqualTo(3);
    assertThat(details(result, "NoAccessAfterReturn"))
        .allSatisfy(
            report ->
                assertThat(report.verdict().title())
                    .isEqualTo("INCONCLUSIVE the recorder lost 3 events at line 19 (seq 10)"));
  }

  @Test
  void check_acceptedKeyMadeDead_violatesSoundCheck() throws IOException {
    CheckResult result =
        Contracts.check(
            ExampleTrace.changed(
                ExampleTrace.CHECK, line -> line.replace("key=0x100", "key=0x101")));

    assertThat(Contracts.violations(result, "SoundCheck")).isPositive();
  }

  @Test
  void check_acceptedLengthMadePastTheEnd_violatesSoundCheckWithExactNumbers() throws IOException {
    CheckResult result =
        Contracts.check(
            ExampleTrace.changed(
                ExampleTrace.CHECK,
                line -> line.replace("len=512 remaining=512", "len=513 remaining=513")));

    assertThat(Contracts.violations(result, "SoundCheck")).isPositive();
    VerdictExplanation explanation =
        details(result, "SoundCheck").get(0).explanation().orElseThrow();
    assertThat(explanation.comparisons())
        .anySatisfy(
            comparison -> {
              assertThat(comparison.name()).isEqualTo("permitted");
              assertThat(comparison.value()).isEqualTo("FALSE");
              assertThat(comparison.numbers()).contains("0x1e00").contains("0x2001");
            });
  }

  @Test
  void check_refusalMadeAcceptance_violatesSoundCheckAndNamesTheReturn() throws IOException {
    CheckResult result =
        Contracts.check(
            ExampleTrace.changed(
                ExampleTrace.REFUSED_CHECK,
                line -> line.replace("verdict=refuse cause=key", "verdict=accept")));

    assertThat(Contracts.violations(result, "SoundCheck")).isPositive();
    VerdictExplanation explanation =
        details(result, "SoundCheck").get(0).explanation().orElseThrow();
    assertThat(explanation.cause().orElseThrow().text()).startsWith("dereg.return mr=1");
  }

  @Test
  void check_acceptedMadeRefusal_violatesSoundCheck() throws IOException {
    CheckResult result =
        Contracts.check(
            ExampleTrace.changed(
                ExampleTrace.CHECK, line -> line.replace("verdict=accept", "verdict=refuse")));

    assertThat(Contracts.violations(result, "SoundCheck")).isPositive();
  }

  @Test
  void check_accessErrorMadeInvalidRequest_violatesUmbrellaStatus() throws IOException {
    CheckResult result =
        Contracts.check(
            ExampleTrace.changed(
                ExampleTrace.NAK, line -> line.replace("syndrome=0x62", "syndrome=0x61")));

    assertThat(Contracts.violations(result, "UmbrellaStatus")).isOne();
  }

  @Test
  void check_classNotRecorded_isInconclusiveAndNamesTheClass() throws IOException {
    List<String> lines =
        ExampleTrace.moved(ExampleTrace.DMA, ExampleTrace.DEREG_RETURN).stream()
            .filter(line -> !line.startsWith("%observes dma"))
            .toList();

    CheckResult result = Contracts.check(lines);

    assertThat(Contracts.violations(result, "NoAccessAfterReturn")).isZero();
    assertThat(details(result, "NoAccessAfterReturn"))
        .isNotEmpty()
        .allSatisfy(
            report ->
                assertThat(((Verdict.Inconclusive) report.verdict()).missing())
                    .contains(EventClass.DMA));
  }

  @Test
  void check_classRecordedInPart_excusesOnlyInstancesWithoutHistory() throws IOException {
    List<String> partial =
        ExampleTrace.moved(ExampleTrace.DMA, ExampleTrace.DEREG_RETURN).stream()
            .map(line -> line.replace("registration * complete", "registration * partial"))
            .toList();
    List<String> foreign = new ArrayList<>(partial);
    foreign.add("15 2000 h/engine0 dma.write qp=0x11.1 psn=9 mr=3 key=0x300 va=0x1e00 len=512");

    assertThat(Contracts.violations(Contracts.check(partial), "NoAccessAfterReturn")).isOne();
    CheckResult result = Contracts.check(foreign);
    assertThat(Contracts.violations(result, "NoAccessAfterReturn")).isOne();
    assertThat(details(result, "NoAccessAfterReturn"))
        .anySatisfy(
            report -> {
              assertThat(report.instance()).hasToString("host=h mr=3");
              assertThat(report.verdict().title()).contains("only in part");
            });
  }

  @Test
  void check_headerOnly_observesNothingAndIsNotGreen() throws IOException {
    CheckResult result = Contracts.check(ExampleTrace.HEADER);

    assertThat(result.verdict()).isEmpty();
    assertThat(result.contracts()).allMatch(ContractResult::nothingObserved);
    assertThat(VerdictPolicy.DEFAULT.exitCode(result)).isEqualTo(ExitCode.NOTHING_DECIDED);
  }

  @Test
  void check_instances_areDroppedWhenTheyAreAsGoodAsNew() throws IOException {
    List<String> events = new ArrayList<>();
    int seq = 1;
    for (int mr = 1; mr <= 500; mr++) {
      events.add(
          seq++
              + " 1 h/owner reg mr="
              + mr
              + " pd=1 key=0x100 lkey=0x100 va=0x1000 len=4096 rights=remote_write");
      events.add(seq++ + " 1 h/owner dereg.call mr=" + mr + " key=0x100");
      events.add(seq++ + " 1 h/owner dereg.return mr=" + mr + " key=0x100 status=ok");
    }

    var binding =
        Contracts.check(ExampleTrace.with(events))
            .contract("NoAccessAfterReturn")
            .orElseThrow()
            .bindings()
            .get(0);

    assertThat(binding.created()).isEqualTo(500);
    assertThat(binding.dropped()).isEqualTo(500);
    assertThat(binding.live()).isZero();
    assertThat(binding.counts().decided()).isEqualTo(500);
  }

  @Test
  void check_moreViolationsThanDetails_countsTheRest() throws Exception {
    List<String> events = new ArrayList<>();
    for (int mr = 1; mr <= 50; mr++) {
      events.add(
          mr + " 1 h/engine0 dma.write qp=0x11.1 psn=9 mr=" + mr + " key=0x100 va=0x1 len=1");
    }
    Path trace = folder.resolve("many.mrtrace");
    Files.write(trace, ExampleTrace.with(events));

    CheckResult result =
        new TraceChecker(Contracts.bundled().only(List.of("NoAccessAfterReturn")))
            .check(trace, CheckOptions.DEFAULT, CheckProgress.silent());

    assertThat(Contracts.violations(result)).isEqualTo(50);
    assertThat(details(result, "NoAccessAfterReturn")).hasSize(20);
    assertThat(result.details().stream().filter(report -> report.explanation().isPresent()))
        .hasSize(5);
  }

  @Test
  void check_malformedTrace_isASyntaxExceptionWithThePlace() {
    assertThatThrownBy(
            () ->
                new TraceChecker(Contracts.bundled())
                    .check(
                        new ByteArrayInputStream("no trace\n".getBytes(StandardCharsets.UTF_8)),
                        "x.mrtrace",
                        CheckOptions.DEFAULT,
                        CheckProgress.silent()))
        .isInstanceOf(SyntaxException.class)
        .hasMessageContaining("x.mrtrace:1:1");
  }

  @Test
  void explain_bySequenceNumber_explainsEveryInstanceTheEventSteps() throws Exception {
    Path trace = folder.resolve("explain.mrtrace");
    Files.write(trace, ExampleTrace.whole());

    List<InstanceReport> reports =
        new TraceExplainer(Contracts.bundled())
            .explain(FileTrace.of(trace), CheckOptions.DEFAULT, ExampleTrace.NAK);

    assertThat(reports).extracting(InstanceReport::contract).contains("SoundCheck", "FatalNak");
    assertThat(reports)
        .allSatisfy(report -> assertThat(report.verdict().kind()).isEqualTo(kindOf(report)))
        .allSatisfy(report -> assertThat(report.explanation()).isPresent());
    assertThat(
            new TraceExplainer(Contracts.bundled())
                .explain(FileTrace.of(trace), CheckOptions.DEFAULT, 999))
        .isEmpty();
  }

  @Test
  void only_misspeltContract_suggestsTheNearest() {
    assertThatThrownBy(() -> Contracts.bundled().only(List.of("SoundChek")))
        .isInstanceOf(CatalogueException.class)
        .hasMessage("there is no contract \"SoundChek\"; did you mean \"SoundCheck\"?");
  }

  private static Verdict.Kind kindOf(InstanceReport report) {
    return report.verdict().kind() == Verdict.Kind.SURPRISING
        ? Verdict.Kind.SURPRISING
        : Verdict.Kind.CONFORMANT;
  }

  private static Optional<Verdict.Kind> kind(CheckResult result, String contract) {
    return result.contract(contract).orElseThrow().verdict().map(Verdict::kind);
  }

  private static List<InstanceReport> details(CheckResult result, String contract) {
    return result.contract(contract).orElseThrow().bindings().stream()
        .flatMap(binding -> binding.details().stream())
        .toList();
  }
}
