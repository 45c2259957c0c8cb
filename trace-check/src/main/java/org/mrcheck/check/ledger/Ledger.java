package org.mrcheck.check.ledger;

import java.util.List;
import java.util.Optional;
import org.mrcheck.lang.binding.Parameter;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;

/**
 * The raw facts of a recording so far, as far as derived values need them. Mutable and not safe for
 * use by several threads.
 *
 * <p>For each event: first {@link #binds}, {@link #open} and the {@linkplain DerivedFunction
 * derived values}, which look at the facts before the event; then {@link #record}.
 */
public final class Ledger {
  private final TraceHeader header;
  private final NumberWidths widths;

  /** An empty ledger for a recording with addresses of 64 bits and PSNs of 24. */
  public Ledger(TraceHeader header) {
    this(header, NumberWidths.REAL);
  }

  /** An empty ledger. */
  public Ledger(TraceHeader header, NumberWidths widths) {
    this.header = header;
    this.widths = widths;
  }

  /** The widths of addresses and PSNs. */
  public NumberWidths widths() {
    return widths;
  }

  /** Takes the next event. */
  public void record(TraceEvent event) {}

  /** Events were lost here: everything live becomes uncertain. */
  public void noteLoss() {}

  /** Whether every event of the class on the host has been recorded so far. */
  public boolean isComplete(EventClass eventClass, String host) {
    return header.completeness(eventClass, host).isPresent();
  }

  /**
   * The parameter tuples the event binds: each has a value for every parameter asked for. Most
   * events bind one; a registration whose two keys differ binds one for each; a packet that is no
   * access to memory, or whose message began before the recording, binds none.
   */
  public List<ParameterValues> binds(TraceEvent event, List<Parameter> by) {
    return List.of();
  }

  /** The instance that an event creates: the values it bound, with the facts to keep. */
  public Instance open(ParameterValues values, TraceEvent event) {
    return Instance.of(values);
  }

  /** The events of the key's present registration, in order, for {@code replays key}. */
  public List<TraceEvent> history(String host, MemoryKey key) {
    return List.of();
  }

  /** The region of that number, while it is registered. */
  public Optional<Registration> registration(String host, long mr) {
    return Optional.empty();
  }

  /** The region or window that has the key as its rkey or lkey, while it is registered. */
  public Optional<Registration> registration(String host, MemoryKey key) {
    return Optional.empty();
  }
}
