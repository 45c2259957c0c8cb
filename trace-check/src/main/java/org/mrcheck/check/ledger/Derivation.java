package org.mrcheck.check.ledger;

import java.util.List;
import java.util.Optional;
import org.mrcheck.lang.trace.TraceEvent;

/** The derived values by name: the Java twin of {@code Derive.tla}. Stateless and thread-safe. */
public final class Derivation {
  private Derivation() {}

  /** The derived value of that name; a binding that names another is in error. */
  public static Optional<DerivedFunction> named(String name) {
    return Derived.named(name);
  }

  /** All names, sorted, for a diagnostic's "expected". */
  public static List<String> names() {
    return Derived.names();
  }

  /**
   * The values of the names, in their order. Call before {@link Ledger#record} of the same event.
   *
   * @throws IllegalArgumentException if a name is not one of {@link #names()}
   */
  public static List<DerivedValue> derive(
      Ledger ledger, Optional<Instance> instance, TraceEvent event, List<String> names) {
    return names.stream()
        .map(
            name ->
                named(name)
                    .orElseThrow(() -> new IllegalArgumentException("no derived value " + name))
                    .derive(ledger, instance, event))
        .toList();
  }
}
