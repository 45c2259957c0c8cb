package org.mrcheck.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpecLibraryTest {

  @Test
  void text_ofAFileOutsideTheFolder_isNotGiven(@TempDir Path folder) throws IOException {
    Path inside = Files.createDirectory(folder.resolve("inside"));
    Files.writeString(folder.resolve("Secret.tla"), "secret");
    Files.writeString(Files.createDirectory(inside.resolve("mutants")).resolve("A.cfg"), "a");
    SpecLibrary library = SpecLibrary.folder(inside);

    assertThat(library.text("mutants/A.cfg")).contains("a");
    assertThat(library.text("../Secret.tla")).isEmpty();
    assertThat(library.text("mutants/../../Secret.tla")).isEmpty();
    assertThat(library.text(folder.resolve("Secret.tla").toString())).isEmpty();
    assertThat(library.text("mutants")).isEmpty();
    assertThat(library.text("")).isEmpty();
  }

  @Test
  void folder_thatIsNone_isRefused(@TempDir Path folder) {
    assertThatThrownBy(() -> SpecLibrary.folder(folder.resolve("none")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void orElse_looksInTheFirstFirst() {
    SpecLibrary both =
        SpecLibrary.of(Map.of("A.tla", "first"))
            .orElse(SpecLibrary.of(Map.of("A.tla", "second", "B.tla", "second")));
    assertThat(both.module("A")).contains("first");
    assertThat(both.module("B")).contains("second");
    assertThat(both.module("C")).isEmpty();
  }

  @Test
  void bundled_hasTheContracts() {
    assertThat(SpecLibrary.bundled().module("NoAccessAfterReturn")).isPresent();
    assertThat(SpecLibrary.bundled().module("NoSuchModule")).isEmpty();
    assertThat(SpecLibrary.bundled().text("../SpecLibrary.class")).isEmpty();
  }
}
