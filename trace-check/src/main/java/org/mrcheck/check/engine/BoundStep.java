package org.mrcheck.check.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.mrcheck.check.ledger.DerivedFunction;
import org.mrcheck.check.ledger.DerivedValue;
import org.mrcheck.check.ledger.Instance;
import org.mrcheck.check.ledger.Ledger;
import org.mrcheck.lang.binding.Binding;
import org.mrcheck.lang.binding.BoundEvent;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.TraceEvent;

/**
 * One event of a binding, ready to be stepped: finds the observation of a {@link BeliefTable} by a
 * small number made of the derived values, so that in steady state no string or record is built.
 * Used by one thread.
 */
final class BoundStep {
  private static final int LARGEST_ARRAY = 1 << 16;

  private final BoundEvent event;
  private final boolean creates;
  private final DerivedFunction[] functions;
  private final List<Map<DerivedValue, Integer>> positions = new ArrayList<>();
  private final int codes;
  private final BeliefTable<?> table;
  private final int[] observationByCode;
  private final Map<Integer, Integer> observationByLargeCode = new HashMap<>();
  private List<Integer> possible;
  private byte[] refusable = new byte[16];

  BoundStep(
      Binding binding, BoundEvent event, List<DerivedFunction> functions, BeliefTable<?> table) {
    this.event = event;
    this.creates = event.by().containsAll(binding.slice());
    this.functions = functions.toArray(DerivedFunction[]::new);
    this.table = table;
    long product = 1;
    for (DerivedFunction function : functions) {
      Map<DerivedValue, Integer> position = new HashMap<>();
      for (DerivedValue value : function.domain()) {
        position.put(value, position.size());
      }
      positions.add(position);
      product = Math.multiplyExact(product, position.size() + 1L);
    }
    this.codes = Math.toIntExact(product);
    this.observationByCode = codes <= LARGEST_ARRAY ? new int[codes] : new int[0];
  }

  EventName name() {
    return event.name();
  }

  BoundEvent event() {
    return event;
  }

  /** Whether the event binds the whole slice and so creates an instance that is not there. */
  boolean creates() {
    return creates;
  }

  /** The derived values as one number below the product of the domains, each with "unknown". */
  int code(Ledger ledger, Optional<Instance> instance, TraceEvent traceEvent) {
    int code = 0;
    for (int index = 0; index < functions.length; index++) {
      Map<DerivedValue, Integer> position = positions.get(index);
      DerivedValue value = functions[index].derive(ledger, instance, traceEvent);
      int digit;
      if (value == DerivedValue.TRUE || value == DerivedValue.FALSE) {
        digit = position.get(value);
      } else if (value instanceof DerivedValue.Unknown) {
        digit = position.size();
      } else {
        Integer known = position.get(value);
        if (known == null) {
          throw new IllegalStateException(
              functions[index].name() + "=" + value + " is not in " + functions[index].domain());
        }
        digit = known;
      }
      code = code * (position.size() + 1) + digit;
    }
    return code;
  }

  /** The observation of a code; unknown values stand for all of their domain. */
  int observation(int code) {
    if (code < observationByCode.length) {
      int known = observationByCode[code];
      if (known != 0) {
        return known - 1;
      }
    } else {
      Integer known = observationByLargeCode.get(code);
      if (known != null) {
        return known;
      }
    }
    int observation = table.observation(records(code));
    if (code < observationByCode.length) {
      observationByCode[code] = observation + 1;
    } else {
      observationByLargeCode.put(code, observation);
    }
    return observation;
  }

  /** The step records that a code stands for. */
  List<StepRecord> records(int code) {
    List<TreeMap<String, Object>> found = new ArrayList<>(List.of(new TreeMap<>()));
    int rest = code;
    for (int index = functions.length - 1; index >= 0; index--) {
      int size = positions.get(index).size();
      int digit = rest % (size + 1);
      rest /= size + 1;
      List<DerivedValue> domain = functions[index].domain();
      List<DerivedValue> values = digit == size ? domain : List.of(domain.get(digit));
      List<TreeMap<String, Object>> extended = new ArrayList<>();
      for (TreeMap<String, Object> record : found) {
        for (DerivedValue value : values) {
          TreeMap<String, Object> longer = new TreeMap<>(record);
          longer.put(functions[index].name(), plain(value));
          extended.add(longer);
        }
      }
      found = extended;
    }
    return found.stream().map(values -> new StepRecord(event.name().text(), values)).toList();
  }

  private static Object plain(DerivedValue value) {
    if (value instanceof DerivedValue.Known known) {
      return known.value();
    }
    return ((DerivedValue.Word) value).value();
  }

  /** The unknown values of the event, none if all are known. */
  List<DerivedValue.Unknown> unknowns(
      Ledger ledger, Optional<Instance> instance, TraceEvent traceEvent) {
    List<DerivedValue.Unknown> found = new ArrayList<>();
    for (DerivedFunction function : functions) {
      if (function.derive(ledger, instance, traceEvent) instanceof DerivedValue.Unknown unknown) {
        found.add(unknown);
      }
    }
    return found;
  }

  /** The derived values that the step's record gets, in the order written. */
  List<DerivedFunction> functions() {
    return List.of(functions);
  }

  /** Every observation without unknown values: what a lost event may have been. */
  List<Integer> possible() {
    if (possible == null) {
      List<Integer> all = new ArrayList<>();
      for (int code = 0; code < codes; code++) {
        if (isKnown(code)) {
          all.add(observation(code));
        }
      }
      possible = List.copyOf(all);
    }
    return possible;
  }

  /** Whether no value in the code is unknown. */
  boolean isKnown(int code) {
    int rest = code;
    for (int index = functions.length - 1; index >= 0; index--) {
      int size = positions.get(index).size();
      if (rest % (size + 1) == size) {
        return false;
      }
      rest /= size + 1;
    }
    return true;
  }

  /** Whether an event of this name, with some values, could be refused now. */
  boolean refusable(int knowledge) {
    if (knowledge >= refusable.length) {
      refusable = Arrays.copyOf(refusable, Math.max(knowledge + 1, refusable.length * 2));
    }
    if (refusable[knowledge] == 0) {
      refusable[knowledge] = (byte) (table.canRefuse(knowledge, possible()) ? 2 : 1);
    }
    return refusable[knowledge] == 2;
  }
}
