package org.mrcheck.spec;

import java.time.Duration;
import java.util.Objects;

/**
 * One run of TLC.
 *
 * @param tools the TLC to use
 * @param library where modules and configuration files are
 * @param module the root module, without {@code .tla}
 * @param config the configuration file, relative to the library
 * @param checkDeadlock whether a state without successor is an error; a {@code CHECK_DEADLOCK
 *     FALSE} in the configuration file switches it off too
 * @param workers threads that search, at least 1; only with one is a counterexample as short as
 *     possible, and are counts the same in every run that ends early
 * @param coverage whether to count how often each action is taken; costs some speed
 * @param heapMegabytes the memory limit of TLC's process, at least 64
 * @param brief whether the run is expected to take seconds only; its process then compiles quickly
 *     rather than well, which halves the cost of a small model and slows a large one
 * @param limit the longest time the run may take; then it ends as {@code GAVE_UP}
 */
public record ModelRun(
    TlaTools tools,
    SpecLibrary library,
    String module,
    String config,
    boolean checkDeadlock,
    int workers,
    boolean coverage,
    int heapMegabytes,
    boolean brief,
    Duration limit) {
  public ModelRun {
    Objects.requireNonNull(tools, "tools");
    Objects.requireNonNull(library, "library");
    Objects.requireNonNull(module, "module");
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(limit, "limit");
    if (workers < 1) {
      throw new IllegalArgumentException("workers must be at least 1, got " + workers);
    }
    if (heapMegabytes < 64) {
      throw new IllegalArgumentException("heapMegabytes must be at least 64: " + heapMegabytes);
    }
  }

  /**
   * A run with the bundled tools, one worker, deadlock checking, no coverage, 1 GiB and an hour.
   */
  public static ModelRun of(SpecLibrary library, String module, String config) {
    return new ModelRun(
        TlaTools.bundled(),
        library,
        module,
        config,
        true,
        1,
        false,
        1024,
        false,
        Duration.ofHours(1));
  }

  /** This run with other tools. */
  public ModelRun withTools(TlaTools other) {
    return new ModelRun(
        other,
        library,
        module,
        config,
        checkDeadlock,
        workers,
        coverage,
        heapMegabytes,
        brief,
        limit);
  }

  /** This run with or without deadlock checking. */
  public ModelRun withDeadlockCheck(boolean check) {
    return new ModelRun(
        tools, library, module, config, check, workers, coverage, heapMegabytes, brief, limit);
  }

  /** This run with another number of workers. */
  public ModelRun withWorkers(int count) {
    return new ModelRun(
        tools,
        library,
        module,
        config,
        checkDeadlock,
        count,
        coverage,
        heapMegabytes,
        brief,
        limit);
  }

  /** This run with or without coverage. */
  public ModelRun withCoverage(boolean count) {
    return new ModelRun(
        tools, library, module, config, checkDeadlock, workers, count, heapMegabytes, brief, limit);
  }

  /** This run with another memory limit. */
  public ModelRun withHeapMegabytes(int megabytes) {
    return new ModelRun(
        tools, library, module, config, checkDeadlock, workers, coverage, megabytes, brief, limit);
  }

  /** This run with another time limit. */
  public ModelRun withLimit(Duration longest) {
    return new ModelRun(
        tools,
        library,
        module,
        config,
        checkDeadlock,
        workers,
        coverage,
        heapMegabytes,
        brief,
        longest);
  }

  /** This run, expected to be brief or not. */
  public ModelRun withBrief(boolean expected) {
    return new ModelRun(
        tools,
        library,
        module,
        config,
        checkDeadlock,
        workers,
        coverage,
        heapMegabytes,
        expected,
        limit);
  }
}
