package org.mrcheck.spec;

/** Hears of the progress of a model checking run, about twice a second, on the caller's thread. */
@FunctionalInterface
public interface ProgressSink {
  /** Where the search is now. */
  void progress(ModelProgress now);

  /** Does not listen. */
  static ProgressSink none() {
    return now -> {};
  }
}
