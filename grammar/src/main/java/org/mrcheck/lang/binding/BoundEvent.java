package org.mrcheck.lang.binding;

import java.util.List;
import org.mrcheck.lang.diagnostic.SourceSpan;
import org.mrcheck.lang.trace.EventName;

/**
 * One event that a contract looks at.
 *
 * @param name the event
 * @param by the parameters the event binds, in the order written; a subset of the slice. The event
 *     steps every instance that agrees on them and creates one only if it binds the whole slice.
 * @param with names of the derived values that the step's record gets, in the order written
 * @param span where the event is bound
 */
public record BoundEvent(EventName name, List<Parameter> by, List<String> with, SourceSpan span) {
  /** Copies the lists. */
  public BoundEvent {
    by = List.copyOf(by);
    with = List.copyOf(with);
  }
}
