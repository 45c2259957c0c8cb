package org.mrcheck.spec;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.mrcheck.spec.spi.CheckerMessage;
import org.mrcheck.spec.spi.PrivateFolder;

/**
 * Runs TLC on a model.
 *
 * <p>TLC runs in a child process, not in a class loader of this one, because what a full run does
 * to its process cannot be undone: it exports a remote object, which opens a listening socket
 * through a factory that a Java process can set only once and leaves a non-daemon thread behind; it
 * calls {@code System.exit} when a disk is full; it can run out of memory; and it reads and writes
 * fixed names in the user's home and temporary folder. In a child all of that is contained: the
 * factory binds to loopback, home and temporary folder are private and deleted afterwards (so that
 * usage statistics are never sent), and when either process dies, so does the run. A start costs
 * about a second.
 *
 * <p>The child tells its messages over its standard output in a binary form; what TLC prints is
 * dropped. Nothing is printed here. Every run has folders of its own, so runs can follow each other
 * and run side by side. Without state; thread-safe.
 */
public final class ModelChecker {
  private static final String MAIN = "org.mrcheck.spec.tlc.CheckerProcess";

  private ModelChecker() {}

  /**
   * Checks a model.
   *
   * @param run what to check
   * @param sink hears of the progress on the calling thread
   * @return the verdict; errors in the spec are a verdict too
   * @throws SpecException when the root module or the configuration file does not exist, or the
   *     tools do not work
   * @throws InterruptedException when the thread is interrupted; TLC is then stopped
   */
  public static ModelResult check(ModelRun run, ProgressSink sink) throws InterruptedException {
    return explore(run.withGoingOn(false), sink, ViolationSink.none(), List.of());
  }

