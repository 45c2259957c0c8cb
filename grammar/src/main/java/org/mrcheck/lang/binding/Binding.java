package org.mrcheck.lang.binding;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.EventName;

/**
 * One view of a contract: how the events of a trace become the contract's steps.
 *
 * @param name the binding's own name
 * @param contract the contract it belongs to
 * @param module the TLA+ module that defines {@code Start}, {@code Step}, {@code Hidden}, {@code
 *     Open} and {@code Remark}
 * @param says the promise in one sentence, for people
 * @param needs classes of events without which nothing is decided, in the order written
 * @param slice the parameters of an instance, in the order written; never empty
 * @param replays a new instance first replays the ordered history of the object this names
 * @param events the events, each name at most once, in the order written; at least one of them
 *     binds the whole slice
 */
public record Binding(
    String name,
    String contract,
    String module,
    String says,
    Set<EventClass> needs,
    List<Parameter> slice,
    Optional<Parameter> replays,
    List<BoundEvent> events) {

  /** Copies the lists. */
  public Binding {
    needs = Collections.unmodifiableSet(new LinkedHashSet<>(needs));
    slice = List.copyOf(slice);
    events = List.copyOf(events);
  }

  /** How the event is bound, if it is. */
  public Optional<BoundEvent> event(EventName eventName) {
    return events.stream().filter(event -> event.name() == eventName).findFirst();
  }
}
