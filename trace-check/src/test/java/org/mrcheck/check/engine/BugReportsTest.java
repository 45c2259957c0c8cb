package org.mrcheck.check.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mrcheck.check.engine.Lines.answered;
import static org.mrcheck.check.engine.Lines.check;
import static org.mrcheck.check.engine.Lines.completed;
import static org.mrcheck.check.engine.Lines.connected;
import static org.mrcheck.check.engine.Lines.deregistered;
import static org.mrcheck.check.engine.Lines.dma;
import static org.mrcheck.check.engine.Lines.join;
import static org.mrcheck.check.engine.Lines.posted;
import static org.mrcheck.check.engine.Lines.registered;
import static org.mrcheck.check.engine.Lines.request;
import static org.mrcheck.check.engine.Lines.started;
import static org.mrcheck.check.engine.Lines.whole;
import static org.mrcheck.check.engine.Lines.write;
import static org.mrcheck.check.engine.Lines.written;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mrcheck.check.report.ConsoleReport;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.ContractResult;
import org.mrcheck.check.verdict.ExitCode;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.check.verdict.VerdictPolicy;
import org.mrcheck.lang.diagnostic.SyntaxException;

/**
 * Public bug reports, by their numbers in the facts, as far as recorded events can tell them. R:
 * what devices, drivers and their users did. T: what trace checkers did. Where the device is right
 * and its user wrong, the verdict on the device is what is tested here.
 */
class BugReportsTest {
  private static final String RIGHTS = "local_write|remote_write|remote_read|mw_bind";

  /**
   * One story.
   *
   * @param violated the contracts that it violates, none if the device is right
   */
  private record Story(String id, String name, Set<String> violated, List<String> events) {
    @Override
    public String toString() {
      return id + " " + name;
    }
  }

  private static Story right(String id, String name, Object... events) {
    return new Story(id, name, Set.of(), join(events));
  }

  private static Story wrong(String id, String name, String violated, Object... events) {
    return new Story(id, name, Set.of(violated.split(" ")), join(events));
  }

  private static List<String> readOfTwo() {
    return join(
        "b post qp=0x12.1 wr=1 op=RDMA_READ key=0x100 va=0x1000 len=2048",
        request("RDMA_READ_REQUEST", 7, "key=0x100 va=0x1000 len=2048"),
        check(7, "0x100", "0x1000", 2048, "accept").replace("remote_write", "remote_read"),
        read(7, "0x1000"),
        response("FIRST", 7));
  }

  private static String read(int psn, String va) {
    return dma(psn, 1, "0x100", va, 1024).replace("dma.write", "dma.read");
  }

  private static List<String> response(String which, int psn) {
    String packet = " op=RC_RDMA_READ_RESPONSE_" + which + " psn=" + psn + " payload=1024";
    return List.of("a tx qp=0x11.1" + packet, "b rx qp=0x12.1" + packet);
  }

  private static List<String> refused(int wr, int psn, String key) {
    return join(
        write(psn, key, 512),
        check(psn, key, "0x1000", 512, "refuse"),
        answered(psn, "0x62"),
        "a qp.state qp=0x11.1 state=ERR by=device",
        completed(wr, "REM_ACCESS_ERR"));
  }

  private static String bind(String key, String status, int mw) {
    return "a bind.call mw="
        + mw
        + " type=2 mr=1 qp=0x11.1 key="
        + key
        + " va=0x1000 len=512 rights=remote_write\n"
        + "a bind.return mw="
        + mw
        + " key="
        + key
        + " status="
        + status;
  }

  private static List<String> bound(String key) {
    return List.of(bind(key, "ok", 5).split("\n"));
  }

  private static List<String> invalidated(int wr, String key) {
    return List.of(
        "a post qp=0x11.1 wr=" + wr + " op=LOCAL_INV inv=" + key + " len=0",
        "a inv.call key=" + key + " qp=0x11.1",
        "a inv.return key=" + key + " qp=0x11.1 status=ok",
        "a wc qp=0x11.1 wr=" + wr + " status=SUCCESS op=LOCAL_INV");
  }

