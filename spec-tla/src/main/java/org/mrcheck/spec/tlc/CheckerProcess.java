package org.mrcheck.spec.tlc;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.server.RMISocketFactory;
import java.util.ArrayList;
import java.util.List;
import org.mrcheck.spec.ModelProgress;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.spi.CheckerMessage;
import org.mrcheck.spec.spi.PrivateFolder;
import tla2sany.semantic.OpDefNode;
import tlc2.TLC;
import tlc2.TLCGlobals;
import tlc2.output.MP;
import tlc2.tool.ITool;
import tlc2.tool.ModelChecker;
import tlc2.tool.TLCState;
import tlc2.util.Context;
import util.ToolIO;

/**
 * The main class of the process that runs TLC once; started by {@link
 * org.mrcheck.spec.ModelChecker}, not by people. It reads modules from a folder, writes {@link
 * CheckerMessage}s to standard output, and ends when its standard input does, so that it never
 * outlives the process that started it.
 */
public final class CheckerProcess {
  private static final long PROGRESS_MILLIS = 500;

  /** TLC asks for coverage at an interval; only the report at the end is wanted. */
  private static final String COVERAGE_MINUTES = "100000";

  private final DataOutputStream out;

  private CheckerProcess(DataOutputStream out) {
    this.out = out;
  }

  /**
   * Runs TLC once and ends this process.
   *
   * @param arguments private folder with the modules in {@code spec}, root module, configuration
   *     file, whether to check for deadlock, workers, whether to report coverage, whether to go on
   *     after a violated invariant, operators of the root module to evaluate
   * @throws IOException when the starting process is gone
   */
  public static void main(String[] arguments) throws IOException {
    OutputStream standardOutput = new FileOutputStream(FileDescriptor.out);
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    System.setOut(nowhere);
    // Before any class of TLC exports a remote object.
    RMISocketFactory.setSocketFactory(new LoopbackSockets());
    Path folder = Path.of(arguments[0]);
    endWithStarter(folder);
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(standardOutput));
    new CheckerProcess(out)
        .run(
            folder,
            arguments[1],
            arguments[2],
            Boolean.parseBoolean(arguments[3]),
            arguments[4],
            Boolean.parseBoolean(arguments[5]),
            Boolean.parseBoolean(arguments[6]),
            List.of(arguments).subList(7, arguments.length));
    out.flush();
    // TLC leaves a non-daemon thread behind, so this process would never end by itself.
    Runtime.getRuntime().halt(0);
  }

  private void run(
      Path folder,
      String module,
      String config,
      boolean checkDeadlock,
      String workers,
      boolean coverage,
      boolean goesOn,
      List<String> operators)
      throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    ToolIO.out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    ToolIO.err = ToolIO.out;
    Path work = Files.createDirectory(folder.resolve("work"));
    Path states = Files.createDirectory(folder.resolve("states"));
    List<String> options =
        new ArrayList<>(
            List.of(
                "-config",
                config.replaceAll("\\.cfg$", ""),
                "-metadir",
                states.toString(),
                "-checkpoint",
                "0",
                "-fp",
                "0",
                "-seed",
                "1",
                "-workers",
                workers));
    if (!checkDeadlock) {
      options.add("-deadlock");
    }
    if (coverage) {
      options.addAll(List.of("-coverage", COVERAGE_MINUTES));
    }
    if (goesOn) {
      options.add("-continue");
    }
    options.add(module);
    Recorder recorder = new Recorder(config, this::send, printed, goesOn);
    MP.setRecorder(recorder);
    TLC tlc = new TLC();
    if (!tlc.handleParameters(options.toArray(String[]::new))) {
      throw new IllegalStateException(printed.toString(StandardCharsets.UTF_8));
    }
    tlc.setResolver(new LibraryResolver(SpecLibrary.folder(folder.resolve("spec")), work));
    reportProgress();
    int code = tlc.process();
    if (TLCGlobals.mainChecker != null) {
      operators.forEach(operator -> evaluate(TLCGlobals.mainChecker.tool, operator));
    }
    send(recorder.finished(code));
  }

  /** Evaluates an operator that the module may lack; then nothing is sent. */
  private void evaluate(ITool tool, String operator) {
    for (OpDefNode definition : tool.getRootModule().getOpDefs()) {
      if (definition.getName().toString().equals(operator)) {
        send(
            new CheckerMessage.Evaluated(
                operator,
                Values.fromTlc(tool.eval(definition.getBody(), Context.Empty, TLCState.Empty))));
      }
    }
  }

  private synchronized void send(CheckerMessage message) {
    try {
      CheckerMessage.write(message, out);
      if (message instanceof CheckerMessage.Progress) {
        out.flush();
      }
    } catch (IOException e) {
      // Nobody is there to hear the verdict.
      Runtime.getRuntime().halt(1);
    }
  }

  /** TLC itself reports once a minute; asking it is cheap. */
  private void reportProgress() {
    Thread reporter =
        new Thread(
            () -> {
              while (true) {
                try {
                  Thread.sleep(PROGRESS_MILLIS);
                } catch (InterruptedException e) {
                  return;
                }
                if (TLCGlobals.mainChecker instanceof ModelChecker checker) {
                  send(
                      new CheckerMessage.Progress(
                          new ModelProgress(
                              checker.getProgress(),
                              checker.getStatesGenerated(),
                              checker.getDistinctStatesGenerated(),
                              checker.getStateQueueSize())));
                }
              }
            },
            "progress");
    reporter.setDaemon(true);
    reporter.start();
  }

  private static void endWithStarter(Path folder) {
    Thread watcher =
        new Thread(
            () -> {
              try (InputStream in = System.in) {
                while (in.read() >= 0) {
                  // Nothing is ever sent this way.
                }
              } catch (IOException e) {
                // As good as the end.
              }
              new PrivateFolder(folder).close();
              Runtime.getRuntime().halt(1);
            },
            "end with starter");
    watcher.setDaemon(true);
    watcher.start();
  }
}
