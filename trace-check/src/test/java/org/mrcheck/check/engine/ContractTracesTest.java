package org.mrcheck.check.engine;

import static org.assertj.core.api.Assertions.assertThat;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mrcheck.check.report.ConsoleReport;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.ContractResult;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.check.verdict.VerdictPolicy;

/**
 * Each contract on small traces: some that it accepts, one for each of its conjuncts that it
 * rejects, some that it cannot decide. What people read of a rejection is kept under {@code
 * src/test/resources/contracts}; regenerate with {@code -Dmrcheck.golden.update=true}.
 */
class ContractTracesTest {
  private static final Path GOLDEN =
      Path.of(System.getProperty("mrcheck.root", ".."))
          .resolve("trace-check/src/test/resources/contracts");
  private static final String RIGHTS = "local_write|remote_write|remote_read|mw_bind";

  /** A trace for one contract. */
  private record Example(
      String contract, String name, List<String> events, List<String> unrecorded) {
    @Override
    public String toString() {
      return contract + " " + name;
    }

    List<String> trace() {
      return Lines.trace(events, unrecorded.toArray(String[]::new));
    }
  }

  private static Example example(String contract, String name, List<String> events) {
    return new Example(contract, name, events, List.of());
  }

  private static Example without(
      String unrecorded, String contract, String name, List<String> events) {
    return new Example(contract, name, events, List.of(unrecorded));
  }

  private static final List<String> PIN = List.of("a pin mr=1 va=0x1000 len=4096");
  private static final List<String> UNPIN = List.of("a unpin mr=1 va=0x1000 len=4096");
  private static final String FAST =
      "a reg mr=1 pd=1 key=0x100 lkey=0x100 va=0x1000 len=4096 rights=" + RIGHTS + " qp=0x11.1";

  private static String bind(String key, String va, int length, String more) {
    return "a bind.call mw=5 type=2 mr=1 qp=0x11.1 key="
        + key
        + " va="
        + va
        + " len="
        + length
        + " "
        + more;
  }

  private static String bound(String key) {
    return "a bind.return mw=5 key=" + key + " status=ok";
  }

  private static List<String> rereg(String more, String... events) {
    return join(
        join(started(), "a rereg.call mr=1 key=0x100 pd=1 va=0x5000 len=4096 rights=" + more),
        List.of(events));
  }

  private static final String REREG_DONE = "a rereg.return mr=1 key=0x100 status=ok";

  private static List<String> firstOfTwo() {
    return join(
        request("RDMA_WRITE_FIRST", 7, "payload=1024 key=0x100 va=0x1000 len=1536"),
        written(7, 1, "0x100", 1024));
  }

  private static List<String> lastOfTwo(int mr) {
    return join(
        request("RDMA_WRITE_LAST", 8, "ackreq=1 payload=512"),
        List.of(check(8, "0x100", "0x1400", 512, "accept"), dma(8, mr, "0x100", "0x1400", 512)));
  }

  private static final String INVALIDATE = "b post qp=0x12.1 wr=1 op=SEND_WITH_INV inv=0x100 len=8";

  private static List<String> invalidatingSend() {
    return join(
        List.of("a post qp=0x11.1 wr=9 op=RECV len=64", INVALIDATE),
        request("SEND_ONLY_WITH_INVALIDATE", 7, "ackreq=1 payload=8 inv=0x100"));
  }

  private static String executed(String key) {
    return "a inv.return key=" + key + " qp=0x11.1 status=ok";
  }

  private static String received(String key) {
    return "a wc qp=0x11.1 wr=9 status=SUCCESS op=RECV len=8 inv=" + key;
  }

