package org.mrcheck.cli;

import java.io.PrintWriter;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Where a command writes: results to {@code out}, progress and warnings to {@code err}.
 *
 * @param out results
 * @param err progress, warnings, errors
 * @param terminal whether a person watches: then progress is a bar, else a line now and then
 */
record Console(PrintWriter out, PrintWriter err, boolean terminal) {
  /** Columns that every text keeps to. */
  static final int WIDTH = 80;

  /** How the user started the program, as the launcher tells; for commands to type next. */
  static final String PROGRAM = System.getProperty("mrcheck.program", "mrcheck");

  private static final long LINE_EVERY_NANOS = 5_000_000_000L;

  /** The console of a running command. */
  static Console of(PrintWriter out, PrintWriter err) {
    return new Console(out, err, System.console() != null);
  }

  /** Whether results may be coloured: a person watches and has not set {@code NO_COLOR}. */
  boolean colour() {
    String no = System.getenv("NO_COLOR");
    return terminal && (no == null || no.isEmpty());
  }

  /** Progress of one piece of work. Not for use by several threads at once. */
  interface Progress extends AutoCloseable {
    /**
     * How far the work has come.
     *
     * @param done units done
     * @param total units in all, or 0 where nobody knows
     * @param note what is going on, in a few words
     */
    void reached(long done, long total, String note);

    @Override
    void close();
  }

  /**
   * Begins to show progress.
   *
   * @param task what is done, a few words
   */
  Progress progress(String task) {
    return terminal ? new Bar(task) : new Lines(err, task);
  }

  /** A bar on the terminal; it goes when the work is done. */
  private static final class Bar implements Progress {
    private final ProgressBar bar;

    Bar(String task) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(task)
              .setStyle(ProgressBarStyle.ASCII)
              .setMaxRenderedLength(WIDTH)
              .setUpdateIntervalMillis(200)
              .clearDisplayOnFinish()
              .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH))
              .build();
    }

    @Override
    public void reached(long done, long total, String note) {
      bar.maxHint(total == 0 ? -1 : total);
      bar.stepTo(done);
      bar.setExtraMessage(note);
    }

    @Override
    public void close() {
      bar.close();
    }
  }

  /** A line every few seconds, for logs; nothing for short work. */
  private static final class Lines implements Progress {
    private final PrintWriter err;
    private final String task;
    private long next = System.nanoTime() + LINE_EVERY_NANOS;

    Lines(PrintWriter err, String task) {
      this.err = err;
      this.task = task;
    }

    @Override
    public void reached(long done, long total, String note) {
      long now = System.nanoTime();
      if (now - next >= 0) {
        next = now + LINE_EVERY_NANOS;
        String share = total == 0 ? "" : " " + 100 * done / total + " %";
        err.println("mrcheck: " + task + share + (note.isEmpty() ? "" : ", " + note));
      }
    }

    @Override
    public void close() {
      err.flush();
    }
  }
}