  private static final String FAST =
      "a reg mr=1 pd=1 key=0x100 lkey=0x100 va=0x1000 len=4096 rights=" + RIGHTS + " qp=0x11.1";

  private static List<String> localSend(String verdict) {
    return List.of(
        "b reg mr=4 pd=1 key=0x0 lkey=0x400 va=0x1000 len=64 rights=local_write",
        "b post qp=0x12.1 wr=1 op=SEND lkey=0x400 len=8",
        "b dereg.call mr=4 key=0x400",
        "b dereg.return mr=4 key=0x400 status=ok",
        "b check qp=0x12.1 psn=7 access=local_read key=0x400 va=0x1000 len=8 remaining=8 verdict="
            + verdict);
  }

  static Stream<Story> stories() {
    return Stream.of(
        wrong(
            "R-01",
            "a READ is served after deregistration",
            "NoAccessAfterReturn",
            started(),
            readOfTwo(),
            deregistered(1, "0x100"),
            read(8, "0x1400")),
        right(
            "R-01",
            "a READ is cut short by deregistration",
            started(),
            readOfTwo(),
            deregistered(1, "0x100"),
            check(8, "0x100", "0x1400", 1024, "refuse").replace("remote_write", "remote_read"),
            answered(8, "0x62"),
            "a qp.state qp=0x11.1 state=ERR by=device",
            "b wc qp=0x12.1 wr=1 status=REM_ACCESS_ERR op=RDMA_READ"),
        right(
            "R-01",
            "a READ is served between call and return",
            started(),
            readOfTwo(),
            "a dereg.call mr=1 key=0x100",
            read(8, "0x1400"),
            response("LAST", 8),
            "a dereg.return mr=1 key=0x100 status=ok",
            "b wc qp=0x12.1 wr=1 status=SUCCESS op=RDMA_READ"),
        right(
            "R-03",
            "deregistration is busy and the region lives on",
            started(),
            "a dereg.call mr=1 key=0x100",
            "a dereg.return mr=1 key=0x100 status=busy",
            whole(1, 7, 1, "0x100"),
            deregistered(1, "0x100")),
        wrong(
            "R-05",
            "an operation that had matched writes after the close",
            "NoAccessAfterReturn",
            started(),
            posted(1, "0x100", 512),
            write(7, "0x100", 512),
            check(7, "0x100", "0x1000", 512, "accept"),
            deregistered(1, "0x100"),
            dma(7, 1, "0x100", "0x1000", 512)),
        right(
            "R-07",
            "the initiator is gone and the target's WRITE is refused",
            started(),
            deregistered(1, "0x100"),
            posted(1, "0x100", 512),
            refused(1, 7, "0x100")),
        right(
            "R-08",
            "a retried WRITE lands while the key lives",
            started(),
            posted(1, "0x100", 512),
            "b tx qp=0x12.1 op=RC_RDMA_WRITE_ONLY psn=7 ackreq=1 payload=512 key=0x100 va=0x1000"
                + " len=512",
            write(7, "0x100", 512),
            written(7, 1, "0x100", 512),
            answered(7, "0x1f"),
            completed(1, "SUCCESS"),
            deregistered(1, "0x100")),
        right(
            "R-09",
            "the payload's region is dropped before it is fetched",
            connected(),
            localSend("refuse"),
            "b wc qp=0x12.1 wr=1 status=LOC_PROT_ERR op=SEND"),
        wrong(
            "R-09",
            "the payload is fetched from a dropped region",
            "NoAccessAfterReturn SoundCheck",
            connected(),
            localSend("accept"),
            "b dma.read qp=0x12.1 psn=7 mr=4 key=0x400 va=0x1000 len=8"),
        right("R-10", "cancelled before the post", started(), deregistered(1, "0x100")),
        right(
            "R-10",
            "cancelled after the post",
            connected(),
            localSend("refuse"),
            "b wc qp=0x12.1 wr=1 status=LOC_PROT_ERR op=SEND"),
        right(
            "R-10",
            "cancelled after the completion",
            started(),
            whole(1, 7, 1, "0x100"),
            deregistered(1, "0x100")),
        right(
            "R-11",
            "the cache deregisters a region in use",
            connected(),
            localSend("refuse"),
            "b reg mr=5 pd=1 key=0x0 lkey=0x500 va=0x1000 len=64 rights=local_write|remote_atomic",
            "b wc qp=0x12.1 wr=1 status=LOC_PROT_ERR op=SEND"),
        right(
            "R-13",
            "a sibling writes after the first of two has failed",
            started(),
            whole(1, 7, 1, "0x100"),
            posted(2, "0x999", 512),
            refused(2, 8, "0x999")),
        right(
            "R-15",
            "a late READ of a reused buffer under a static key",
            started(),
            whole(1, 7, 1, "0x100"),
            whole(2, 8, 1, "0x100")),
        right(
            "R-17",
            "a fence before the memory is reused",
            connected(),
            FAST,
            invalidated(3, "0x100"),
            posted(1, "0x100", 512),
            refused(1, 7, "0x100")),
        right(
            "R-19",
            "another queue pair of the domain may still write",
            started(),
            "a qp.create qp=0x21.1 pd=1 rights=remote_write",
            "a qp.destroy qp=0x21.1 status=ok",
            whole(1, 7, 1, "0x100")),
        wrong(
            "R-22",
            "a key comes back before a delayed WRITE arrives",
            "NoAba",
            started(),
            posted(1, "0x100", 512),
            deregistered(1, "0x100"),
            registered(2, "0x100", RIGHTS),
            write(7, "0x100", 512),
            written(7, 2, "0x100", 512)),
        wrong(
            "R-24",
            "a completion of the queue pair that had the number before",
            "CompletionMatchesAnswer ExactlyOneCompletion",
            "b qp.create qp=0x5.1 pd=1 rights=none",
            "b post qp=0x5.1 wr=1 op=SEND len=8",
            "b qp.destroy qp=0x5.1 status=ok",
            "b qp.create qp=0x5.2 pd=1 rights=none",
            "b post qp=0x5.2 wr=2 op=SEND len=8",
            "b wc qp=0x5.2 wr=1 status=WR_FLUSH_ERR op=SEND"),
        right(
            "R-27",
            "the old key of a window is refused",
            started(),
            "a mw.alloc mw=5 pd=1 type=2",
            bound("0x501"),
            posted(1, "0x500", 512),
            refused(1, 7, "0x500")),
        wrong(
            "R-30",
            "a window's key comes back after all tags were used",
            "NoAba",
            started(),
            bound("0x500"),
            posted(1, "0x500", 512),
            invalidated(3, "0x500"),
            bound("0x501"),
            invalidated(4, "0x501"),
            bound("0x500"),
            write(7, "0x500", 512),
            written(7, 1, "0x500", 512)),
        right(
            "R-30",
            "a window's next key is refused to a request under the last",
            started(),
            bound("0x500"),
            posted(1, "0x500", 512),
            invalidated(3, "0x500"),
            bound("0x501"),
            refused(1, 7, "0x500")),
        wrong(
            "R-32",
            "memory is released without deregistration",
            "LifetimeOrder UnpinSafe",
            started(),
            "a pin mr=1 va=0x1000 len=4096",
            posted(1, "0x100", 512),
            write(7, "0x100", 512),
            check(7, "0x100", "0x1000", 512, "accept"),
            "a unpin mr=1 va=0x1000 len=4096",
            dma(7, 1, "0x100", "0x1000", 512)),
        right(
            "R-34",
            "two owners of keys for one range",
            started(),
            registered(2, "0x200", RIGHTS),
            deregistered(2, "0x200"),
            whole(1, 7, 1, "0x100")),
        right(
            "R-36",
            "the part of a region that is still valid is used",
            started(),
            whole(1, 7, 1, "0x100")),
        wrong(
            "R-38",
            "a relaxed deregistration returns early",
            "NoAccessAfterReturn",
            started(),
            posted(1, "0x100", 512),
            write(7, "0x100", 512),
            check(7, "0x100", "0x1000", 512, "accept"),
            deregistered(1, "0x100"),
            dma(7, 1, "0x100", "0x1000", 512)),
        right(
            "R-40",
            "memory stays pinned after it was unmapped",
            started(),
            "a pin mr=1 va=0x1000 len=4096",
            whole(1, 7, 1, "0x100"),
            deregistered(1, "0x100"),
            "a unpin mr=1 va=0x1000 len=4096"),
        wrong(
            "R-42",
            "a window is bound across protection domains",
            "WindowRules",
            started(),
            "a mw.alloc mw=5 pd=2 type=2",
            bound("0x500")),
        wrong(
            "R-44",
            "the completion's key has its bytes swapped",
            "InvalidateIsExact InvalidateBeforeCompletion",
            connected(),
            FAST.replace("0x100 ", "0x19000002 "),
            "a post qp=0x11.1 wr=9 op=RECV len=64",
            "b post qp=0x12.1 wr=1 op=SEND_WITH_INV inv=0x19000002 len=8",
            request("SEND_ONLY_WITH_INVALIDATE", 7, "ackreq=1 payload=8 inv=0x19000002"),
            "a inv.return key=0x19000002 qp=0x11.1 status=ok",
            "a wc qp=0x11.1 wr=9 status=SUCCESS op=RECV len=8 inv=0x2000019"),
        right(
            "R-46",
            "a WRITE lands before the invalidation is done",
            connected(),
            FAST,
            "a post qp=0x11.1 wr=3 op=LOCAL_INV inv=0x100 len=0",
            whole(1, 7, 1, "0x100"),
            "a inv.call key=0x100 qp=0x11.1",
            "a inv.return key=0x100 qp=0x11.1 status=ok",
            "a wc qp=0x11.1 wr=3 status=SUCCESS op=LOCAL_INV"),
        right(
            "R-50",
            "a window is used after its bind",
            started(),
            bound("0x500"),
            whole(1, 7, 1, "0x500")),
        wrong(
            "R-50",
            "a window is refused after its bind",
            "SoundCheck",
            started(),
            bound("0x500"),
            posted(1, "0x500", 512),
            refused(1, 7, "0x500")),
        wrong(
            "R-52",
            "a length of all ones wraps around",
            "SoundCheck",
            started(),
            "a check qp=0x11.1 psn=7 access=remote_write key=0x100 va=0x1008"
                + " len=0xffffffffffffffff remaining=0xffffffffffffffff verdict=accept"),
        wrong(
            "R-54",
            "a region of length zero lets everything in",
            "SoundCheck",
            connected(),
            "a reg mr=1 pd=1 key=0x100 lkey=0x100 va=0x1000 len=0 rights=remote_write",
            check(7, "0x100", "0x9000", 4096, "accept")),
        wrong(
            "R-56",
            "the end of a region of 3 GiB is refused",
            "SoundCheck",
            connected(),
            "a reg mr=1 pd=1 key=0x100 lkey=0x100 va=0x0 len=3221225472 rights=remote_write",
            check(7, "0x100", "0x0", 1024, "accept"),
            check(8, "0x100", "0x66000000", 1024, "refuse")),
        right(
            "R-58",
            "a wrong offset that only the owner knows of",
            started(),
            whole(1, 7, 1, "0x100")),
        right(
            "R-60",
            "an atomic on a region without the right is refused",
            connected(),
            registered(1, "0x100", "remote_read|remote_write|local_write"),
            "a check qp=0x11.1 psn=7 access=remote_atomic key=0x100 va=0x1000 len=8 remaining=8"
                + " verdict=refuse"),
        wrong(
            "R-60",
            "an atomic on a region without the right succeeds",
            "SoundCheck",
            connected(),
            registered(1, "0x100", "remote_read|remote_write|local_write"),
            "a check qp=0x11.1 psn=7 access=remote_atomic key=0x100 va=0x1000 len=8 remaining=8"
                + " verdict=accept"),
        right(
            "R-62",
            "the sink of a READ needs no remote right here",
            connected(),
            "b reg mr=4 pd=1 key=0x0 lkey=0x400 va=0x1000 len=64 rights=local_write",
            "b check qp=0x12.1 psn=7 access=local_write key=0x400 va=0x1000 len=8 remaining=8"
                + " verdict=accept"),
        right(
            "R-64",
            "an lkey is refused where the rkey is meant",
            connected(),
            "a reg mr=1 pd=1 key=0x101 lkey=0x100 va=0x1000 len=4096 rights=" + RIGHTS,
            posted(1, "0x100", 512),
            refused(1, 7, "0x100")),
        wrong(
            "R-64",
            "an lkey is accepted where the rkey is meant",
            "SoundCheck",
            connected(),
            "a reg mr=1 pd=1 key=0x101 lkey=0x100 va=0x1000 len=4096 rights=" + RIGHTS,
            check(7, "0x100", "0x1000", 512, "accept")),
        right(
            "R-66",
            "a READ of no bytes needs no key",
            connected(),
            "b post qp=0x12.1 wr=1 op=RDMA_READ key=0x0 va=0x0 len=0",
            request("RDMA_READ_REQUEST", 7, "key=0x0 va=0x0 len=0"),
            "a tx qp=0x11.1 op=RC_RDMA_READ_RESPONSE_ONLY psn=7 payload=0",
            "b rx qp=0x12.1 op=RC_RDMA_READ_RESPONSE_ONLY psn=7 payload=0",
            "b wc qp=0x12.1 wr=1 status=SUCCESS op=RDMA_READ"),
        wrong(
            "R-66",
            "a READ of no bytes reads some",
            "SoundCheck",
            started(),
            request("RDMA_READ_REQUEST", 7, "key=0x999 va=0x1000 len=0"),
            read(7, "0x1000").replace("key=0x100", "key=0x999")),
        right(
            "R-68",
            "a wrong address is refused again and again",
            started(),
            posted(1, "0x999", 512),
            refused(1, 7, "0x999")),
        right(
            "R-70",
            "a request posted in ERR is flushed",
            connected(),
            "b qp.state qp=0x12.1 state=ERR by=application",
            posted(1, "0x100", 8),
            completed(1, "WR_FLUSH_ERR")),
        wrong(
            "R-76",
            "flushes come after the queue pair was destroyed",
            "CompletionMatchesAnswer ExactlyOneCompletion",
            connected(),
            "b qp.state qp=0x12.1 state=ERR by=application",
            posted(1, "0x100", 8),
            "b qp.destroy qp=0x12.1 status=ok",
            completed(1, "WR_FLUSH_ERR")),
        right(
            "R-82",
            "a refreshed key works on a new connection",
            started(),
            whole(1, 7, 1, "0x100")));
  }

