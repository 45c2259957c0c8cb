package org.mrcheck.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs rows of a manifest and compares what TLC finds with what the row says: verdict, violated
 * property and counts, exactly. Thread-safe.
 *
 * @param tools the TLC to use
 * @param library where the modules are
 */
public record ManifestRunner(TlaTools tools, SpecLibrary library) {
  /** Rows that took no longer once are run in processes that compile quickly. */
  private static final double BRIEF_SECONDS = 10;

  public ManifestRunner {
    Objects.requireNonNull(tools, "tools");
    Objects.requireNonNull(library, "library");
  }

  /**
   * A row that was run.
   *
   * @param row what was expected
   * @param result what was found
   * @param differences what differs, a line each; empty when all is as expected
   */
  public record RowResult(SpecManifest.Row row, ModelResult result, List<String> differences) {
    public RowResult {
      differences = List.copyOf(differences);
    }

    /** Whether all is as expected. */
    public boolean asExpected() {
      return differences.isEmpty();
    }
  }

  /** Hears of rows as they begin and end. */
  public interface Listener extends ProgressSink {
    /** A row begins. */
    void started(SpecManifest.Row row);

    /** A row has ended. */
    void finished(RowResult result);

    /** Does not listen. */
    static Listener none() {
      return new Listener() {
        @Override
        public void started(SpecManifest.Row row) {}

        @Override
        public void finished(RowResult result) {}

        @Override
        public void progress(ModelProgress now) {}
      };
    }
  }

  /**
   * Runs one row.
   *
   * @throws SpecException when its module or configuration file does not exist
   * @throws InterruptedException when the thread is interrupted
   */
  public RowResult run(SpecManifest.Row row, ProgressSink sink) throws InterruptedException {
    ModelRun run =
        ModelRun.of(library, row.module(), row.config())
            .withTools(tools)
            .withDeadlockCheck(row.checkDeadlock())
            .withWorkers(row.workers())
            .withBrief(row.seconds() <= BRIEF_SECONDS);
    ModelResult result = ModelChecker.check(run, sink);
    return new RowResult(row, result, differences(row, result));
  }

  /**
   * Runs rows, several at once; all of them, whatever they show.
   *
   * @param parallel how many at once, at least 1; each has a process of its own
   * @param listener hears of the rows in their order, each when it and all before it have ended;
   *     called by one thread at a time
   * @throws SpecException as {@link #run(SpecManifest.Row, ProgressSink)}
   * @throws InterruptedException when the thread is interrupted; rows under way are stopped
   */
  public List<RowResult> run(List<SpecManifest.Row> rows, int parallel, Listener listener)
      throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(parallel);
    try {
      List<Future<RowResult>> running = new ArrayList<>();
      for (SpecManifest.Row row : rows) {
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
                          listener.progress(now);
                        }
                      });
                }));
      }
      List<RowResult> results = new ArrayList<>();
      for (Future<RowResult> one : running) {
        RowResult result = result(one);
        synchronized (listener) {
          listener.finished(result);
        }
        results.add(result);
      }
      return List.copyOf(results);
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

  private static List<String> differences(SpecManifest.Row row, ModelResult result) {
    List<String> differences = new ArrayList<>();
    if (result.outcome() != row.expected()) {
      differences.add("expected " + row.expected() + ", got " + describe(result));
      return differences;
    }
    if (row.violated().isPresent() && !row.violated().equals(result.violated())) {
      differences.add(
          "expected %s to be violated, got %s"
              .formatted(row.violated().get(), result.violated().orElse("no name")));
    }
    compare("distinct states", row.distinct(), result.counts().distinct(), differences);
    compare("generated states", row.generated(), result.counts().generated(), differences);
    OptionalLong depth =
        row.depth().isPresent() ? OptionalLong.of(row.depth().getAsInt()) : OptionalLong.empty();
    compare("depth", depth, result.counts().depth(), differences);
    return differences;
  }

  private static String describe(ModelResult result) {
    return result.outcome()
        + result.location().map(place -> " at " + place).orElse("")
        + ": "
        + result.message();
  }

  private static void compare(
      String what, OptionalLong expected, long got, List<String> differences) {
    if (expected.isPresent() && expected.getAsLong() != got) {
      differences.add("expected %d %s, got %d".formatted(expected.getAsLong(), what, got));
    }
  }
}
