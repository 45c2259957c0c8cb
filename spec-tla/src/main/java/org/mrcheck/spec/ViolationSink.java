package org.mrcheck.spec;

/** Hears of what a run that goes on after violations finds, on the caller's thread. */
public interface ViolationSink {
  /**
   * A state violates an invariant.
   *
   * @param invariant its name in the configuration file
   * @param behaviour the way there; the last state is the one that violates
   */
  void violated(String invariant, Counterexample behaviour);

  /** An operator of the root module has this value. */
  void evaluated(String operator, SpecValue value);

  /** Does not listen. */
  static ViolationSink none() {
    return new ViolationSink() {
      @Override
      public void violated(String invariant, Counterexample behaviour) {}

      @Override
      public void evaluated(String operator, SpecValue value) {}
    };
  }
}