  @ParameterizedTest
  @MethodSource("stories")
  void check_storyOfABugReport_isJudgedRight(Story story) throws IOException {
    CheckResult result = Contracts.check(Lines.trace(story.events()));
    Set<String> violated = new TreeSet<>();
    for (ContractResult contract : result.contracts()) {
      if (contract.counts().of(Verdict.Kind.VIOLATION) > 0) {
        violated.add(contract.contract());
      }
    }
    assertThat(violated).isEqualTo(story.violated());
    assertThat(result.counts().decided()).isPositive();
  }

  /** pending when the recording ends is not the same as never. */
  @Test
  void check_postedAndNeverCompleted_isInconclusive() throws IOException {
    CheckResult result =
        Contracts.check(
            Lines.trace(
                join(
                    connected(),
                    "b qp.state qp=0x12.1 state=ERR by=application",
                    posted(1, "0x100", 8))));
    assertThat(Contracts.violations(result)).isZero();
    ContractResult contract = result.contract("ExactlyOneCompletion").orElseThrow();
    assertThat(contract.verdict().map(Verdict::kind)).contains(Verdict.Kind.INCONCLUSIVE);
    assertThat(contract.verdict().orElseThrow().title()).contains("the recording ends before");
  }

  @Test
  void check_swappedKey_saysThatTheBytesAreReversed() throws IOException {
    Story swapped = stories().filter(story -> story.id().equals("R-44")).findFirst().orElseThrow();
    CheckResult result = Contracts.check(Lines.trace(swapped.events()));
    assertThat(ConsoleReport.text(result, ExitCode.VIOLATION).replaceAll("\\s+", " "))
        .contains("its bytes are those of that key reversed");
  }

