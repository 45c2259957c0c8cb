package org.mrcheck.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes files whole or not at all. */
final class OutputFiles {
  private OutputFiles() {}

  /** Writes a text file: to a temporary file beside it first, which is then renamed. */
  static void write(Path file, String text) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      Path temporary = Files.createTempFile(folder, "." + file.getFileName(), ".tmp");
      try {
        Files.writeString(temporary, text);
        Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException failure) {
      throw UserFault.cannotWrite(file, failure);
    }
  }
}
