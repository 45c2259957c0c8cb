package org.mrcheck.lang;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Texts for people, compared with files under {@code src/test/resources/golden}. Run the tests with
 * {@code -Dmrcheck.golden.update=true} to write what they say now, and commit only differences that
 * you can explain.
 */
public final class Golden {
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");

  private Golden() {}

  /** Asserts that the text is the one in the file of that name, without the ending. */
  public static void assertMatches(String name, String actual) {
    Path file = FOLDER.resolve(name + ".txt");
    try {
      if (Boolean.getBoolean("mrcheck.golden.update")) {
        Files.createDirectories(file.getParent());
        Files.writeString(file, actual);
      }
      assertThat(file).as("golden file; -Dmrcheck.golden.update=true writes it").exists();
      assertThat(actual).isEqualTo(Files.readString(file));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