  // Checkers

  private static byte[] bytes(List<String> lines, String end) {
    return (String.join(end, lines) + end).getBytes(StandardCharsets.UTF_8);
  }

  private static CheckResult run(byte[] trace) throws Exception {
    return new TraceChecker(Contracts.bundled())
        .check(
            new ByteArrayInputStream(trace),
            "example.mrtrace",
            CheckOptions.DEFAULT,
            CheckProgress.silent());
  }

  /** T-05 and T-01. */
  @Test
  void check_wholeTrace_endsWithoutTalkOfDeadlock() throws Exception {
    CheckResult result = Contracts.check(Lines.trace(join(started(), whole(1, 7, 1, "0x100"))));
    ExitCode exit = VerdictPolicy.DEFAULT.exitCode(result);
    assertThat(exit).isEqualTo(ExitCode.OK);
    assertThat(ConsoleReport.text(result, exit).toLowerCase(java.util.Locale.ROOT))
        .doesNotContain("deadlock");
  }

  /** T-07: any of many packets may have been lost. */
  @Test
  void check_lossesThatNobodyLogged_areDecidedAtOnce() throws IOException {
    List<String> events = new ArrayList<>(started());
    for (int index = 0; index < 20; index++) {
      String packet =
          " op=RC_RDMA_WRITE_ONLY psn=" + (7 + index) + " ackreq=1 payload=8 key=0x100 va=0x1000";
      events.add(posted(index, "0x100", 8));
      events.add("b tx qp=0x12.1" + packet + " len=8");
    }
    for (int index = 0; index < 20; index++) {
      events.addAll(write(7 + index, "0x100", 8).subList(0, 2));
      events.addAll(written(7 + index, 1, "0x100", 8));
    }
    events.addAll(answered(26, "0x1f"));
    for (int index = 0; index < 20; index++) {
      events.add(completed(index, "SUCCESS"));
    }
    CheckResult result = Contracts.check(Lines.trace(events));
    assertThat(Contracts.violations(result)).isZero();
    assertThat(result.counts().of(Verdict.Kind.GAVE_UP)).isZero();
  }

