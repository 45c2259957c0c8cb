package org.mrcheck.check.capture;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.mrcheck.check.capture.ImportOptions.VerbsLog;

/** The recordings that tests read: those in the repository, and those beside it where present. */
final class TestCaptures {
  private static final Path REPOSITORY = Path.of(System.getProperty("mrcheck.root", ".."));

  /** The recordings of the Linux Soft-RoCE device that belong to the repository. */
  static final Path OWN = REPOSITORY.resolve("trace-check/src/test/resources/captures/rxe");

  /** The folder beside the repository; some of it must not be copied into it. */
  static final Path SHARED = REPOSITORY.resolve("../shared/captures").normalize();

  private TestCaptures() {}

  /** The recordings in the repository. */
  static List<Path> own() {
    return in(OWN);
  }

  /** Recordings made by other people; empty where the folder is not there. */
  static List<Path> published() {
    Path folder = SHARED.resolve("public");
    return Files.isDirectory(folder) ? in(folder) : List.of();
  }

  /** Every recording at hand. */
  static List<Path> all() {
    List<Path> all = new ArrayList<>(own());
    all.addAll(published());
    return all;
  }

  private static List<Path> in(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches(".*\\.pcap(ng)?(\\.gz)?"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Marks, and every verbs log beside the capture. */
  static ImportOptions optionsFor(Path capture) {
    String base = base(capture);
    List<VerbsLog> logs = new ArrayList<>();
    for (String side : List.of("a", "b")) {
      Path log = capture.resolveSibling(base + ".verbs." + side + ".log");
      if (Files.exists(log)) {
        logs.add(VerbsLog.parse(log.toString()));
      }
    }
    return new ImportOptions(OptionalInt.of(9999), logs);
  }

  static String base(Path capture) {
    return capture.getFileName().toString().replaceAll("\\.pcap(ng)?(\\.gz)?$", "");
  }

  /** The other dissector's table beside a capture, without its heading. */
  static List<String> table(Path capture) throws IOException {
    String name = capture.getFileName().toString().replaceAll("\\.gz$", "") + ".tsv";
    Path plain = capture.resolveSibling(name);
    Path compressed = capture.resolveSibling(name + ".gz");
    byte[] bytes;
    if (Files.exists(plain)) {
      bytes = Files.readAllBytes(plain);
    } else {
      try (InputStream in = new GZIPInputStream(Files.newInputStream(compressed))) {
        bytes = in.readAllBytes();
      }
    }
    return new String(bytes, StandardCharsets.UTF_8).lines().skip(1).toList();
  }

  static List<Frame> dissect(Path capture) throws IOException {
    List<Frame> frames = new ArrayList<>();
    FrameDissector dissector = new FrameDissector();
    try (CaptureReader reader = CaptureReader.open(capture)) {
      for (var frame = reader.next(); frame.isPresent(); frame = reader.next()) {
        frames.add(dissector.dissect(frame.get()));
      }
    }
    return frames;
  }
}
