package org.mrcheck.spec.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.mrcheck.spec.ModelProgress;
import org.mrcheck.spec.ModelRun;
import org.mrcheck.spec.ProgressSink;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.TlaTools;

/**
 * Runs the focused models and liveness properties of a manifest and compares what TLC finds with
 * what the manifest says. Thread-safe.
 *
 * @param tools the TLC to use
 * @param library where the modules are
 * @param profiles the profiles of the library
 * @param options how to run
 */
public record SuiteRunner(
    TlaTools tools, SpecLibrary library, ProfileTable profiles, Options options) {
  /** Rows that took no longer once are run in processes that compile quickly: half the CPU time. */
  private static final double BRIEF_SECONDS = 60;

  public SuiteRunner {
    Objects.requireNonNull(tools, "tools");
    Objects.requireNonNull(library, "library");
    Objects.requireNonNull(profiles, "profiles");
    Objects.requireNonNull(options, "options");
  }

  /**
   * How to run.
   *
   * @param wide whether at wide bounds, where a row has them
   * @param workers threads that search in each run; with more than one, steps are not compared
   * @param parallel runs at once, each a process of its own
   * @param heapMegabytes the memory limit of each process
   * @param limit the longest time a run may take
   * @param store results of earlier runs
   * @param reuse whether results in the store are taken instead of running
   */
  public record Options(
      boolean wide,
      int workers,
      int parallel,
      int heapMegabytes,
      Duration limit,
      Optional<ResultStore> store,
      boolean reuse) {
    /** CI bounds, one worker, two runs at once, no store. */
    public static final Options DEFAULT =
        new Options(false, 1, 2, 1536, Duration.ofHours(1), Optional.empty(), false);

    public Options {
      if (workers < 1 || parallel < 1) {
        throw new IllegalArgumentException("workers and parallel must be at least 1");
      }
      Objects.requireNonNull(limit, "limit");
      Objects.requireNonNull(store, "store");
    }
  }

  /**
   * A row that was run.
   *
   * @param row what was expected
   * @param findings what was found
   * @param differences what differs, a line each; empty when all is as expected
   * @param reused whether the findings come from the store
   * @param wide whether they are of the row's wide bounds
   */
  public record RowResult(
      SuiteManifest.Row row,
      ModelFindings findings,
      List<String> differences,
      boolean reused,
      boolean wide) {
    public RowResult {
      differences = List.copyOf(differences);
    }

    /** Whether all is as expected. */
    public boolean asExpected() {
      return differences.isEmpty();
    }
  }

  /** Hears of rows as they begin and end. */
  public interface Listener {
    /** A row begins. */
    void started(SuiteManifest.Row row);

    /** Where the search of a row is. */
    void progress(SuiteManifest.Row row, ModelProgress now);

    /** A row has ended, and all before it. */
    void finished(RowResult result);

    /** Does not listen. */
    static Listener none() {
      return new Listener() {
        @Override
        public void started(SuiteManifest.Row row) {}

        @Override
        public void progress(SuiteManifest.Row row, ModelProgress now) {}

        @Override
        public void finished(RowResult result) {}
      };
    }
  }

  /** The run of TLC that a row stands for. */
  public ModelRun modelRun(SuiteManifest.Row row) {
    boolean wide = options.wide() && row.wide().isPresent();
    return new ModelRun(
        tools,
        library,
        row.module(),
        wide ? row.wide().get().config() : row.config(),
        false,
        options.workers(),
        false,
        options.heapMegabytes(),
        !wide && row.expected().seconds() <= BRIEF_SECONDS,
        options.limit(),
        false);
  }

  /**
   * Runs one row, or takes its result from the store.
   *
   * @throws SpecException when its module or configuration file does not exist
   * @throws InterruptedException when the thread is interrupted
   */
  public RowResult run(SuiteManifest.Row row, ProgressSink sink) throws InterruptedException {
    boolean wide = options.wide() && row.wide().isPresent();
    SuiteManifest.Row shown = wide ? row.widened() : row;
    ModelRun run = modelRun(row);
    try {
      String key = "";
      if (options.store().isPresent()) {
        key = ResultStore.key(run, row.property().orElse(""));
        if (options.reuse()) {
          Optional<ModelFindings> kept = options.store().get().find(key);
          if (kept.isPresent()) {
            return new RowResult(shown, kept.get(), differences(row, kept.get(), wide), true, wide);
          }
        }
      }
      ModelFindings findings =
          row.property().isPresent()
              ? LivenessRun.run(row.name(), row.property().get(), run, profiles.strict(), sink)
              : SafetyRun.run(row.name(), run, sink);
      if (options.store().isPresent() && findings.explored()) {
        options.store().get().keep(key, findings);
      }
      return new RowResult(shown, findings, differences(row, findings, wide), false, wide);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> differences(SuiteManifest.Row row, ModelFindings found, boolean wide) {
    if (!found.explored()) {
      return List.of(found.unfinished().orElse("not explored"));
    }
    boolean exactly = options.workers() == 1;
    SuiteManifest.Expected got = SuiteManifest.Expected.of(found, profiles);
    List<String> lines =
        new ArrayList<>(
            wide
                ? row.expected().differencesAtWiderBounds(got)
                : row.expected().differences(got, exactly, exactly && row.property().isEmpty()));
    for (String defect : found.settings().defects()) {
      if (found.broken().stream().noneMatch(each -> each.choice().defect().equals(defect))) {
        lines.add("mutant " + defect + " breaks no contract");
      }
    }
    for (String probe : found.settings().probes()) {
      if (found.reached().stream().noneMatch(each -> each.name().equals(probe))) {
        lines.add("situation " + probe + " is never reached");
      }
    }
    return lines;
  }

  /**
   * Runs rows, several at once; all of them, whatever they show.
   *
   * @param rows which
   * @param listener hears of the ends of rows in their order; called by one thread at a time
   * @throws SpecException as {@link #run(SuiteManifest.Row, ProgressSink)}
   * @throws InterruptedException when the thread is interrupted; rows under way are stopped
   */
  public List<RowResult> run(List<SuiteManifest.Row> rows, Listener listener)
      throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(options.parallel());
    try {
      List<Future<RowResult>> running = new ArrayList<>();
      for (SuiteManifest.Row row : rows) {
        running.add(
            pool.submit(
                () -> {
                  synchronized (listener) {
                    listener.started(row);
                  }
                  return run(
                      row,
                      now -> {
                        synchronized (listener) {
                          listener.progress(row, now);
                        }
                      });
                }));
      }
      List<RowResult> results = new ArrayList<>();
      for (Future<RowResult> each : running) {
        RowResult result = result(each);
        synchronized (listener) {
          listener.finished(result);
        }
        results.add(result);
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }

  private static RowResult result(Future<RowResult> running) throws InterruptedException {
    try {
      return running.get();
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(failure.getCause());
    }
  }
}
