package org.mrcheck.check.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.mrcheck.lang.diagnostic.DiagnosticSink;
import org.mrcheck.lang.diagnostic.SyntaxException;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.binary.BinaryLayout;
import org.mrcheck.lang.trace.binary.TraceEncoding;
import org.mrcheck.lang.trace.text.TraceInput;
import org.mrcheck.lang.trace.text.TraceLine;
import org.mrcheck.lang.trace.text.TracePrinter;

/**
 * A trace in a file, in the text language or in the binary encoding.
 *
 * @param path the file
 * @param name its name as the user gave it
 */
public record FileTrace(Path path, String name) implements TraceSource {
  private static final int LONGEST_LINE_SHOWN = 4096;

  /** The trace of that file, under the file's name. */
  public static FileTrace of(Path path) {
    return new FileTrace(path, path.toString());
  }

  /**
   * Copies a stream that can be read once, such as standard input, into a temporary file, so that
   * it can be read again for explanations. The caller deletes the file.
   */
  public static FileTrace copyOf(InputStream in, String name) throws IOException {
    Path copy = Files.createTempFile("mrcheck", ".mrtrace");
    boolean copied = false;
    try {
      Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
      copied = true;
    } finally {
      if (!copied) {
        Files.deleteIfExists(copy);
      }
    }
    return new FileTrace(copy, name);
  }

  @Override
  public long size() {
    try {
      return Files.size(path);
    } catch (IOException unreadable) {
      return 0;
    }
  }

  @Override
  public Pass open(DiagnosticSink warnings) throws IOException, SyntaxException {
    // Opened by path for its checks of what kind of file this is.
    TraceInput reader =
        Files.isDirectory(path)
            ? TraceEncoding.open(path, warnings)
            : TraceEncoding.open(Files.newInputStream(path), name, warnings);
    return new Pass() {
      @Override
      public TraceHeader header() {
        return reader.header();
      }

      @Override
      public TraceLine next() throws IOException, SyntaxException {
        return reader.next();
      }

      @Override
      public long extensions() {
        return reader.skippedExtensions();
      }

      @Override
      public void close() throws IOException {
        reader.close();
      }
    };
  }

  private boolean isBinary() throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] first = in.readNBytes(BinaryLayout.magic().length);
      return BinaryLayout.begins(first, first.length);
    }
  }

  @Override
  public Optional<String> sourceLine(TraceLine line) throws IOException {
    if (isBinary()) {
      return Optional.of(TracePrinter.print(line.event()));
    }
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      file.seek(line.offset());
      byte[] bytes = new byte[LONGEST_LINE_SHOWN];
      int length = Math.max(0, file.read(bytes));
      int end = 0;
      while (end < length && bytes[end] != '\n' && bytes[end] != '\r') {
        end++;
      }
      return Optional.of(new String(bytes, 0, end, StandardCharsets.UTF_8));
    }
  }
}
