package org.mrcheck.lang.trace.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.mrcheck.lang.diagnostic.DiagnosticRenderer;
import org.mrcheck.lang.trace.TraceEvent;

/** Whatever is read, it ends with events or with a diagnostic of bounded size, and nothing else. */
class FuzzTest {
  private static final byte[] START =
      "mrtrace 1\n%host h process=1 generation=1 clock=monotonic byte_order=little\n"
          .getBytes(StandardCharsets.UTF_8);

  /** Bytes that mean something to the language. */
  private static final List<Byte> LOADED_BYTES =
      "\n\r\t \"\\=#%/.|0x-".chars().mapToObj(character -> (byte) character).toList();

  private static final int MOST_LINES_OF_A_DIAGNOSTIC = 40;

  /** One change to a file. */
  private record Mutation(int kind, int place, byte value, int length) {
    byte[] applied(byte[] input) {
      if (input.length == 0) {
        return input;
      }
      int at = Math.floorMod(place, input.length);
      int end = Math.min(input.length, at + length);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(input, 0, at);
      switch (kind) {
        case 0 -> out.write(value);
        case 1 -> {
          out.write(value);
          at = Math.min(at + 1, input.length);
        }
        case 2 -> at = end;
        case 3 -> out.write(input, at, end - at);
        case 4 -> out.writeBytes(new byte[length]);
        default -> out.write(input, 0, Math.min(length, input.length));
      }
      out.write(input, at, input.length - at);
      return out.toByteArray();
    }
  }

  @Property(tries = 700, edgeCases = EdgeCasesMode.FIRST)
  void read_anyBytes_failsOnlyWithADiagnostic(@ForAll @Size(max = 200) byte[] bytes)
      throws IOException {
    assertOnlyDiagnostics(bytes);
  }

  @Property(tries = 700)
  void read_anyBytesBehindAHeader_failsOnlyWithADiagnostic(@ForAll @Size(max = 200) byte[] bytes)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(START);
    out.writeBytes(bytes);
    assertOnlyDiagnostics(out.toByteArray());
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void read_mutatedTrace_failsOnlyWithADiagnostic(@ForAll("mutated") byte[] bytes)
      throws IOException {
    assertOnlyDiagnostics(bytes);
  }

  @Provide
  Arbitrary<byte[]> mutated() {
    Arbitrary<byte[]> traces =
        TraceArbitraries.events().list().ofMinSize(1).ofMaxSize(4).map(FuzzTest::printed);
    Arbitrary<Mutation> mutation =
        Combinators.combine(
                Arbitraries.integers().between(0, 5),
                Arbitraries.integers(),
                Arbitraries.oneOf(Arbitraries.bytes(), Arbitraries.of(LOADED_BYTES)),
                Arbitraries.integers().between(0, 40))
            .as(Mutation::new);
    return Combinators.combine(traces, mutation.list().ofMinSize(1).ofMaxSize(4))
        .as(
            (trace, mutations) -> {
              byte[] changed = trace;
              for (Mutation one : mutations) {
                changed = one.applied(changed);
              }
              return changed;
            });
  }

  private static byte[] printed(List<TraceEvent> events) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(START);
    for (TraceEvent event : events) {
      out.writeBytes((TracePrinter.print(event) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    return out.toByteArray();
  }

  private static void assertOnlyDiagnostics(byte[] bytes) throws IOException {
    long[] warnings = {0};
    try (TraceReader reader =
        TraceReader.open(
            new ByteArrayInputStream(bytes),
            "fuzz.mrtrace",
            warning -> {
              warnings[0]++;
              assertReadable(warning.toString());
            })) {
      long events = reader.forEach(line -> assertThat(line.line()).isPositive());
      assertThat(reader.events()).isEqualTo(events);
      assertThat(reader.warnings()).isEqualTo(warnings[0]);
    } catch (TraceSyntaxException malformed) {
      assertReadable(malformed.getMessage());
    }
  }

  private static void assertReadable(String diagnostic) {
    assertThat(diagnostic.lines()).hasSizeLessThan(MOST_LINES_OF_A_DIAGNOSTIC);
    assertThat(diagnostic.lines()).allMatch(line -> line.length() <= DiagnosticRenderer.WIDTH);
    assertThat(diagnostic.codePoints())
        .noneMatch(point -> point != '\n' && Character.isISOControl(point));
  }
}
