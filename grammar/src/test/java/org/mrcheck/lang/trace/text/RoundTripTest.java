package org.mrcheck.lang.trace.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mrcheck.lang.diagnostic.DiagnosticSink;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;

/** What is printed reads back as the same records. */
class RoundTripTest {
  private static final TraceHeader EMPTY =
      new TraceHeader(1, List.of(), Optional.empty(), Optional.empty(), List.of(), Map.of());

  @Property(tries = 800, edgeCases = EdgeCasesMode.NONE)
  void read_printedEvents_areEqual(@ForAll("someEvents") List<TraceEvent> events) throws Exception {
    assertThat(read(write(EMPTY, events))).isEqualTo(events);
  }

  @ParameterizedTest
  @EnumSource
  void read_printedEventOfEachName_isEqual(EventName name) throws Exception {
    TraceEvent event = TraceArbitraries.events(name).sample();
    assertThat(read(write(EMPTY, List.of(event)))).containsExactly(event);
    assertThat(write(EMPTY, List.of(event))).endsWith(TracePrinter.print(event) + "\n");
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void read_printedHeader_isEqual(@ForAll("headers") TraceHeader header) throws Exception {
    String text = write(header, List.of());
    assertThat(text).isEqualTo(TracePrinter.print(header));
    try (TraceReader reader = open(text)) {
      assertThat(reader.header()).isEqualTo(header);
      assertThat(reader.next()).isNull();
    }
  }

  @Provide
  Arbitrary<List<TraceEvent>> someEvents() {
    return TraceArbitraries.events().list().ofMaxSize(5);
  }

  @Provide
  Arbitrary<TraceHeader> headers() {
    return TraceArbitraries.headers();
  }

  private static String write(TraceHeader header, List<TraceEvent> events) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (TraceWriter writer = TraceWriter.to(out, header)) {
      events.forEach(writer::accept);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static List<TraceEvent> read(String text) throws Exception {
    List<TraceEvent> events = new ArrayList<>();
    try (TraceReader reader = open(text)) {
      reader.forEach(line -> events.add(line.event()));
      assertThat(reader.droppedLines()).isZero();
    }
    return events;
  }

  private static TraceReader open(String text) throws Exception {
    return TraceReader.open(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
        "printed.mrtrace",
        DiagnosticSink.ignoring());
  }
}
