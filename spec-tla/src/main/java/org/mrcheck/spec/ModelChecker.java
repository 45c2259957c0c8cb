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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

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
    long began = System.nanoTime();
    try (PrivateFolder folder = PrivateFolder.create()) {
      Path spec = Files.createDirectory(folder.path().resolve("spec"));
      copySpec(run, spec);
      return watch(run, sink, folder.path(), began);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ModelResult watch(ModelRun run, ProgressSink sink, Path folder, long began)
      throws IOException, InterruptedException {
    Path complaints = folder.resolve("complaints.txt");
    Process process =
        new ProcessBuilder(command(run, folder))
            .directory(folder.toFile())
            .redirectError(complaints.toFile())
            .start();
    try {
      BlockingQueue<Optional<CheckerMessage>> messages = new LinkedBlockingQueue<>();
      Thread reader = new Thread(() -> read(process, messages), "mrcheck-tlc-reader");
      reader.setDaemon(true);
      reader.start();
      Collector collector = new Collector(run, sink);
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

  private static List<String> command(ModelRun run, Path folder) {
    String separator = System.getProperty("path.separator");
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx" + run.heapMegabytes() + "m",
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
        Boolean.toString(run.coverage()));
  }

  private static Path ownClasses() {
    try {
      return Path.of(
          ModelChecker.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Writes the root module, the configuration file and every module of the library that they may
   * import. Any word in a module that is also the name of a module counts; that errs on the side of
   * copying too much, and needs no parser.
   */
  private static void copySpec(ModelRun run, Path folder) throws IOException {
    String config =
        run.library()
            .text(run.config())
            .orElseThrow(() -> missing(run.config(), "no such file", run.library()));
    Files.writeString(
        folder.resolve(Path.of(run.config()).getFileName().toString()),
        config,
        StandardCharsets.UTF_8);
    String root =
        run.library()
            .module(run.module())
            .orElseThrow(() -> missing(run.module() + ".tla", "no such module", run.library()));
    Set<String> seen = new HashSet<>(Set.of(run.module()));
    Files.writeString(folder.resolve(run.module() + ".tla"), root, StandardCharsets.UTF_8);
    Deque<String> unread = new ArrayDeque<>(List.of(root, config));
    while (!unread.isEmpty()) {
      Matcher word = NAME.matcher(unread.pop());
      while (word.find()) {
        if (seen.add(word.group())) {
          Optional<String> module = run.library().module(word.group());
          if (module.isPresent()) {
            Files.writeString(
                folder.resolve(word.group() + ".tla"), module.get(), StandardCharsets.UTF_8);
            unread.push(module.get());
          }
        }
      }
    }
  }

  private static SpecException missing(String file, String what, SpecLibrary library) {
    return new SpecException(
        SpecException.Kind.MISSING_FILE,
        SourceLocation.of(file),
        what + " in " + library.description());
  }

  private static String lastLine(Path file) throws IOException {
    List<String> lines = Files.readString(file, StandardCharsets.UTF_8).lines().toList();
    return lines.isEmpty() ? "" : ": " + lines.get(lines.size() - 1);
  }

  /** Puts a result together from messages. */
  private static final class Collector {
    private final ModelRun run;
    private final ProgressSink sink;
    private final List<ModelResult.ActionCoverage> coverage = new ArrayList<>();
    private final List<Counterexample.State> states = new ArrayList<>();
    private OptionalInt backTo = OptionalInt.empty();
    private boolean stutters;
    private ModelProgress latest = new ModelProgress(0, 0, 0, 0);

    Collector(ModelRun run, ProgressSink sink) {
      this.run = run;
      this.sink = sink;
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
      } else if (message instanceof CheckerMessage.Finished each) {
        return Optional.of(finished(each, began));
      }
      return Optional.empty();
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
