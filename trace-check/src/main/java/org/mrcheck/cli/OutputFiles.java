package org.mrcheck.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.mrcheck.lang.file.WholeFile;

/** Writes files whole or not at all. */
final class OutputFiles {
  private OutputFiles() {}

  /** Writes a text file in UTF-8. */
  static void write(Path file, String text) {
    write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes a file. */
  static void write(Path file, byte[] bytes) {
    try (WholeFile whole = WholeFile.create(file)) {
      try {
        whole.out().write(bytes);
      } catch (IOException failure) {
        whole.discard();
        throw failure;
      }
    } catch (IOException failure) {
      throw UserFault.cannotWrite(file, failure);
    }
  }
}