  /** T-09: the deepest event that was reached, not where some branch died. */
  @Test
  void check_badEventLate_isReportedThere() throws IOException {
    List<String> events = new ArrayList<>(started());
    for (int index = 0; index < 8; index++) {
      events.addAll(whole(index, 7 + index, 1, "0x100"));
    }
    events.addAll(deregistered(1, "0x100"));
    events.add(dma(15, 1, "0x100", "0x1000", 8));
    CheckResult result = Contracts.check(Lines.trace(events));
    assertThat(result.details())
        .filteredOn(report -> report.contract().equals("NoAccessAfterReturn"))
        .singleElement()
        .satisfies(report -> assertThat(report.at().orElseThrow().seq()).isEqualTo(events.size()));
  }

  /** T-11: a branch that dies later does not make a violation. */
  @Test
  void check_traceWithTwoExplanations_isConformant() throws IOException {
    List<String> events =
        join(
            started(),
            write(7, "0x100", 8),
            "a dereg.call mr=1 key=0x100",
            "a dereg.return mr=1 key=0x100 status=ok",
            answered(7, "0x62"));
    CheckResult result = Contracts.check(Lines.trace(events, "check", "dma"));
    assertThat(Contracts.violations(result)).isZero();
    assertThat(result.contract("SoundCheck").orElseThrow().counts().of(Verdict.Kind.CONFORMANT))
        .isPositive();
  }