  static Stream<Example> accepted() {
    return Stream.of(
        example(
            "UnpinSafe",
            "pinned",
            join(
                started(),
                PIN,
                write(7, "0x100", 512),
                written(7, 1, "0x100", 512),
                deregistered(1, "0x100"),
                UNPIN)),
        example(
            "UnpinSafe",
            "pinned by another registration of the same memory",
            join(
                started(),
                List.of(
                    "a pin mr=1 va=0x1000 len=4096 dma_addr=0x9000",
                    "a pin mr=2 va=0x7000 len=8192 dma_addr=0x8000",
                    "a dereg.call mr=1 key=0x100",
                    "a unpin mr=1 va=0x1000 len=4096 dma_addr=0x9000"),
                write(7, "0x100", 512),
                check(7, "0x100", "0x1000", 512, "accept"),
                dma(7, 1, "0x100", "0x1000", 512) + " dma_addr=0x9000")),
        example(
            "SameRegistrationPerMessage",
            "one region",
            join(started(), firstOfTwo(), lastOfTwo(1))),
        example("NoAba", "the region that was meant", join(started(), whole(1, 7, 1, "0x100"))),
        example(
            "ReregAtomic",
            "old or new while it changes",
            rereg(
                "local_write|remote_write",
                check(7, "0x100", "0x1000", 8, "accept"),
                dma(7, 1, "0x100", "0x1000", 8),
                check(8, "0x100", "0x5000", 8, "accept"),
                dma(8, 1, "0x100", "0x5000", 8),
                REREG_DONE,
                check(9, "0x100", "0x5000", 8, "accept"),
                dma(9, 1, "0x100", "0x5000", 8))),
        example(
            "LocalFaultStaysLocal",
            "operational error for a bad receive buffer",
            join(
                started(),
                request("SEND_ONLY", 7, "ackreq=1 payload=8"),
                List.of(
                    "a check qp=0x11.1 psn=7 access=local_write key=0x999 va=0x1000 len=8"
                        + " remaining=8 verdict=refuse"),
                answered(7, "0x63"))),
        example(
            "LocalFaultStaysLocal",
            "the peer is moved to ERR by its application",
            join(
                started(),
                List.of(
                    posted(1, "0x100", 8),
                    "b check qp=0x12.1 psn=7 access=local_read key=0x999 va=0x1000 len=8"
                        + " remaining=8 verdict=refuse",
                    completed(1, "LOC_PROT_ERR"),
                    "a qp.state qp=0x11.1 state=ERR by=application"))),
        example(
            "ExactlyOneCompletion",
            "each once, the unsignaled one silent",
            join(
                started(),
                posted(1, "0x100", 512) + " signaled=0",
                write(7, "0x100", 512),
                written(7, 1, "0x100", 512),
                answered(7, "0x1f"),
                whole(2, 8, 1, "0x100"))),
        example(
            "CompletionOrder",
            "an error, then flushes",
            join(
                connected(),
                List.of(
                    posted(1, "0x100", 8),
                    posted(2, "0x100", 8) + " signaled=0",
                    posted(3, "0x100", 8),
                    completed(1, "RETRY_EXC_ERR"),
                    completed(2, "WR_FLUSH_ERR"),
                    completed(3, "WR_FLUSH_ERR")))),
        example(
            "CompletionOrder",
            "a shared receive queue in any order",
            List.of(
                "a qp.create qp=0x11.1 pd=1 rights=remote_write srq=4",
                "a srq.post srq=4 wr=1 len=8",
                "a srq.post srq=4 wr=2 len=8",
                "a wc qp=0x11.1 wr=2 status=SUCCESS op=RECV",
                "a wc qp=0x11.1 wr=1 status=SUCCESS op=RECV")),
        example("SuccessMeansDone", "all bytes", join(started(), whole(1, 7, 1, "0x100"))),
        example(
            "InvalidateIsExact",
            "the key that the peer named",
            join(
                connected(),
                List.of(FAST),
                invalidatingSend(),
                List.of(executed("0x100"), received("0x100")))),
        example(
            "InvalidateBeforeCompletion",
            "executed, then reported",
            join(
                connected(),
                List.of(FAST),
                invalidatingSend(),
                List.of(executed("0x100"), received("0x100")))),
        example(
            "WindowRules",
            "bound, used, unbound",
            join(
                started(),
                List.of(
                    "a mw.alloc mw=5 pd=1 type=2",
                    bind("0x500", "0x1000", 512, "rights=remote_write"),
                    bound("0x500"),
                    check(7, "0x500", "0x1000", 8, "accept"),
                    "a post qp=0x11.1 wr=3 op=LOCAL_INV inv=0x500 len=0",
                    "a inv.call key=0x500 qp=0x11.1",
                    executed("0x500"),
                    "a wc qp=0x11.1 wr=3 status=SUCCESS op=LOCAL_INV"),
                deregistered(1, "0x100"))),
        example(
            "LifetimeOrder",
            "everything in order",
            join(
                List.of("a pd.alloc pd=1"),
                started(),
                PIN,
                deregistered(1, "0x100"),
                UNPIN,
                List.of(
                    "a mw.alloc mw=5 pd=1 type=1",
                    "a mw.dealloc.call mw=5 key=0x0",
                    "a mw.dealloc.return mw=5 key=0x0 status=ok",
                    "a qp.destroy qp=0x11.1 status=ok",
                    "a pd.dealloc pd=1 status=ok"))));
  }

