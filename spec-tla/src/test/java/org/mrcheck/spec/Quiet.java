package org.mrcheck.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** Asserts that something neither prints nor leaves threads behind that keep a program alive. */
final class Quiet {
  private Quiet() {}

  static <T> T quietly(Callable<T> action) throws Exception {
    Set<Thread> threads = userThreads();
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream listener = new PrintStream(printed, true, StandardCharsets.UTF_8);
    System.setOut(listener);
    System.setErr(listener);
    T result;
    try {
      result = action.call();
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(userThreads()).isSubsetOf(threads);
    return result;
  }

  private static Set<Thread> userThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !thread.isDaemon())
        .collect(Collectors.toSet());
  }
}
