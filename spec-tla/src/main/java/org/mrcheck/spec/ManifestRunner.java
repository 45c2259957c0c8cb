package org.mrcheck.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

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

  /** Runs rows one after another; all of them, whatever they show. */
  public List<RowResult> run(List<SpecManifest.Row> rows, Listener listener)
      throws InterruptedException {
    List<RowResult> results = new ArrayList<>();
    for (SpecManifest.Row row : rows) {
      listener.started(row);
      RowResult result = run(row, listener);
      listener.finished(result);
      results.add(result);
    }
    return List.copyOf(results);
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