  static Stream<Example> rejected() {
    return Stream.of(
        example(
            "UnpinSafe",
            "dma after unpin",
            join(
                started(),
                PIN,
                write(7, "0x100", 512),
                List.of(check(7, "0x100", "0x1000", 512, "accept"), "a dereg.call mr=1 key=0x100"),
                UNPIN,
                List.of(dma(7, 1, "0x100", "0x1000", 512)))),
        example(
            "UnpinSafe",
            "last byte not pinned",
            join(
                started(),
                List.of("a pin mr=1 va=0x1000 len=511", dma(7, 1, "0x100", "0x1000", 512)))),
        example(
            "UnpinSafe",
            "another frame",
            join(
                started(),
                List.of(
                    "a pin mr=1 va=0x1000 len=4096 dma_addr=0x9000",
                    dma(7, 1, "0x100", "0x1000", 512) + " dma_addr=0x8f00"))),
        example(
            "SoundCheck",
            "dma without a check",
            join(started(), write(7, "0x100", 512), List.of(dma(7, 1, "0x100", "0x1000", 512)))),
        example(
            "SoundCheck",
            "dma beside its check",
            join(
                started(),
                write(7, "0x100", 512),
                List.of(
                    check(7, "0x100", "0x1000", 512, "accept"),
                    dma(7, 1, "0x100", "0x1001", 512)))),
        example(
            "NoAccessAfterReturn",
            "dma after its invalidation",
            join(
                started(),
                write(7, "0x100", 512),
                List.of(
                    check(7, "0x100", "0x1000", 512, "accept"),
                    "a inv.call key=0x100 qp=0x11.1",
                    executed("0x100"),
                    dma(7, 1, "0x100", "0x1000", 512)))),
        example(
            "SameRegistrationPerMessage",
            "key reused in mid-message",
            join(
                started(),
                firstOfTwo(),
                deregistered(1, "0x100"),
                registered(2, "0x100", RIGHTS),
                lastOfTwo(2))),
        example(
            "NoAba",
            "key reused before arrival",
            join(
                started(),
                List.of(posted(1, "0x100", 512)),
                deregistered(1, "0x100"),
                registered(2, "0x100", RIGHTS),
                write(7, "0x100", 512),
                written(7, 2, "0x100", 512))),
        example(
            "ReregAtomic",
            "old right in the new range",
            rereg("remote_read", check(7, "0x100", "0x5000", 8, "accept"))),
        example(
            "ReregAtomic",
            "old address on the new pages",
            join(
                started(),
                List.of(
                    "a pin mr=1 va=0x1000 len=4096 dma_addr=0x10000",
                    "a rereg.call mr=1 key=0x100 pd=1 va=0x1000 len=2048 rights=remote_read",
                    "a pin mr=1 va=0x1000 len=2048 dma_addr=0x20000",
                    check(7, "0x100", "0x1000", 8, "accept"),
                    dma(7, 1, "0x100", "0x1000", 8) + " dma_addr=0x20000"))),
        example(
            "ReregAtomic",
            "old pages after the return",
            join(
                started(),
                List.of(
                    "a pin mr=1 va=0x1000 len=4096 dma_addr=0x10000",
                    "a rereg.call mr=1 key=0x100 pd=1 va=0x1000 len=4096 rights=" + RIGHTS,
                    "a pin mr=1 va=0x1000 len=4096 dma_addr=0x20000",
                    REREG_DONE,
                    check(7, "0x100", "0x1000", 8, "accept"),
                    dma(7, 1, "0x100", "0x1000", 8) + " dma_addr=0x10000"))),
        example(
            "LocalFaultStaysLocal",
            "access error for a bad receive buffer",
            join(
                started(),
                request("SEND_ONLY", 7, "ackreq=1 payload=8"),
                List.of(
                    "a check qp=0x11.1 psn=7 access=local_write key=0x999 va=0x1000 len=8"
                        + " remaining=8 verdict=refuse"),
                answered(7, "0x62"))),
        example(
            "LocalFaultStaysLocal",
            "the peer goes to ERR without a cause",
            join(
                started(),
                List.of(
                    posted(1, "0x100", 8),
                    "b check qp=0x12.1 psn=7 access=local_read key=0x999 va=0x1000 len=8"
                        + " remaining=8 verdict=refuse",
                    completed(1, "LOC_PROT_ERR"),
                    "a qp.state qp=0x11.1 state=ERR by=device"))),
        example(
            "CompletionMatchesAnswer",
            "local error where the NAK had come",
            join(
                started(),
                List.of(posted(1, "0x999", 512)),
                write(7, "0x999", 512),
                answered(7, "0x62"),
                List.of(completed(1, "LOC_PROT_ERR")))),
        example(
            "ExactlyOneCompletion",
            "completed twice",
            join(
                connected(),
                List.of(
                    posted(1, "0x100", 8),
                    posted(2, "0x100", 8),
                    completed(1, "SUCCESS"),
                    completed(1, "SUCCESS")))),
        example(
            "ExactlyOneCompletion",
            "never posted",
            join(connected(), List.of(posted(1, "0x100", 8), completed(7, "SUCCESS")))),
        example(
            "ExactlyOneCompletion",
            "an unsignaled success",
            join(
                connected(),
                List.of(posted(1, "0x100", 8) + " signaled=0", completed(1, "SUCCESS")))),
        example(
            "CompletionOrder",
            "a later one overtakes",
            join(
                connected(),
                List.of(posted(1, "0x100", 8), posted(2, "0x100", 8), completed(2, "SUCCESS")))),
        example(
            "CompletionOrder",
            "success after an error",
            join(
                connected(),
                List.of(
                    posted(1, "0x100", 8),
                    posted(2, "0x100", 8),
                    completed(1, "RETRY_EXC_ERR"),
                    completed(2, "SUCCESS")))),
        example(
            "CompletionOrder",
            "flush where an error is owed",
            join(
                started(),
                List.of(posted(1, "0x999", 512)),
                write(7, "0x999", 512),
                answered(7, "0x62"),
                List.of(completed(1, "WR_FLUSH_ERR")))),
        example(
            "SuccessMeansDone",
            "nothing written",
            join(
                started(),
                List.of(posted(1, "0x100", 512)),
                write(7, "0x100", 512),
                List.of(check(7, "0x100", "0x1000", 512, "accept")),
                answered(7, "0x1f"),
                List.of(completed(1, "SUCCESS")))),
        example(
            "SuccessMeansDone",
            "one byte missing",
            join(
                started(),
                List.of(posted(1, "0x100", 512)),
                write(7, "0x100", 512),
                List.of(
                    check(7, "0x100", "0x1000", 512, "accept"),
                    dma(7, 1, "0x100", "0x1000", 100),
                    dma(7, 1, "0x100", "0x1065", 411)),
                answered(7, "0x1f"),
                List.of(completed(1, "SUCCESS")))),
        example(
            "InvalidateIsExact",
            "another key",
            join(connected(), List.of(FAST), invalidatingSend(), List.of(executed("0x200")))),
        example(
            "InvalidateIsExact",
            "a region that was registered by a verb",
            join(started(), invalidatingSend(), List.of(executed("0x100")))),
        example(
            "InvalidateIsExact",
            "a domain that is not the queue pair's",
            join(
                connected(),
                List.of(FAST.replace("pd=1", "pd=2")),
                invalidatingSend(),
                List.of(executed("0x100")))),
        example(
            "InvalidateIsExact",
            "the completion swaps the bytes",
            join(
                connected(),
                List.of(FAST),
                invalidatingSend(),
                List.of(executed("0x100"), received("0x10000")))),
        example(
            "InvalidateBeforeCompletion",
            "received before it was executed",
            join(
                connected(),
                List.of(FAST),
                invalidatingSend(),
                List.of(received("0x100"), executed("0x100")))),
        example(
            "InvalidateBeforeCompletion",
            "a local one completes before it was executed",
            join(
                connected(),
                List.of(
                    FAST,
                    "a post qp=0x11.1 wr=3 op=LOCAL_INV inv=0x100 len=0",
                    "a wc qp=0x11.1 wr=3 status=SUCCESS op=LOCAL_INV"))),
        example(
            "WindowRules",
            "past the region's end",
            join(started(), bind("0x500", "0x1e01", 512, "rights=remote_write"), bound("0x500"))),
        example(
            "WindowRules",
            "a right that the region lacks",
            join(
                join(connected(), registered(1, "0x100", "remote_read|mw_bind")),
                bind("0x500", "0x1000", 512, "rights=remote_write"),
                bound("0x500"))),
        example(
            "WindowRules",
            "without consent",
            join(
                join(connected(), registered(1, "0x100", "local_write|remote_write")),
                bind("0x500", "0x1000", 512, "rights=remote_write"),
                bound("0x500"))),
        example(
            "WindowRules",
            "across protection domains",
            join(
                started(),
                "a mw.alloc mw=5 pd=2 type=2",
                bind("0x500", "0x1000", 512, "rights=remote_write"),
                bound("0x500"))),
        example(
            "WindowRules",
            "a type 2 window that is bound",
            join(
                started(),
                bind("0x500", "0x1000", 512, "rights=remote_write"),
                bound("0x500"),
                bind("0x501", "0x1000", 512, "rights=remote_write"),
                bound("0x501"))),
        example(
            "WindowRules",
            "deregistered under a window",
            join(
                join(
                    started(), bind("0x500", "0x1000", 512, "rights=remote_write"), bound("0x500")),
                deregistered(1, "0x100"))),
        example(
            "WindowRules",
            "a type 1 window invalidated",
            join(
                started(),
                "a bind.call mw=5 type=1 mr=1 key=0x500 va=0x1000 len=8 rights=remote_write",
                bound("0x500"),
                "a inv.call key=0x500 qp=0x11.1",
                executed("0x500"))),
        example(
            "WindowRules",
            "a window without its region",
            join(
                join(connected(), List.of(FAST)),
                bind("0x500", "0x1000", 512, "rights=remote_write"),
                bound("0x500"),
                "a inv.call key=0x100 qp=0x11.1",
                executed("0x100"),
                check(7, "0x500", "0x1000", 8, "accept"))),
        example(
            "LifetimeOrder",
            "registered in a domain that is gone",
            join(
                List.of("a pd.alloc pd=1", "a pd.dealloc pd=1 status=ok"),
                registered(1, "0x100", RIGHTS))),
        example(
            "LifetimeOrder",
            "a domain with a region in it",
            join(registered(1, "0x100", RIGHTS), "a pd.dealloc pd=1 status=ok")),
        example(
            "LifetimeOrder",
            "a domain twice",
            List.of("a pd.dealloc pd=1 status=ok", "a pd.dealloc pd=1 status=ok")),
        example(
            "LifetimeOrder",
            "a window twice",
            List.of(
                "a mw.dealloc.return mw=5 key=0x0 status=ok",
                "a mw.dealloc.return mw=5 key=0x0 status=ok")),
        example(
            "LifetimeOrder",
            "a queue pair twice",
            join(
                connected(),
                "a qp.destroy qp=0x11.1 status=ok",
                "a qp.destroy qp=0x11.1 status=ok")),
        example("LifetimeOrder", "pages before their region", join(started(), PIN, UNPIN)),
        example(
            "LifetimeOrder",
            "pages twice",
            join(started(), PIN, deregistered(1, "0x100"), UNPIN, UNPIN)));
  }