  /**
   * Checks a model and tells every violation of an invariant, if the run goes on after one.
   *
   * <p>A run that goes on tells each state that violates an invariant, in the order of the search.
   * With one worker that is the order of depth, so the first that shows something is the shortest
   * that does. The result then has outcome {@code INVARIANT_VIOLATED} only if all states within
   * bounds were explored, and no counterexample of its own.
   *
   * @param run what to check
   * @param sink hears of the progress on the calling thread
   * @param violations hears of violations and of operators' values on the calling thread
   * @param operators definitions of the root module without parameters to evaluate under the
   *     configuration's constants; those that the module lacks are passed over
   * @return the verdict; errors in the spec are a verdict too
   * @throws SpecException when the root module or the configuration file does not exist, or the
   *     tools do not work
   * @throws InterruptedException when the thread is interrupted; TLC is then stopped
   */
  public static ModelResult explore(
      ModelRun run, ProgressSink sink, ViolationSink violations, List<String> operators)
      throws InterruptedException {
    long began = System.nanoTime();
    try (PrivateFolder folder = PrivateFolder.create()) {
      Path spec = Files.createDirectory(folder.path().resolve("spec"));
      copySpec(run, spec);
      return watch(run, sink, violations, operators, folder.path(), began);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ModelResult watch(
      ModelRun run,
      ProgressSink sink,
      ViolationSink violations,
      List<String> operators,
      Path folder,
      long began)
      throws IOException, InterruptedException {
    Path complaints = folder.resolve("complaints.txt");
    Process process =
        new ProcessBuilder(command(run, operators, folder))
            .directory(folder.toFile())
            .redirectError(complaints.toFile())
            .start();
    try {
      BlockingQueue<Optional<CheckerMessage>> messages = new LinkedBlockingQueue<>();
      Thread reader = new Thread(() -> read(process, messages), "mrcheck-tlc-reader");
      reader.setDaemon(true);
      reader.start();
      Collector collector = new Collector(run, sink, violations);
      while (true) {
        Duration left = run.limit().minusNanos(System.nanoTime() - began);
        Optional<CheckerMessage> next =
            left.isNegative() ? null : messages.poll(left.toNanos(), TimeUnit.NANOSECONDS);
        if (next == null) {
          return collector.gaveUp("stopped after " + run.limit().toSeconds() + " s", began);
        }
        if (next.isEmpty()) {
          throw new SpecException(
              SpecException.Kind.TOOLS,
              null,
              "TLC's process ended without a verdict" + lastLine(complaints));
        }
        Optional<ModelResult> result = collector.accept(next.get(), began);
        if (result.isPresent()) {
          return result.get();
        }
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static void read(Process process, BlockingQueue<Optional<CheckerMessage>> messages) {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
      while (true) {
        messages.add(Optional.of(CheckerMessage.read(in)));
      }
    } catch (EOFException e) {
      messages.add(Optional.empty());
    } catch (IOException e) {
      // The process was stopped while it was writing.
      messages.add(Optional.empty());
    }
  }

  private static List<String> command(ModelRun run, List<String> operators, Path folder) {
    String separator = System.getProperty("path.separator");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + run.heapMegabytes() + "m",
                // TLC evaluates by recursion; a long observation needs more than the usual stack.
                "-Xss64m",
                // The serial collector starts fastest; several workers need the parallel one.
                run.workers() == 1 ? "-XX:+UseSerialGC" : "-XX:+UseParallelGC",
                "-XX:TieredStopAtLevel=" + (run.brief() ? 1 : 4),
                "-Djava.io.tmpdir=" + folder,
                "-Duser.home=" + folder,
                "-Djava.rmi.server.hostname=127.0.0.1",
                "-Djava.awt.headless=true",
                "-Duser.language=en",
                "-Duser.country=US",
                "-Dfile.encoding=UTF-8",
                "-cp",
                ownClasses() + separator + run.tools().jar(),
                MAIN,
                folder.toString(),
                run.module(),
                Path.of(run.config()).getFileName().toString(),
                Boolean.toString(run.checkDeadlock()),
                Integer.toString(run.workers()),
                Boolean.toString(run.coverage()),
                Boolean.toString(run.goesOn())));
    command.addAll(operators);
    return command;
  }

  private static Path ownClasses() {
    try {
      return Path.of(
          ModelChecker.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void copySpec(ModelRun run, Path folder) throws IOException {
    for (Map.Entry<String, String> file : run.texts().entrySet()) {
      Files.writeString(
          folder.resolve(Path.of(file.getKey()).getFileName().toString()),
          file.getValue(),
          StandardCharsets.UTF_8);
    }
  }

  private static String lastLine(Path file) throws IOException {
    List<String> lines = Files.readString(file, StandardCharsets.UTF_8).lines().toList();
    return lines.isEmpty() ? "" : ": " + lines.get(lines.size() - 1);
  }

  /** Puts a result together from messages. */
  private static final class Collector {
    private final ModelRun run;
    private final ProgressSink sink;
    private final ViolationSink violations;
    private Optional<String> violating = Optional.empty();
    private final List<ModelResult.ActionCoverage> coverage = new ArrayList<>();
    private final List<Counterexample.State> states = new ArrayList<>();
    private OptionalInt backTo = OptionalInt.empty();
    private boolean stutters;
    private ModelProgress latest = new ModelProgress(0, 0, 0, 0);

    Collector(ModelRun run, ProgressSink sink, ViolationSink violations) {
      this.run = run;
      this.sink = sink;
      this.violations = violations;
    }

    Optional<ModelResult> accept(CheckerMessage message, long began) {
      if (message instanceof CheckerMessage.Progress each) {
        latest = each.progress();
        sink.progress(latest);
      } else if (message instanceof CheckerMessage.Coverage each) {
        coverage.add(each.action());
      } else if (message instanceof CheckerMessage.State each) {
        Optional<Counterexample.State> previous =
            states.isEmpty() ? Optional.empty() : Optional.of(states.get(states.size() - 1));
        states.add(
            Counterexample.State.after(
                previous, each.number(), each.action(), each.location(), each.variables()));
      } else if (message instanceof CheckerMessage.BackTo each) {
        backTo = OptionalInt.of(each.number());
      } else if (message instanceof CheckerMessage.Stutters) {
        stutters = true;
      } else if (message instanceof CheckerMessage.Violation each) {
        tellViolation();
        violating = Optional.of(each.invariant());
      } else if (message instanceof CheckerMessage.Evaluated each) {
        violations.evaluated(each.operator(), each.value());
      } else if (message instanceof CheckerMessage.Finished each) {
        if (each.outcome() == ModelResult.Outcome.INVARIANT_VIOLATED) {
          tellViolation();
        }
        return Optional.of(finished(each, began));
      }
      return Optional.empty();
    }

    /** The states so far belong to the violation that was told before them. */
    private void tellViolation() {
      if (violating.isPresent()) {
        violations.violated(
            violating.get(),
            new Counterexample(states, OptionalInt.empty(), false, run.workers() == 1));
        violating = Optional.empty();
        states.clear();
      }
    }

    ModelResult gaveUp(String why, long began) {
      return finished(
          new CheckerMessage.Finished(
              ModelResult.Outcome.GAVE_UP,
              Optional.empty(),
              Optional.empty(),
              why,
              latest,
              List.of()),
          began);
    }

    private ModelResult finished(CheckerMessage.Finished end, long began) {
      boolean lasso = backTo.isPresent() || stutters;
      Optional<Counterexample> counterexample =
          states.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  new Counterexample(states, backTo, stutters, run.workers() == 1 && !lasso));
      ModelProgress counts = end.counts();
      if (counterexample.isPresent()) {
        counts =
            new ModelProgress(
                states.size(), counts.generated(), counts.distinct(), counts.queued());
      }
      return new ModelResult(
          end.outcome(),
          end.violated(),
          end.location(),
          end.message(),
          counts,
          coverage,
          counterexample,
          Duration.ofNanos(System.nanoTime() - began),
          end.warnings());
    }
  }
}
