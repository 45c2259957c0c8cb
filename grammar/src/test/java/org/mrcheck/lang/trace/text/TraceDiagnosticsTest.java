package org.mrcheck.lang.trace.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mrcheck.lang.Golden;
import org.mrcheck.lang.diagnostic.DiagnosticSink;

/**
 * What a person is told about damaged and wrong traces. One golden file for each case: how much was
 * read, the warnings, and the error if there is one.
 */
class TraceDiagnosticsTest {
  private static final String HEADER = "mrtrace 1\n%host h clock=monotonic\n";
  private static final String FIRST = "1 100 h/owner dereg.call mr=1 key=0x3ce\n";
  private static final String SECOND = "2 200 h/owner dereg.return mr=1 key=0x3ce status=ok\n";
  private static final String THIRD = "3 300 h/owner reg.call mr=2 key=0x4cf\n";

  static Stream<Arguments> texts() {
    return Stream.of(
        // What is read without complaint
        text("byte_order_mark", "\ufeff" + HEADER + FIRST),
        text("carriage_returns", (HEADER + FIRST + SECOND).replace("\n", "\r\n")),
        text(
            "blank_and_comment_lines",
            "# top\n\n" + HEADER + " \t\n# between\n" + FIRST + "\n" + SECOND + "# end\n"),
        text("comment_behind_event", HEADER + FIRST.replace("\n", "  # why\n")),
        text("comment_as_torn_last_line", HEADER + FIRST + "# torn comm"),
        text("extensions", HEADER + "1 1 h/a x.mine any=thing at=\"all\"\n" + SECOND),
        text("header_only", HEADER),

        // What is dropped
        text("torn_last_line", HEADER + FIRST + "2 200 h/owner dereg.ret"),
        text("torn_last_line_that_parses", HEADER + FIRST + SECOND.replace("\n", "")),
        text("torn_last_line_of_header", "mrtrace 1\n%host h"),
        text("nul_hole", HEADER + FIRST + "2 200 h/ow\0\0\0\0\0\0s=ok\n" + THIRD),
        text("nul_hole_of_200000_bytes", HEADER + FIRST + "\0".repeat(200_000) + SECOND + THIRD),
        text("nul_hole_at_end", HEADER + FIRST + "2 200 h/owner der" + "\0".repeat(4096)),
        text("nul_hole_in_every_line", HEADER + "\0\n\0\n" + FIRST),
        text("nul_hole_in_version_line", "mrtrace 1\0\n" + FIRST),

        // Two writers
        text(
            "interleaved_event_inside_event",
            HEADER + "1 100 h/owner dereg.ca2 110 h/engine0 cache.inval key=0x3ce\n"),
        text(
            "interleaved_value_glued_to_next_event",
            HEADER + "1 100 h/owner dereg.call mr=17 110 h/engine0 cache.inval key=0x3ce\n"),
        text("interleaved_second_half", HEADER + FIRST + "mr=1 key=0x3ce status=ok\n"),
        text("interleaved_second_half_of_name", HEADER + FIRST + "turn mr=1 key=0x3ce\n"),

        // Fields
        text("field_twice", HEADER + "1 100 h/owner dereg.call mr=1 key=0x3ce mr=2\n"),
        text("field_missing", HEADER + "1 100 h/owner dereg.call mr=1\n"),
        text("fields_missing", HEADER + "1 100 h/wire rx psn=3\n"),
        text("field_of_another_event", HEADER + "1 100 h/o dereg.call mr=1 key=1 status=ok\n"),
        text("field_misspelt", HEADER + "1 100 h/o dereg.return mr=1 key=1 staus=ok\n"),
        text(
            "fields_not_together",
            HEADER + "1 100 h/wire rx qp=0x11.1 op=RC_RDMA_WRITE_ONLY psn=1 key=0x3ce len=8\n"),
        text("field_without_value", HEADER + "1 100 h/owner dereg.call mr= key=0x3ce\n"),
        text("field_without_value_at_end", HEADER + "1 100 h/owner dereg.call mr=1 key=\n"),
        text("field_with_blanks", HEADER + "1 100 h/owner dereg.call mr = 1 key=0x3ce\n"),
        text("word_between_fields", HEADER + "1 100 h/owner dereg.call mr=1 now key=0x3ce\n"),

        // Events
        text("event_misspelt", HEADER + "1 100 h/owner dereg.retrun mr=1 key=1 status=ok\n"),
        text("event_unknown", HEADER + "1 100 h/owner migrate mr=1\n"),
        text("event_of_extension_without_name", HEADER + "1 100 h/owner x. mr=1\n"),
        text("event_of_60000_letters", HEADER + "1 1 h/o " + "a".repeat(60_000) + " mr=1\n"),
        text(
            "number_of_60000_digits", HEADER + "1 1 h/o inv.call key=" + "1".repeat(60_000) + "\n"),

        // Beginning of a line
        text("sequence_not_a_number", HEADER + "one 100 h/owner dereg.call mr=1 key=1\n"),
        text("time_missing", HEADER + "1 h/owner dereg.call mr=1 key=1\n"),
        text("actor_missing", HEADER + "1 100 200\n"),
        text("actor_without_role", HEADER + "1 100 owner dereg.call mr=1 key=1\n"),
        text("event_missing", HEADER + "1 100 h/owner\n"),

        // Numbers
        text("number_beyond_32_bits", HEADER + "1 1 h/o dereg.call mr=1 key=0x100000000\n"),
        text(
            "number_beyond_24_bits", HEADER + "1 1 h/w ack qp=1.1 psn=16777216 msn=1 syndrome=0\n"),
        text(
            "number_beyond_64_bits",
            HEADER + "1 1 h/e dma.read qp=1.1 psn=1 mr=1 key=1 va=18446744073709551616 len=1\n"),
        text(
            "number_beyond_choice",
            HEADER + "1 1 h/o bind.call mw=1 type=3 mr=1 key=1 va=0 len=1 rights=none\n"),
        text("number_negative", HEADER + "1 1 h/owner dereg.call mr=-1 key=1\n"),
        text("number_is_a_word", HEADER + "1 1 h/owner dereg.call mr=first key=1\n"),
        text("number_with_unit", HEADER + "1 1 h/owner dereg.call mr=1 key=0x3cez\n"),
        text("sequence_zero", HEADER + "0 1 h/owner dereg.call mr=1 key=1\n"),
        text("time_beyond_64_bits", HEADER + "1 9223372036854775808 h/o dereg.call mr=1 key=1\n"),
        text("queue_pair_without_incarnation", HEADER + "1 1 h/o qp.state qp=0x11 state=ERR\n"),
        text("queue_pair_is_a_word", HEADER + "1 1 h/o qp.state qp=first.1 state=ERR\n"),
        text("queue_pair_beyond_24_bits", HEADER + "1 1 h/o qp.state qp=0x1000000.1 state=ERR\n"),
        text("queue_pair_incarnation_zero", HEADER + "1 1 h/o qp.state qp=0x11.0 state=ERR\n"),
        text("peer_without_host", HEADER + "1 1 h/o qp.connect qp=0x11.1 peer=0x12.1\n"),

        // Words
        text("word_misspelt", HEADER + "1 1 h/o qp.state qp=0x11.1 state=RST\n"),
        text("opcode_misspelt", HEADER + "1 1 h/wire rx qp=0x11.1 op=RC_RDMA_WRITE_FRIST psn=1\n"),
        text(
            "right_misspelt",
            HEADER + "1 1 h/o qp.create qp=0x11.1 pd=1 rights=local_write|remote_wirte\n"),
        text("rights_none_and_one", HEADER + "1 1 h/o qp.create qp=1.1 pd=1 rights=none|mw_bind\n"),

        // Texts and bytes
        text("text_without_end", HEADER + "1 1 h/o async event=\"IBV_EVENT\n"),
        text("text_with_unknown_escape", HEADER + "1 1 h/o async event=\"\u00e9\\q\"\n"),
        text("control_characters", HEADER + "1 1 h/owner \u001b[31mdereg.call\u0007 mr=1\n"),
        text("bidirectional_mark", HEADER + "1 1 h/owner dereg\u202e.call mr=1\n"),
        text(
            "error_far_to_the_right",
            HEADER + "1 1 h/o async event=\"" + "long ".repeat(2000) + "\" qp=0x11\n"),
        text(
            "error_far_to_the_left",
            HEADER + "1 1 h/o async evnt=\"" + "long ".repeat(2000) + "\"\n"),
        bytes(
            "invalid_utf8",
            (HEADER + FIRST + "2 2 h/o async event=\"Z\u00fcrich\"\n")
                .getBytes(StandardCharsets.ISO_8859_1)),

        // Version
        text("version_newer", "mrtrace 2\n%compression zstd\n"),
        text("version_missing", HEADER.substring(10) + FIRST),
        text("version_missing_before_event", FIRST),
        text("version_misspelt", "mtrace 1\n"),
        text("version_without_number", "mrtrace\n"),
        text("version_is_a_word", "mrtrace one\n"),
        text("version_with_text_behind", "mrtrace 1 beta\n"),
        text("version_torn", "mrtrace 1"),
        text("version_twice", HEADER + FIRST + HEADER + FIRST),

        // Header
        text("header_unknown", "mrtrace 1\n%hots h\n"),
        text("header_after_event", HEADER + FIRST + "%transport rocev2\n"),
        text("header_twice", "mrtrace 1\n%transport rocev2\n\n%transport infiniband\n"),
        text("header_without_argument", "mrtrace 1\n%transport\n"),
        text("header_with_more_arguments", "mrtrace 1\n%observes dma h complete now\n"),
        text("header_with_field", "mrtrace 1\n%transport rocev2 mtu=1024\n"),
        text("header_text_without_end", "mrtrace 1\n%source \"soft rnic\n"),
        text("host_twice", "mrtrace 1\n%host h\n%host h process=2\n"),
        text("host_field_misspelt", "mrtrace 1\n%host h genration=1\n"),
        text("host_field_twice", "mrtrace 1\n%host h process=1 process=2\n"),
        text("host_generation_zero", "mrtrace 1\n%host h generation=0\n"),
        text("host_byte_order_unknown", "mrtrace 1\n%host h byte_order=middle\n"),
        text("observed_class_misspelt", "mrtrace 1\n%observes registrations h complete\n"),
        text("observed_completeness_unknown", "mrtrace 1\n%observes dma h full\n"),
        text("observed_host_undeclared", HEADER + "%observes dma hh complete\n" + FIRST),

        // Warnings about meaning
        text(
            "ack_with_syndrome_of_nak",
            HEADER
                + "1 1 h/wire ack qp=0x11.1 psn=3 msn=2 syndrome=0x62\n"
                + "2 2 h/wire nak qp=0x11.1 psn=3 msn=2 syndrome=0x1f\n"),

        // No traces
        text("empty", ""),
        text("only_blank_lines", "\n\n\n"),
        bytes("jpeg", new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff, (byte) 0xe0, 0, 16}),
        bytes("pcap", new byte[] {(byte) 0xd4, (byte) 0xc3, (byte) 0xb2, (byte) 0xa1, 2, 0}),
        bytes("gzip", new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0}),
        bytes("utf16", "\ufeffmrtrace 1\n".getBytes(StandardCharsets.UTF_16LE)),
        bytes("binary", new byte[] {1, 2, 3, 0, 5, 6, 7, 8, 9, 10}),
        text("prose", "Dear reader,\nthis is no trace.\n"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("texts")
  void read_text_saysWhatIsWrong(String name, byte[] input) throws Exception {
    String report = report(new ByteArrayInputStream(input));

    assertThat(report.lines()).allMatch(line -> line.length() <= 80);
    assertThat(report).doesNotContainPattern("[\\x00-\\x09\\x0b-\\x1f\\x7f\\u202e]");
    Golden.assertMatches("trace/" + name, report);
  }

  @Test
  void read_directory_saysSo(@TempDir Path folder) {
    assertThat(
            catchThrowableOfType(
                    TraceSyntaxException.class,
                    () -> TraceReader.open(folder, DiagnosticSink.ignoring()))
                .diagnostic()
                .message())
        .isEqualTo("this is a directory, not a trace");
  }

  @Test
  void read_lineOf10Megabytes_saysSoWithoutReadingIt() throws Exception {
    byte[] start =
        (HEADER + FIRST + "2 200 h/owner async event=\"").getBytes(StandardCharsets.UTF_8);
    CountingStream rest = new CountingStream(10_000_000);

    String report = report(new SequenceInputStream(new ByteArrayInputStream(start), rest));

    Golden.assertMatches("trace/line_of_10_megabytes", report);
    assertThat(rest.delivered()).isLessThan(1_000_000);
  }

  @Test
  void read_lineOfGreatestLength_isRead() throws Exception {
    String head = "1 1 h/o async event=\"";
    String longest = head + "a".repeat(TraceReader.MAX_LINE_BYTES - head.length() - 1) + "\"";

    assertThat(report(stream(HEADER + longest + "\r\n"))).startsWith("events=1 ");
    assertThat(report(stream(HEADER + longest.replaceFirst("a", "aa") + "\r\n")))
        .contains("longer than 65,536 bytes");
  }

  @Test
  void read_bytesOneAtATime_isTheSame() throws Exception {
    String text = HEADER + FIRST + "\0\0\n" + SECOND + THIRD + "4 400 h/o";

    assertThat(report(new OneByteStream(stream(text)))).isEqualTo(report(stream(text)));
  }

  @Test
  void next_lines_knowTheirPlaces() throws Exception {
    String text =
        "\ufeff" + HEADER + "# comment\r\n" + FIRST + "\0\0\0\n  " + SECOND + "\n" + THIRD;
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (TraceReader reader = TraceReader.open(stream(text), "t", DiagnosticSink.ignoring())) {
      for (long line : List.of(4L, 6L, 8L)) {
        TraceLine next = reader.next();
        assertThat(next.line()).isEqualTo(line);
        String there = new String(bytes, (int) next.offset(), 20, StandardCharsets.UTF_8);
        assertThat(there).startsWith(next.event().stamp().seq() + " ");
      }
      assertThat(reader.next()).isNull();
      assertThat(reader.droppedLines()).isEqualTo(1);
      assertThat(reader.warnings()).isEqualTo(1);
    }
  }

  private static Arguments text(String name, String text) {
    return bytes(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private static Arguments bytes(String name, byte[] bytes) {
    return Arguments.of(name, bytes);
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String report(InputStream in) throws Exception {
    StringBuilder findings = new StringBuilder();
    String counts = "";
    try (TraceReader reader =
        TraceReader.open(in, "a.mrtrace", warning -> findings.append('\n').append(warning))) {
      try {
        reader.forEach(line -> assertThat(line.event()).isNotNull());
      } finally {
        counts =
            String.format(
                "events=%d extensions=%d dropped=%d warnings=%d\n",
                reader.events(),
                reader.skippedExtensions(),
                reader.droppedLines(),
                reader.warnings());
      }
    } catch (TraceSyntaxException malformed) {
      findings.append('\n').append(malformed.getMessage());
    }
    return counts + findings;
  }

  /** Delivers letters, and counts how many were asked for. */
  private static final class CountingStream extends InputStream {
    private final long length;
    private long delivered;

    CountingStream(long length) {
      this.length = length;
    }

    long delivered() {
      return delivered;
    }

    @Override
    public int read() {
      return delivered++ < length ? 'a' : -1;
    }
  }

  /** A stream as slow as a pipe can be. */
  private static final class OneByteStream extends FilterInputStream {
    OneByteStream(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      return super.read(buffer, offset, Math.min(1, length));
    }
  }
}
