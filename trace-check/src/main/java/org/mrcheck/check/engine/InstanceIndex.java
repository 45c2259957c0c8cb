package org.mrcheck.check.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mrcheck.check.ledger.ParameterValues;
import org.mrcheck.lang.binding.Parameter;

/**
 * The live instances of one binding, found by all their parameters or by any of the subsets that
 * its events bind. Removal while iterating is allowed for the instance just visited if the list is
 * walked from its end.
 */
final class InstanceIndex {
  private final Map<ParameterValues, TrackedInstance> all = new HashMap<>();
  private final List<List<Parameter>> subsets;
  private final List<Map<ParameterValues, List<TrackedInstance>>> bySubset = new ArrayList<>();

  /** An empty index with an extra way in for each of the given proper subsets of the slice. */
  InstanceIndex(List<List<Parameter>> subsets) {
    this.subsets = List.copyOf(subsets);
    for (int index = 0; index < subsets.size(); index++) {
      bySubset.add(new HashMap<>());
    }
  }

  int subsets() {
    return subsets.size();
  }

  int size() {
    return all.size();
  }

  Collection<TrackedInstance> instances() {
    return all.values();
  }

  TrackedInstance find(ParameterValues values) {
    return all.get(values);
  }

  /** The instances that agree with the values on a subset; do not change the list. */
  List<TrackedInstance> find(int subset, ParameterValues values) {
    return bySubset.get(subset).getOrDefault(values, List.of());
  }

  void add(ParameterValues values, TrackedInstance instance) {
    all.put(values, instance);
    for (int subset = 0; subset < subsets.size(); subset++) {
      List<TrackedInstance> list =
          bySubset
              .get(subset)
              .computeIfAbsent(restrict(values, subsets.get(subset)), key -> new ArrayList<>(2));
      instance.positions[subset] = list.size();
      list.add(instance);
    }
  }

  void remove(ParameterValues values, TrackedInstance instance) {
    all.remove(values);
    for (int subset = 0; subset < subsets.size(); subset++) {
      ParameterValues key = restrict(values, subsets.get(subset));
      List<TrackedInstance> list = bySubset.get(subset).get(key);
      TrackedInstance last = list.remove(list.size() - 1);
      if (last != instance) {
        list.set(instance.positions[subset], last);
        last.positions[subset] = instance.positions[subset];
      }
      if (list.isEmpty()) {
        bySubset.get(subset).remove(key);
      }
    }
  }

  /** The same values with only the given parameters set. */
  static ParameterValues restrict(ParameterValues values, List<Parameter> parameters) {
    ParameterValues kept = ParameterValues.ofHost(values.host());
    for (Parameter parameter : parameters) {
      kept =
          switch (parameter) {
            case HOST -> kept;
            case KEY -> kept.withKey(values.key().orElseThrow());
            case MR -> kept.withMr(values.mr().orElseThrow());
            case QP -> kept.withQp(values.qp().orElseThrow());
            case PSN -> kept.withPsn(values.psn().orElseThrow());
            case MESSAGE -> kept.withMessage(values.message().orElseThrow());
            case WR -> kept.withWr(values.wr().orElseThrow());
          };
    }
    return kept;
  }
}
