package org.mrcheck.lang.trace.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mrcheck.lang.diagnostic.DiagnosticSink;
import org.mrcheck.lang.trace.TraceHeader;

/** Memory does not depend on how long a trace is. */
class LongTraceTest {
  private static final long LENGTH = 120_000_000;
  private static final long MOST_RETAINED_BYTES = 8_000_000;

  @Test
  void read_traceOf120Megabytes_retainsNothing() throws Exception {
    try (EndlessTrace trace = new EndlessTrace(LENGTH);
        TraceReader reader = TraceReader.open(trace, "long", DiagnosticSink.ignoring())) {
      for (int warmUp = 0; warmUp < 10_000; warmUp++) {
        assertThat(reader.next()).isNotNull();
      }
      long before = usedAfterCollection();
      long expected = 10_000;
      for (TraceLine next = reader.next(); next != null; next = reader.next()) {
        if (next.event().stamp().seq() != ++expected) {
          assertThat(next.event().stamp().seq()).isEqualTo(expected);
        }
      }

      assertThat(trace.delivered()).isGreaterThanOrEqualTo(LENGTH);
      assertThat(reader.events()).isEqualTo(expected).isGreaterThan(900_000);
      assertThat(usedAfterCollection() - before).isLessThan(MOST_RETAINED_BYTES);
    }
  }

  private static long usedAfterCollection() {
    long least = Long.MAX_VALUE;
    for (int times = 0; times < 3; times++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  /** Makes up a trace while it is read. */
  static final class EndlessTrace extends InputStream {
    private static final List<String> BODIES =
        List.of(
            "10.9.0.1/wire rx qp=0x11.1 op=RC_RDMA_WRITE_FIRST psn=11256628 ackreq=1"
                + " payload=1024 key=0x3ce va=0x1ad57000 len=4000 icrc=ok frame=20\n",
            "10.9.0.1/engine0 check qp=0x11.1 psn=11256628 access=remote_write key=0x3ce"
                + " va=0x1ad57000 len=1024 remaining=4000 verdict=accept mr=1\n",
            "10.9.0.1/engine0 dma.write qp=0x11.1 psn=11256628 mr=1 key=0x3ce va=0x1ad57000"
                + " len=1024\n",
            "10.9.0.1/wire ack qp=0x11.1 psn=11256628 msn=2 syndrome=0x1f\n");

    private final long length;
    private byte[] line;
    private int position;
    private long sequence;
    private long delivered;

    EndlessTrace(long length) {
      this.length = length;
      this.line =
          TracePrinter.print(
                  new TraceHeader(
                      1, List.of(), Optional.empty(), Optional.empty(), List.of(), Map.of()))
              .getBytes(StandardCharsets.UTF_8);
    }

    long delivered() {
      return delivered;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("one byte at a time");
    }

    @Override
    public int read(byte[] buffer, int offset, int count) {
      if (position == line.length) {
        if (delivered >= length) {
          return -1;
        }
        sequence++;
        String body = BODIES.get((int) (sequence % BODIES.size()));
        String text = sequence + " " + (1_796_076_735_997_575_000L + sequence) + " " + body;
        line = text.getBytes(StandardCharsets.UTF_8);
        position = 0;
      }
      int copied = Math.min(count, line.length - position);
      System.arraycopy(line, position, buffer, offset, copied);
      position += copied;
      delivered += copied;
      return copied;
    }
  }
}
