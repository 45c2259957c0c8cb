package org.mrcheck.check.ledger;

import java.util.List;
import java.util.Optional;
import org.mrcheck.lang.trace.TraceEvent;

/**
 * One derived value, resolved by name once when a binding is loaded.
 *
 * @see Derivation#named(String)
 */
public interface DerivedFunction {
  /** The name that bindings use. */
  String name();

  /** What the value means, one sentence, for people. */
  String meaning();

  /** Every value it may take; what the engine tries where the value is unknown. */
  List<DerivedValue> domain();

  /**
   * The value for an event.
   *
   * @param ledger the facts before the event is recorded
   * @param instance the instance stepped; empty where the event is looked at on its own
   */
  DerivedValue derive(Ledger ledger, Optional<Instance> instance, TraceEvent event);

  /**
   * Both sides of the comparison in exact numbers, for a rejection's explanation, such as {@code va
   * 0x1ad58fa4 + 400 = 0x1ad59134 > end 0x1ad59000 of mr 3 "A"}; empty where the value has nothing
   * to add. Same arguments as {@link #derive}.
   */
  Optional<String> describe(Ledger ledger, Optional<Instance> instance, TraceEvent event);
}
