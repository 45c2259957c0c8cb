package org.mrcheck.rnic.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mrcheck.lang.trace.Opcode;

/** Wireshark's dissector on the golden frames, where it is installed. */
class IndependentDissectorTest {
  @Test
  void tshark_everyKindOfFrame_isDissectedAsWeMeantItAndNoneIsMalformed(@TempDir Path folder)
      throws Exception {
    boolean installed =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(place -> Files.isExecutable(Path.of(place, "tshark")));
    assumeTrue(installed, "SKIPPED: tshark is not installed");
    Path golden =
        Path.of(System.getProperty("mrcheck.root", ".."))
            .resolve("java-impl/src/test/resources/golden/roce-frames.txt");
    List<String> expected = new ArrayList<>();
    Path file = folder.resolve("a.pcapng");
    try (CaptureWriter writer = CaptureWriter.create(file, "every kind of frame", Map.of())) {
      for (String line : Files.readAllLines(golden)) {
        String[] words = line.split(" ");
        byte[] frame = HexFormat.of().parseHex(words[1]);
        writer.write(frame);
        Opcode opcode = Opcode.named(words[0]);
        // Names that are no opcode's are syndromes, of acknowledgements, and the mark.
        expected.add(
            words[0].equals("mark") ? "" : Integer.toString(opcode == null ? 17 : opcode.code()));
      }
    }
    Path errors = folder.resolve("errors");
    Process tshark =
        new ProcessBuilder(
                List.of(
                    "tshark",
                    "-r",
                    file.toString(),
                    // It takes any SEND for a remote procedure call, and ours of two bytes for bad.
                    "--disable-protocol",
                    "rpcordma",
                    "-T",
                    "fields",
                    "-E",
                    "separator=,",
                    "-e",
                    "infiniband.bth.opcode",
                    "-e",
                    "_ws.malformed",
                    "-e",
                    "_ws.expert"))
            .redirectError(errors.toFile())
            .start();
    tshark.getOutputStream().close();
    String output = new String(tshark.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(tshark.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(tshark.exitValue()).as(Files.readString(errors)).isZero();
    assertThat(output.lines().toList())
        .containsExactlyElementsOf(expected.stream().map(opcode -> opcode + ",,").toList());
  }
}