  /** T-13: a long recording, in little memory for long. */
  @Test
  void check_hundredThousandEvents_keepsOnlyWhatIsAlive() throws IOException {
    List<String> events = new ArrayList<>(started());
    IntStream.range(0, 12_500).forEach(index -> events.addAll(whole(index, 7 + index, 1, "0x100")));
    CheckResult result = Contracts.check(Lines.trace(events));
    assertThat(Contracts.violations(result)).isZero();
    assertThat(result.contracts())
        .flatExtracting(ContractResult::bindings)
        .allMatch(binding -> binding.live() < 10);
  }

  /** T-15: numbers beyond 32 bits stay what they are. */
  @Test
  void check_regionsFourGigabytesApart_areNotTakenForEachOther() throws IOException {
    List<String> events =
        join(
            connected(),
            "a reg mr=1 pd=1 key=0x100 lkey=0x100 va=0x100000000 len=4096 rights=remote_write",
            "a reg mr=2 pd=1 key=0x200 lkey=0x200 va=0x200000000 len=4096 rights=remote_write",
            check(7, "0x100", "0x200000000", 8, "accept"));
    assertThat(Contracts.violations(Contracts.check(Lines.trace(events)), "SoundCheck")).isOne();
  }

  /** T-19: a byte order mark and carriage returns change nothing. */
  @Test
  void check_markAndCarriageReturns_giveTheSameVerdict() throws Exception {
    List<String> lines = Lines.trace(join(started(), whole(1, 7, 1, "0x100")));
    List<String> marked = new ArrayList<>(lines);
    marked.set(0, "\ufeff" + marked.get(0));
    for (byte[] trace : List.of(bytes(lines, "\n"), bytes(lines, "\r\n"), bytes(marked, "\r\n"))) {
      CheckResult result = run(trace);
      assertThat(VerdictPolicy.DEFAULT.exitCode(result)).isEqualTo(ExitCode.OK);
    }
    assertThatThrownBy(
            () -> run((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_16)))
        .isInstanceOf(SyntaxException.class)
        .hasMessageContaining("UTF-16");
  }