  static Stream<Example> undecided() {
    return Stream.of(
        without(
            "registration",
            "UnpinSafe",
            "dma after unpin",
            join(PIN, UNPIN, List.of(dma(7, 1, "0x100", "0x1000", 512)))),
        without(
            "check",
            "SoundCheck",
            "dma without a check",
            join(started(), write(7, "0x100", 512), List.of(dma(7, 1, "0x100", "0x1000", 512)))),
        without(
            "posting",
            "NoAba",
            "nobody knows what was meant",
            join(
                started(),
                deregistered(1, "0x100"),
                registered(2, "0x100", RIGHTS),
                write(7, "0x100", 512),
                written(7, 2, "0x100", 512))),
        without(
            "wire",
            "SameRegistrationPerMessage",
            "nobody knows what makes a message",
            join(
                started(),
                firstOfTwo(),
                deregistered(1, "0x100"),
                registered(2, "0x100", RIGHTS),
                lastOfTwo(2))),
        without(
            "check",
            "ReregAtomic",
            "old right in the new range",
            rereg("remote_read", check(7, "0x100", "0x5000", 8, "accept"))),
        without(
            "check",
            "LocalFaultStaysLocal",
            "access error for a bad receive buffer",
            join(
                started(),
                request("SEND_ONLY", 7, "ackreq=1 payload=8"),
                List.of(
                    "a check qp=0x11.1 psn=7 access=local_write key=0x999 va=0x1000 len=8"
                        + " remaining=8 verdict=refuse"),
                answered(7, "0x62"))),
        example(
            "ExactlyOneCompletion",
            "not completed when the recording ends",
            join(connected(), List.of(posted(1, "0x100", 8)))),
        without(
            "posting",
            "ExactlyOneCompletion",
            "completed twice",
            join(
                connected(),
                List.of(posted(1, "0x100", 8), completed(1, "SUCCESS"), completed(1, "SUCCESS")))),
        without(
            "posting",
            "CompletionOrder",
            "success after an error",
            join(
                connected(),
                List.of(
                    posted(1, "0x100", 8),
                    posted(2, "0x100", 8),
                    completed(1, "RETRY_EXC_ERR"),
                    completed(2, "SUCCESS")))),
        example(
            "InvalidateBeforeCompletion",
            "nobody knows which queue pair invalidated",
            join(
                connected(),
                List.of(FAST),
                invalidatingSend(),
                List.of("a inv.return key=0x100 status=ok", received("0x100")))),
        without(
            "wire",
            "InvalidateIsExact",
            "nobody knows what the peer named",
            join(connected(), List.of(FAST), List.of(executed("0x100"), received("0x100")))),
        without(
            "registration",
            "WindowRules",
            "past the region's end",
            join(started(), bind("0x500", "0x1e01", 512, "rights=remote_write"), bound("0x500"))),
        without(
            "registration",
            "LifetimeOrder",
            "a domain twice",
            List.of("a pd.dealloc pd=1 status=ok", "a pd.dealloc pd=1 status=ok")));
  }

