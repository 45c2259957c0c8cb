package org.mrcheck.check.engine;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a contract's {@code Step} is told of an event: its name and the derived values that the
 * binding asks for.
 *
 * @param event the event's word
 * @param values {@link Boolean} or {@link String} by name
 */
public record StepRecord(String event, SortedMap<String, Object> values) {
  /** Takes a copy of the values. */
  public StepRecord {
    values.forEach(
        (name, value) -> {
          if (!(value instanceof Boolean) && !(value instanceof String)) {
            throw new IllegalArgumentException("value of " + name + " is " + value);
          }
        });
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  /** As in a report: {@code check accepted=TRUE permitted=FALSE}. */
  @Override
  public String toString() {
    return values.isEmpty()
        ? event
        : event
            + values.entrySet().stream()
                .map(entry -> " " + entry.getKey() + "=" + text(entry.getValue()))
                .collect(Collectors.joining());
  }

  private static String text(Object value) {
    return value instanceof Boolean truth ? (truth ? "TRUE" : "FALSE") : "\"" + value + "\"";
  }
}
