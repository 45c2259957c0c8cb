package org.mrcheck.rnic;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Counts operations by the time that the benchmark's thread really had a processor, which is what
 * "on one core" means on a machine that others use as well. Printed at the end of each fork.
 */
@State(Scope.Thread)
public class CpuTime {
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private long begin;
  private long operations;
  private double best;
  private long totalNanos;
  private long totalOperations;
  private String name;

  /** One more operation. */
  public void count() {
    operations++;
  }

  /** Starts the clock; on the benchmark's own thread. */
  @Setup(Level.Iteration)
  public void begin(BenchmarkParams params) {
    name = params.getBenchmark();
    operations = 0;
    begin = threads.getCurrentThreadCpuTime();
  }

  /** Reads the clock. */
  @TearDown(Level.Iteration)
  public void end() {
    long nanos = threads.getCurrentThreadCpuTime() - begin;
    if (operations > 0) {
      best = Math.max(best, 1e3 * operations / nanos);
      totalNanos += nanos;
      totalOperations += operations;
    }
  }

  /** Says what came out, warm-up included. */
  @TearDown(Level.Trial)
  public void print() {
    if (totalOperations > 0) {
      System.out.printf(
          "%n%s on one core: best iteration %.1f, all %.1f operations per us of CPU time%n",
          name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1),
          best,
          1e3 * totalOperations / totalNanos);
    }
  }
}
