package org.mrcheck.spec;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
 * @param goesOn whether the search goes on after a violated invariant, so that one run tells all
 *     violations; see {@link ModelChecker#explore}
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
    Duration limit,
    boolean goesOn) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

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
        Duration.ofHours(1),
        false);
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
        limit,
        goesOn);
  }

  /** This run with modules from elsewhere. */
  public ModelRun withLibrary(SpecLibrary other) {
    return new ModelRun(
        tools,
        other,
        module,
        config,
        checkDeadlock,
        workers,
        coverage,
        heapMegabytes,
        brief,
        limit,
        goesOn);
  }

  /** This run with or without deadlock checking. */
  public ModelRun withDeadlockCheck(boolean check) {
    return new ModelRun(
        tools,
        library,
        module,
        config,
        check,
        workers,
        coverage,
        heapMegabytes,
        brief,
        limit,
        goesOn);
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
        limit,
        goesOn);
  }

  /** This run with or without coverage. */
  public ModelRun withCoverage(boolean count) {
    return new ModelRun(
        tools,
        library,
        module,
        config,
        checkDeadlock,
        workers,
        count,
        heapMegabytes,
        brief,
        limit,
        goesOn);
  }

  /** This run with another memory limit. */
  public ModelRun withHeapMegabytes(int megabytes) {
    return new ModelRun(
        tools,
        library,
        module,
        config,
        checkDeadlock,
        workers,
        coverage,
        megabytes,
        brief,
        limit,
        goesOn);
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
        limit,
        goesOn);
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
        longest,
        goesOn);
  }

  /** This run, going on after violations or not. */
  public ModelRun withGoingOn(boolean on) {
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
        limit,
        on);
  }

  /**
   * The files that the run reads: the configuration, the root module and every module of the
   * library that they may import, by their names in the library. Any word in a module that is also
   * the name of a module counts; that errs on the side of too much, and needs no parser.
   *
   * @throws SpecException when the root module or the configuration file does not exist
   */
  public SortedMap<String, String> texts() {
    TreeMap<String, String> texts = new TreeMap<>();
    String cfg = library.text(config).orElseThrow(() -> missing(config, "no such file"));
    String root =
        library.module(module).orElseThrow(() -> missing(module + ".tla", "no such module"));
    texts.put(config, cfg);
    texts.put(module + ".tla", root);
    Set<String> seen = new HashSet<>(Set.of(module));
    Deque<String> unread = new ArrayDeque<>(List.of(root, cfg));
    while (!unread.isEmpty()) {
      Matcher word = NAME.matcher(unread.pop());
      while (word.find()) {
        if (seen.add(word.group())) {
          Optional<String> imported = library.module(word.group());
          if (imported.isPresent()) {
            texts.put(word.group() + ".tla", imported.get());
            unread.push(imported.get());
          }
        }
      }
    }
    return texts;
  }

  private SpecException missing(String file, String what) {
    return new SpecException(
        SpecException.Kind.MISSING_FILE,
        SourceLocation.of(file),
        what + " in " + library.description());
  }
}
