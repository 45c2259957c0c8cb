package org.mrcheck.spec;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A contract, written as a constant-level TLA+ module without constants: {@code Start} (a set of
 * states), {@code Step(s, e)} (the states after an event, none when the event is forbidden), {@code
 * Hidden(s)} (the states one silent step away), {@code Open(s)} (whether something is still owed)
 * and {@code Remark(s)} (why an accepted end is surprising, or the empty string).
 *
 * <p>Every answer comes from TLC and nothing is remembered here; the caller keeps what it needs
 * again. Thread-safe; contracts opened together share a lock.
 */
public final class ContractModule {
  private final String name;
  private final Evaluator evaluator;

  private ContractModule(String name, Evaluator evaluator) {
    this.name = Objects.requireNonNull(name, "name");
    this.evaluator = evaluator;
  }

  /** Opens one contract with the bundled tools; see {@link #openAll}. */
  public static ContractModule open(SpecLibrary library, String module) {
    return openAll(TlaTools.bundled(), library, List.of(module)).get(module);
  }

  /**
   * Opens contracts together, in one TLC: about as fast as opening one.
   *
   * @param tools the TLC to use
   * @param library where the modules are
   * @param modules module names, without {@code .tla}
   * @return the contracts by module name, in the given order
   * @throws SpecException when a module is missing or malformed
   */
  public static Map<String, ContractModule> openAll(
      TlaTools tools, SpecLibrary library, Collection<String> modules) {
    Evaluator evaluator = Evaluator.open(tools, library, modules);
    Map<String, ContractModule> opened = new LinkedHashMap<>();
    modules.forEach(module -> opened.put(module, new ContractModule(module, evaluator)));
    return opened;
  }

  /** The module's name. */
  public String name() {
    return name;
  }

  /** The states in which an instance begins. */
  public SpecValue.SetOf start() {
    return set("Start", evaluator.evaluate(name, "Start"));
  }

  /**
   * The states after an event.
   *
   * @param state a state of this contract
   * @param event a record with {@code name} and the values that the binding gives
   * @return the successors; none when the contract forbids the event in this state
   * @throws SpecException when the operator cannot be evaluated, as for a field that is missing
   */
  public SpecValue.SetOf step(SpecValue state, SpecValue event) {
    return set("Step", evaluator.evaluate(name, "Step", state, event));
  }

  /** The states that one silent step leads to. */
  public SpecValue.SetOf hidden(SpecValue state) {
    return set("Hidden", evaluator.evaluate(name, "Hidden", state));
  }

  /** Whether in this state something is still owed, so that a recording must not end here. */
  public boolean open(SpecValue state) {
    SpecValue value = evaluator.evaluate(name, "Open", state);
    if (value instanceof SpecValue.Bool bool) {
      return bool.value();
    }
    throw unexpected("Open", "a Boolean", value);
  }

  /** Why it would be surprising, though allowed, that a recording ends here; "" when it is not. */
  public String remark(SpecValue state) {
    SpecValue value = evaluator.evaluate(name, "Remark", state);
    if (value instanceof SpecValue.Str text) {
      return text.value();
    }
    throw unexpected("Remark", "a string", value);
  }

  /** How {@code step(state, event)} comes to its result. */
  public Explanation explain(SpecValue state, SpecValue event) {
    return evaluator.explain(name, "Step", List.of(state, event));
  }

  private SpecValue.SetOf set(String operator, SpecValue value) {
    if (value instanceof SpecValue.SetOf states) {
      return states;
    }
    throw unexpected(operator, "a set of states", value);
  }

  private SpecException unexpected(String operator, String expected, SpecValue value) {
    return new SpecException(
        SpecException.Kind.UNEXPECTED_VALUE,
        SourceLocation.of(name + ".tla"),
        operator + " must give " + expected + ", got " + value);
  }
}
