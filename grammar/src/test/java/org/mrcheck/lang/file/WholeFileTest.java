package org.mrcheck.lang.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
  @TempDir Path folder;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void close_afterWriting_givesTheFileItsName() throws IOException {
    Path file = Files.writeString(folder.resolve("a"), "old");
    try (WholeFile whole = WholeFile.create(file)) {
      whole.out().write("new".getBytes(UTF_8));
      assertThat(file).hasContent("old");
    }
    assertThat(file).hasContent("new");
    assertThat(names()).containsExactly("a");
  }

  @Test
  void discard_afterWriting_leavesNothing() throws IOException {
    WholeFile whole = WholeFile.create(folder.resolve("a"));
    whole.out().write(1);
    whole.discard();
    whole.close();
    assertThat(names()).isEmpty();
  }

  @Test
  void close_throughASymbolicLink_replacesWhatItPointsTo() throws IOException {
    Path file = Files.writeString(folder.resolve("a"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    try (WholeFile whole = WholeFile.create(link)) {
      whole.out().write("new".getBytes(UTF_8));
    }
    assertThat(file).hasContent("new");
    assertThat(link).isSymbolicLink();
  }

  @Test
  void create_ofADevice_writesToItAndLeavesItADevice() throws IOException {
    Path device = Path.of("/dev/null");
    assumeTrue(Files.isWritable(device) && Files.isDirectory(Path.of("/proc")), "no /dev/null");
    try (WholeFile whole = WholeFile.create(device)) {
      whole.out().write(1);
    }
    assertThat(Files.isRegularFile(device)).isFalse();
  }

  @Test
  void create_ofAFolder_isRefused() {
    assertThatThrownBy(() -> WholeFile.create(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("folder");
    assertThatThrownBy(() -> WholeFile.create(folder.resolve("nowhere").resolve("a")))
        .isInstanceOf(IOException.class);
  }
}
