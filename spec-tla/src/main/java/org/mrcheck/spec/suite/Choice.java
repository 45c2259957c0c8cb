package org.mrcheck.spec.suite;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecValue;

/**
 * What an initial state of a model chose: a value for each opened policy, and a defect. A policy
 * that a model does not open has its strict value.
 *
 * @param policy the value of each opened policy, by the policy's name
 * @param defect a known defect, or {@link #NO_DEFECT}
 */
public record Choice(SortedMap<String, String> policy, String defect)
    implements Comparable<Choice> {
  /** The defect of a machine that has none. */
  public static final String NO_DEFECT = "none";

  private static final Comparator<Choice> ORDER =
      Comparator.comparing(Choice::defect).thenComparing(choice -> choice.policy.toString());

  public Choice {
    policy = Collections.unmodifiableSortedMap(new TreeMap<>(policy));
    Objects.requireNonNull(defect, "defect");
  }

  /** Whether this is a mutant. */
  public boolean isMutant() {
    return !defect.equals(NO_DEFECT);
  }

  /** How many policies differ from the strict ones. */
  int distance(Map<String, String> strict) {
    return (int)
        policy.entrySet().stream()
            .filter(each -> !each.getValue().equals(strict.get(each.getKey())))
            .count();
  }

  /** This choice with another value for a policy. */
  public Choice with(String name, String value) {
    TreeMap<String, String> changed = new TreeMap<>(policy);
    changed.put(name, value);
    return new Choice(changed, defect);
  }

  /**
   * Reads the record {@code [policy |-> ..., defect |-> ...]}.
   *
   * @param value the record
   * @param opened the policies to keep
   * @throws SpecException when it is no such record
   */
  static Choice of(SpecValue value, Set<String> opened) {
    if (value instanceof SpecValue.Rec record
        && record.field("policy").isPresent()
        && record.field("defect").orElse(null) instanceof SpecValue.Str defect) {
      return of(record.field("policy").get(), defect.value(), opened);
    }
    throw Records.unexpected("a record [policy |-> ..., defect |-> ...]", value);
  }

  /** The opened part of a whole policy record. */
  static Choice of(SpecValue policy, String defect, Set<String> opened) {
    TreeMap<String, String> values = new TreeMap<>();
    // A model that opens nothing has the empty function here.
    if (policy instanceof SpecValue.Rec record) {
      for (Map.Entry<String, SpecValue> field : record.fields().entrySet()) {
        if (opened.contains(field.getKey())) {
          values.put(field.getKey(), Records.text(field.getValue()));
        }
      }
    }
    return new Choice(values, defect);
  }

  /** The choice as a TLA+ expression: the whole policy record and the defect. */
  String toTla(Map<String, String> strict) {
    TreeMap<String, String> whole = new TreeMap<>(strict);
    whole.putAll(policy);
    StringJoiner fields = new StringJoiner(", ", "[", "]");
    whole.forEach((name, value) -> fields.add(name + " |-> \"" + value + "\""));
    return "[policy |-> " + fields + ", defect |-> \"" + defect + "\"]";
  }

  /** The values that differ from the strict ones, or the defect's name. */
  public String describe(Map<String, String> strict) {
    StringJoiner text = new StringJoiner(", ").setEmptyValue("strict");
    if (isMutant()) {
      text.add("defect " + defect);
    }
    policy.forEach(
        (name, value) -> {
          if (!value.equals(strict.get(name))) {
            text.add(name + " = " + value);
          }
        });
    return text.toString();
  }

  @Override
  public int compareTo(Choice other) {
    return ORDER.compare(this, other);
  }
}