  private static CheckResult run(Example example) throws Exception {
    byte[] text = (String.join("\n", example.trace()) + "\n").getBytes(StandardCharsets.UTF_8);
    CheckResult result =
        new TraceChecker(Contracts.bundled().only(List.of(example.contract())))
            .check(
                new ByteArrayInputStream(text),
                "example.mrtrace",
                CheckOptions.DEFAULT,
                CheckProgress.silent());
    return new CheckResult(
        result.trace(),
        result.header(),
        result.input(),
        result.contracts(),
        result.refusals(),
        result.specification(),
        0.5);
  }

  private static ContractResult contract(CheckResult result, Example example) {
    return result.contract(example.contract()).orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void check_rightTrace_isConformant(Example example) throws Exception {
    ContractResult result = contract(run(example), example);
    assertThat(result.counts().of(Verdict.Kind.VIOLATION)).isZero();
    assertThat(result.counts().undecided()).isZero();
    assertThat(result.counts().of(Verdict.Kind.CONFORMANT)).isPositive();
  }

  @Test
  void check_retriesExhaustedAlthoughTheNakHadCome_isRemarkedAndNoViolation() throws Exception {
    Example crossed =
        example(
            "CompletionMatchesAnswer",
            "a NAK crosses the last time-out",
            join(
                started(),
                List.of(posted(1, "0x999", 512)),
                write(7, "0x999", 512),
                answered(7, "0x62"),
                List.of(completed(1, "RETRY_EXC_ERR"))));
    ContractResult result = contract(run(crossed), crossed);
    assertThat(result.counts().of(Verdict.Kind.VIOLATION)).isZero();
    assertThat(result.counts().of(Verdict.Kind.SURPRISING)).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void check_rightTrace_breaksNoOtherContract(Example example) throws Exception {
    CheckResult result = Contracts.check(example.trace());
    assertThat(result.contracts())
        .filteredOn(other -> other.counts().of(Verdict.Kind.VIOLATION) > 0)
        .extracting(ContractResult::contract)
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("rejected")
  void check_wrongTrace_isAViolationThatIsExplained(Example example) throws Exception {
    CheckResult result = run(example);
    assertThat(contract(result, example).counts().of(Verdict.Kind.VIOLATION)).isPositive();
    String text = ConsoleReport.text(result, VerdictPolicy.DEFAULT.exitCode(result));
    assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
    compare(example.toString().replaceAll("[^A-Za-z0-9]+", "-") + ".txt", text);
  }

  @ParameterizedTest
  @MethodSource("undecided")
  void check_traceThatSaysTooLittle_isNoViolationAndNotGreen(Example example) throws Exception {
    ContractResult result = contract(run(example), example);
    assertThat(result.counts().of(Verdict.Kind.VIOLATION)).isZero();
    assertThat(result.counts().of(Verdict.Kind.CONFORMANT)).isZero();
    assertThat(result.counts().undecided() > 0 || result.nothingObserved()).isTrue();
  }

  @Test
  void examples_newContracts_haveOneOfEachSort() {
    Set<String> fresh =
        Set.of(
            "UnpinSafe",
            "SameRegistrationPerMessage",
            "NoAba",
            "LocalFaultStaysLocal",
            "ExactlyOneCompletion",
            "CompletionOrder",
            "SuccessMeansDone",
            "InvalidateIsExact",
            "InvalidateBeforeCompletion",
            "WindowRules",
            "ReregAtomic",
            "LifetimeOrder");
    assertThat(names(accepted())).containsAll(fresh);
    assertThat(names(rejected())).containsAll(fresh);
    Set<String> open = new TreeSet<>(fresh);
    // Where the other end was not recorded it says nothing at all, which is no verdict either.
    open.remove("SuccessMeansDone");
    assertThat(names(undecided())).containsAll(open);
  }

  private static Set<String> names(Stream<Example> examples) {
    return examples.map(Example::contract).collect(Collectors.toSet());
  }

  private static void compare(String name, String text) throws IOException {
    Path file = GOLDEN.resolve(name);
    if (Boolean.getBoolean("mrcheck.golden.update")) {
      Files.writeString(file, text, StandardCharsets.UTF_8);
    }
    assertThat(text).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
  }
}
