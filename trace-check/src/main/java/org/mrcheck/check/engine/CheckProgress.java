package org.mrcheck.check.engine;

/** Is told how far a check has come. Called by the checking thread, some ten times a second. */
@FunctionalInterface
public interface CheckProgress {
  /**
   * How far the check has come.
   *
   * @param events events read
   * @param bytes where the last one begins in the trace
   * @param size size of the trace in bytes, or 0 where nobody knows
   */
  void reached(long events, long bytes, long size);

  /** Tells nobody. */
  static CheckProgress silent() {
    return (events, bytes, size) -> {};
  }
}
