package org.mrcheck.lang.trace.binary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mrcheck.lang.diagnostic.DiagnosticSink;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.text.TraceArbitraries;
import org.mrcheck.lang.trace.text.TraceLine;
import org.mrcheck.lang.trace.text.TracePrinter;

/** What is written in the binary encoding reads back as the same records as from text. */
class BinaryRoundTripTest {
  static final TraceHeader EMPTY =
      new TraceHeader(1, List.of(), Optional.empty(), Optional.empty(), List.of(), Map.of());

  @Property(tries = 800, edgeCases = EdgeCasesMode.NONE)
  void read_writtenEvents_areEqual(@ForAll("someEvents") List<TraceEvent> events) throws Exception {
    assertThat(read(write(EMPTY, events))).isEqualTo(events);
  }

  @ParameterizedTest
  @EnumSource
  void read_writtenEventOfEachName_isEqualAndPrintsEqual(EventName name) throws Exception {
    for (int times = 0; times < 20; times++) {
      TraceEvent event = TraceArbitraries.events(name).sample();
      List<TraceEvent> read = read(write(EMPTY, List.of(event)));
      assertThat(read).containsExactly(event);
      assertThat(TracePrinter.print(read.get(0))).isEqualTo(TracePrinter.print(event));
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void read_writtenHeader_isEqual(@ForAll("headers") TraceHeader header) throws Exception {
    try (BinaryTraceReader reader = open(write(header, List.of()))) {
      assertThat(reader.header()).isEqualTo(header);
      assertThat(reader.next()).isNull();
    }
  }

  @Test
  void read_moreSegmentsAndActorsThanOneHolds_isEqual() throws Exception {
    List<TraceEvent> events = new ArrayList<>();
    for (int seq = 1; seq <= 70_000; seq++) {
      Actor actor = new Actor("host" + seq % 3, seq < 66_000 ? "role" + seq : "last");
      events.add(new TraceEvent.CacheInval(new Stamp(seq, -seq, actor), new MemoryKey(seq)));
    }
    byte[] bytes = write(EMPTY, events);
    assertThat(bytes.length % 8).isZero();
    assertThat(read(bytes)).isEqualTo(events);
  }

  @Test
  void append_encodedRecord_readsAsEvent() throws Exception {
    Actor actor = new Actor("10.9.0.1", "engine0");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (BinaryTraceWriter writer = BinaryTraceWriter.to(out, EMPTY)) {
      int number = writer.define(actor);
      int code = BinaryLayout.code(EventName.CACHE_FILL);
      long[] words = {
        0, BinaryLayout.firstWord(code, 5, 0, number), 7, -3, 12, 0xffff_fffeL,
      };
      writer.append(words, 1);
    }
    assertThat(read(out.toByteArray()))
        .containsExactly(
            new TraceEvent.CacheFill(new Stamp(7, -3, actor), new MemoryKey(0xffff_fffe), 12));
  }

  @Test
  void next_events_tellsPositionAndOffset() throws Exception {
    TraceEvent first = TraceArbitraries.events(EventName.CHECK_KEY).sample();
    TraceEvent second = TraceArbitraries.events(EventName.REG).sample();
    byte[] bytes = write(EMPTY, List.of(first, second));
    long offset;
    try (BinaryTraceReader reader = open(bytes)) {
      assertThat(reader.next().line()).isEqualTo(1);
      TraceLine line = reader.next();
      assertThat(line.line()).isEqualTo(2);
      offset = line.offset();
    }
    assertThat(BinaryLayout.word(bytes, (int) offset) & 0xff)
        .isEqualTo(BinaryLayout.code(EventName.REG));
  }

  @Provide
  Arbitrary<List<TraceEvent>> someEvents() {
    return TraceArbitraries.events().list().ofMaxSize(5);
  }

  @Provide
  Arbitrary<TraceHeader> headers() {
    return TraceArbitraries.headers();
  }

  static byte[] write(TraceHeader header, List<TraceEvent> events) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (BinaryTraceWriter writer = BinaryTraceWriter.to(out, header)) {
      events.forEach(writer::accept);
    }
    return out.toByteArray();
  }

  static List<TraceEvent> read(byte[] bytes) throws Exception {
    List<TraceEvent> events = new ArrayList<>();
    try (BinaryTraceReader reader = open(bytes)) {
      for (TraceLine line = reader.next(); line != null; line = reader.next()) {
        events.add(line.event());
      }
      assertThat(reader.warnings()).isZero();
    }
    return events;
  }

  private static BinaryTraceReader open(byte[] bytes) throws Exception {
    return BinaryTraceReader.open(
        new ByteArrayInputStream(bytes), "test.mrbin", DiagnosticSink.ignoring());
  }
}
