package org.mrcheck.spec.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.TlaTools;

/** The script for TLC's distributed mode, as its documentation says, on loopback. */
@Tag("slow")
class DistributedTest {
  private static final Path FOLDER = Path.of(System.getProperty("mrcheck.root"), "spec-tla");
  private static final Path DESK = FOLDER.resolve("src/test/resources/suite");

  @TempDir Path folder;

  @Test
  void model_withServerTwoWorkersAndAFingerprintSet_hasTheSameDistinctStates() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash: the script was not tried");
    long alone = SuiteManifest.read(SpecLibrary.folder(DESK)).models().get(0).expected().distinct();
    String port = Integer.toString(freePort());
    List<Process> all = new ArrayList<>();
    try {
      Process server = start(port, "server.txt", "server", "Desk");
      all.add(server);
      all.add(start(port, "fingerprints.txt", "fingerprints", "127.0.0.1"));
      all.add(start(port, "worker1.txt", "worker", "127.0.0.1"));
      all.add(start(port, "worker2.txt", "worker", "127.0.0.1"));
      assertThat(server.waitFor(3, TimeUnit.MINUTES)).isTrue();
      assertThat(Files.readString(folder.resolve("server.txt")))
          .contains("No error has been found")
          .contains(alone + " distinct states found, 0 states left on queue");
    } finally {
      for (Process process : all) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Process start(String port, String output, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("/bin/bash", FOLDER.resolve("distributed").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(output).toFile());
    builder.environment().put("MRCHECK_PORT", port);
    builder.environment().put("MRCHECK_SPEC", DESK.toString());
    builder.environment().put("TLA2TOOLS", TlaTools.bundled().jar().toString());
    return builder.start();
  }
}
