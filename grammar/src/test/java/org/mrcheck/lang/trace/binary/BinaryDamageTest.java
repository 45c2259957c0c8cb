package org.mrcheck.lang.trace.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.text.TraceLine;
import org.mrcheck.lang.trace.text.TraceSyntaxException;

/** Binary traces that their recording damaged. */
class BinaryDamageTest {
  private static final int EVENTS = 6000;
  private static final byte[] WHOLE = whole();

  private static byte[] whole() {
    List<TraceEvent> events = new ArrayList<>();
    for (int seq = 1; seq <= EVENTS; seq++) {
      events.add(
          new TraceEvent.CacheFill(
              new Stamp(seq, seq, new Actor("host", "role" + seq % 5)),
              new MemoryKey(seq * 77),
              seq));
    }
    try {
      return BinaryRoundTripTest.write(BinaryRoundTripTest.EMPTY, events);
    } catch (Exception impossible) {
      throw new AssertionError(impossible);
    }
  }

  private record Read(List<Long> numbers, List<String> warnings) {}

  private static Read read(byte[] bytes) throws Exception {
    List<Long> numbers = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    try (BinaryTraceReader reader =
        BinaryTraceReader.open(
            new ByteArrayInputStream(bytes),
            "test.mrbin",
            warning -> warnings.add(warning.message()))) {
      for (TraceLine line = reader.next(); line != null; line = reader.next()) {
        TraceEvent.CacheFill fill = (TraceEvent.CacheFill) line.event();
        assertThat(fill.key()).isEqualTo(new MemoryKey((int) fill.mr() * 77));
        numbers.add(fill.stamp().seq());
      }
    }
    return new Read(numbers, warnings);
  }

  @Test
  void read_holeOfZeros_goesOnAtNextSegment() throws Exception {
    byte[] damaged = WHOLE.clone();
    Arrays.fill(damaged, 8192, 12288, (byte) 0);
    Read read = read(damaged);

    assertThat(read.warnings()).hasSize(1);
    assertThat(read.warnings().get(0)).contains("are damaged", "65584");
    assertThat(read.numbers()).contains(1L, 100L, (long) EVENTS).isSorted();
    assertThat(read.numbers().size()).isBetween(EVENTS - 1700, EVENTS - 50);
  }

  @Test
  void read_zerosToTheEnd_endsWithAWarning() throws Exception {
    byte[] damaged = WHOLE.clone();
    Arrays.fill(damaged, 100_000, damaged.length, (byte) 0);
    Read read = read(damaged);

    assertThat(read.warnings()).hasSize(1);
    assertThat(read.warnings().get(0)).contains("to the end of the file");
    assertThat(read.numbers()).isNotEmpty();
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void read_cutAnywhere_givesAPrefix(@ForAll @IntRange(min = 300, max = 200_000) int length)
      throws Exception {
    Read read = read(Arrays.copyOf(WHOLE, length));

    assertThat(read.warnings().size()).isLessThanOrEqualTo(1);
    for (int index = 0; index < read.numbers().size(); index++) {
      assertThat(read.numbers().get(index)).isEqualTo(index + 1);
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void read_onePageOfZeros_losesOnlyItsSegment(@ForAll @IntRange(min = 1, max = 56) int page)
      throws Exception {
    byte[] damaged = WHOLE.clone();
    Arrays.fill(damaged, page * 4096, (page + 1) * 4096, (byte) 0);
    Read read = read(damaged);

    assertThat(read.warnings()).isNotEmpty();
    assertThat(read.numbers()).isSorted().doesNotHaveDuplicates();
    assertThat(read.numbers().size()).isGreaterThan(EVENTS - 2 * 1700);
  }

  @Test
  void open_otherVersion_isRefused() {
    byte[] newer = WHOLE.clone();
    newer[8] = 2;
    assertThatThrownBy(() -> read(newer))
        .isInstanceOf(TraceSyntaxException.class)
        .hasMessageContaining("version 2")
        .hasMessageContaining("newer mrcheck");
  }

  @Test
  void open_cutHeader_isRefused() {
    assertThatThrownBy(() -> read(Arrays.copyOf(WHOLE, 20)))
        .isInstanceOf(TraceSyntaxException.class)
        .hasMessageContaining("ends inside its header");
  }
}
