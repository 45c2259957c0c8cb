package org.mrcheck.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.mrcheck.spec.suite.SuiteManifest;

/**
 * Every model of mrcheck shows what its row in the manifest says. With {@code
 * -Dmrcheck.golden.update=true} the counts of the rows that run are written into the manifest
 * instead; the verdicts never are.
 */
class BundledManifestTest {
  private static final double FAST_SECONDS = 10;
  private static final Path FOLDER = Path.of(System.getProperty("mrcheck.root"), "spec-tla");

  private static SpecManifest manifest() {
    assumeTrue(
        Files.exists(FOLDER.resolve(SpecManifest.FILE)),
        "spec-tla has no " + SpecManifest.FILE + ": no model was checked");
    return SpecManifest.read(SpecLibrary.folder(FOLDER));
  }

  @TestFactory
  Stream<DynamicTest> fastRow_runByTlc_showsWhatTheManifestSays() throws InterruptedException {
    return rows(row -> row.seconds() <= FAST_SECONDS);
  }

  @TestFactory
  @Tag("slow")
  Stream<DynamicTest> slowRow_runByTlc_showsWhatTheManifestSays() throws InterruptedException {
    return rows(row -> row.seconds() > FAST_SECONDS);
  }

  @Test
  void configurationFiles_ofTheFolder_areAllInTheManifest() throws IOException {
    Set<String> listed = new HashSet<>();
    manifest().rows().forEach(row -> listed.add(row.config()));
    for (SuiteManifest.Row row : SuiteManifest.read(SpecLibrary.folder(FOLDER)).all()) {
      listed.add(row.config());
      row.wide().ifPresent(wide -> listed.add(wide.config()));
    }
    try (Stream<Path> files = Files.walk(FOLDER, 2)) {
      assertThat(
              files
                  .filter(file -> file.toString().endsWith(".cfg"))
                  .map(file -> FOLDER.relativize(file).toString().replace('\\', '/')))
          .isSubsetOf(listed);
    }
  }

  /** Runs the rows two at a time, since each is a process of its own, and then tells one by one. */
  private static Stream<DynamicTest> rows(Predicate<SpecManifest.Row> chosen)
      throws InterruptedException {
    ManifestRunner runner = new ManifestRunner(TlaTools.bundled(), SpecLibrary.folder(FOLDER));
    List<SpecManifest.Row> rows = manifest().rows().stream().filter(chosen).toList();
    return runner.run(rows, 2, ManifestRunner.Listener.none()).stream()
        .map(
            result ->
                DynamicTest.dynamicTest(
                    result.row().name() + ": " + result.row().shows(),
                    () -> {
                      if (Boolean.getBoolean("mrcheck.golden.update")) {
                        assertThat(result.result().outcome()).isEqualTo(result.row().expected());
                        write(result.row().measured(result.result()));
                      } else {
                        assertThat(result.differences()).isEmpty();
                      }
                    }));
  }

  private static void write(SpecManifest.Row measured) throws IOException {
    SuiteManifest whole = SuiteManifest.read(SpecLibrary.folder(FOLDER));
    List<SpecManifest.Row> rows = new ArrayList<>(whole.rows().rows());
    rows.replaceAll(row -> row.name().equals(measured.name()) ? measured : row);
    Path next = FOLDER.resolve(SpecManifest.FILE + ".next");
    Files.writeString(
        next,
        new SuiteManifest(
                whole.models(),
                whole.liveness(),
                whole.neutral(),
                whole.notApplicable(),
                new SpecManifest(rows))
            .toJson());
    Files.move(next, FOLDER.resolve(SpecManifest.FILE), StandardCopyOption.REPLACE_EXISTING);
  }
}