  /** T-23: a hole of NULs is a loss that is told, never a silent pass. */
  @Test
  void check_holeOfNuls_isToldAsALoss() throws Exception {
    List<String> lines = new ArrayList<>(Lines.trace(join(started(), whole(1, 7, 1, "0x100"))));
    lines.set(14, "5 5000 a/x dereg.c\0\0\0\0\0\0");
    CheckResult result = run(bytes(lines, "\n"));
    assertThat(result.input().missing()).isPositive();
    assertThat(result.counts().undecided()).isPositive();
    assertThat(Contracts.violations(result)).isZero();
  }

  /** T-17 and T-21: what is broken is bad input with its place, never a verdict. */
  @Test
  void check_brokenText_isBadInputWithItsPlace() {
    List<String> lines = Lines.trace(join(started(), whole(1, 7, 1, "0x100")));
    for (String broken :
        List.of(
            "5 5000 a/x reg mr=null pd=1 key=0x1 lkey=0x1 va=0x1 len=1 rights=none",
            "5 5000 a/x dereg.call mr=1 key=0x100 16 16000 b/x wc qp=0x12.1")) {
      List<String> changed = new ArrayList<>(lines);
      changed.set(14, broken);
      assertThat(catchThrowable(() -> run(bytes(changed, "\n"))))
          .as(broken)
          .isInstanceOf(SyntaxException.class)
          .hasMessageContaining("example.mrtrace:15");
    }
  }

  /** T-25 and T-27: the order of the lines counts, not the stamps. */
  @Test
  void check_stampsThatGoBackOrAreEqual_changeNoVerdict() throws Exception {
    List<String> lines = Lines.trace(join(started(), whole(1, 7, 1, "0x100")));
    List<String> equal =
        lines.stream().map(line -> line.replaceFirst("^(\\d+) \\d+ ", "$1 5 ")).toList();
    List<String> back =
        lines.stream().map(line -> line.replaceFirst("^(\\d+) (\\d+) b/", "$1 1 b/")).toList();
    for (List<String> changed : List.of(equal, back)) {
      CheckResult result = run(bytes(changed, "\n"));
      assertThat(VerdictPolicy.DEFAULT.exitCode(result)).isEqualTo(ExitCode.OK);
    }
  }
}
