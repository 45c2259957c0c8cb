package org.mrcheck.spec;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.mrcheck.spec.spi.TlcSession;

/**
 * Evaluates constant-level operators of TLA+ modules with TLC.
 *
 * <p>Every evaluator has a TLC of its own, in a class loader of its own, so any number of them live
 * side by side. Opening one costs some tenths of a second; one evaluator for many modules is much
 * cheaper than one for each. Thread-safe: evaluation takes one lock. Nothing is printed; what a
 * module prints with {@code PrintT} is dropped.
 */
public final class Evaluator implements AutoCloseable {
  private final TlcSession session;

  private Evaluator(TlcSession session) {
    this.session = session;
  }

  /**
   * Loads modules that have no constants of their own.
   *
   * @param tools the TLC to use
   * @param library where the modules are
   * @param modules module names, without {@code .tla}
   * @throws SpecException when a module is missing or malformed, or the tools do not work
   */
  public static Evaluator open(TlaTools tools, SpecLibrary library, Collection<String> modules) {
    return new Evaluator(IsolatedTlc.open(tools, library, List.copyOf(modules), Map.of()));
  }

  /**
   * Loads one module with values for its constants.
   *
   * @param tools the TLC to use
   * @param library where the module and those it imports are
   * @param module the module's name, without {@code .tla}
   * @param constants a value for every constant that the module declares; no model values
   * @throws SpecException when a module is missing or malformed, or the tools do not work
   */
  public static Evaluator open(
      TlaTools tools, SpecLibrary library, String module, Map<String, SpecValue> constants) {
    return new Evaluator(IsolatedTlc.open(tools, library, List.of(module), Map.copyOf(constants)));
  }

  /**
   * The value of an operator.
   *
   * @param module one of the modules given to {@code open}
   * @param operator an operator that the module defines or extends
   * @param arguments as many as the operator has parameters
   * @throws SpecException when there is no such operator, or evaluation fails
   */
  public SpecValue evaluate(String module, String operator, List<SpecValue> arguments) {
    Objects.requireNonNull(operator, "operator");
    return session.evaluate(module, operator, List.copyOf(arguments));
  }

  /** As {@link #evaluate(String, String, List)}. */
  public SpecValue evaluate(String module, String operator, SpecValue... arguments) {
    return evaluate(module, operator, Arrays.asList(arguments));
  }

  /**
   * How an operator that gives a set of states came to its value; see {@link Explanation}.
   *
   * @throws SpecException when there is no such operator, or evaluation fails
   */
  public Explanation explain(String module, String operator, List<SpecValue> arguments) {
    return session.explain(module, operator, List.copyOf(arguments));
  }

  /** Lets go of TLC; later calls fail. */
  @Override
  public void close() {
    session.close();
  }
}
