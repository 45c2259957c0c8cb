package org.mrcheck.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.mrcheck.spec.ModelProgress;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.TlaTools;
import org.mrcheck.spec.suite.ProfileTable;
import org.mrcheck.spec.suite.ResultStore;
import org.mrcheck.spec.suite.SuiteManifest;
import org.mrcheck.spec.suite.SuiteRunner;

/**
 * The focused models of a library, how to run them, and who watches.
 *
 * @param manifest what is expected
 * @param runner how to run
 * @param console where progress goes
 */
record SuiteSession(SuiteManifest manifest, SuiteRunner runner, Console console) {

  /**
   * Reads manifest and profiles.
   *
   * @param reuse whether stored results are taken
   */
  static SuiteSession open(
      TlaTools tools,
      SpecLibrary library,
      Console console,
      boolean wide,
      int workers,
      int parallel,
      Optional<Path> store,
      boolean reuse) {
    SuiteManifest manifest = SuiteManifest.read(library);
    ProfileTable profiles = ProfileTable.read(tools, library);
    SuiteRunner.Options options =
        new SuiteRunner.Options(
            wide,
            workers,
            parallel,
            wide ? 4096 : 1536,
            wide ? Duration.ofHours(24) : Duration.ofHours(1),
            Optional.of(new ResultStore(store.orElseGet(SuiteSession::cache))),
            reuse);
    return new SuiteSession(manifest, new SuiteRunner(tools, library, profiles, options), console);
  }

  /** Where results are kept unless the user names another folder. */
  private static Path cache() {
    String base = System.getenv("XDG_CACHE_HOME");
    return base == null || base.isBlank()
        ? Path.of(System.getProperty("user.home"), ".cache", "mrcheck", "models")
        : Path.of(base, "mrcheck", "models");
  }

  /** Runs rows and shows progress; each result is told when it and all before it are there. */
  List<SuiteRunner.RowResult> run(
      List<SuiteManifest.Row> rows, Consumer<SuiteRunner.RowResult> told)
      throws InterruptedException {
    try (Console.Progress progress = console.progress("model")) {
      return runner.run(
          rows,
          new SuiteRunner.Listener() {
            private int done;
            private String latest = "";

            @Override
            public void started(SuiteManifest.Row row) {
              latest = row.name();
            }

            @Override
            public void progress(SuiteManifest.Row row, ModelProgress now) {
              latest = row.name();
              progress.reached(
                  done, rows.size(), "%s, %,d states".formatted(latest, now.distinct()));
            }

            @Override
            public void finished(SuiteRunner.RowResult result) {
              done++;
              progress.reached(done, rows.size(), latest);
              told.accept(result);
            }
          });
    }
  }
}
