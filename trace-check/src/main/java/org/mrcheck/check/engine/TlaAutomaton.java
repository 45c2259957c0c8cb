package org.mrcheck.check.engine;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.mrcheck.spec.ContractModule;
import org.mrcheck.spec.Explanation;
import org.mrcheck.spec.SpecValue;

/** A contract written in TLA+, evaluated by TLC. Thread-safe. */
public final class TlaAutomaton implements ContractAutomaton<SpecValue> {
  private final ContractModule module;

  /** The automaton of a module. */
  public TlaAutomaton(ContractModule module) {
    this.module = module;
  }

  @Override
  public Set<SpecValue> start() {
    return set(module.start());
  }

  @Override
  public Set<SpecValue> step(SpecValue state, StepRecord event) {
    return set(module.step(state, value(event)));
  }

  @Override
  public Set<SpecValue> hidden(SpecValue state) {
    return set(module.hidden(state));
  }

  @Override
  public boolean open(SpecValue state) {
    return module.open(state);
  }

  @Override
  public String remark(SpecValue state) {
    return module.remark(state);
  }

  /** How the contract comes to its answer, with every conjunct. */
  public Explanation explain(SpecValue state, StepRecord event) {
    return module.explain(state, value(event));
  }

  private static Set<SpecValue> set(SpecValue.SetOf found) {
    return new LinkedHashSet<>(found.elements());
  }

  private static SpecValue value(StepRecord event) {
    Map<String, SpecValue> fields = new TreeMap<>();
    fields.put("name", SpecValue.of(event.event()));
    event
        .values()
        .forEach(
            (name, value) ->
                fields.put(
                    name,
                    value instanceof Boolean truth
                        ? SpecValue.of(truth)
                        : SpecValue.of((String) value)));
    return SpecValue.record(fields);
  }
}
