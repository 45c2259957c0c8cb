package org.mrcheck.spec;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** The small modules that the tests of the bridge read. */
final class TestSpecs {
  private TestSpecs() {}

  static Path folder() {
    try {
      return Path.of(TestSpecs.class.getResource("/specs").toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static SpecLibrary library() {
    return SpecLibrary.folder(folder());
  }
}
