package org.mrcheck.spec.spi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder that only this user can read, deleted with all it holds when closed.
 *
 * @param path the folder
 */
public record PrivateFolder(Path path) implements AutoCloseable {

  /** A new empty folder among the system's temporary files. */
  public static PrivateFolder create() {
    try {
      return new PrivateFolder(Files.createTempDirectory("mrcheck-tlc-"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes the folder; a leftover among temporary files is not worth failing for. */
  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // See above.
    }
  }
}
