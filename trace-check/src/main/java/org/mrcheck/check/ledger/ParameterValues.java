package org.mrcheck.check.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.mrcheck.lang.binding.Parameter;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.QueuePairId;

/**
 * Values of some slice parameters: what an event binds, or what an instance stands for. Immutable;
 * equal values are interchangeable as map keys.
 *
 * @param host set by every event
 * @param message PSN of the message's first packet
 */
public record ParameterValues(
    String host,
    Optional<MemoryKey> key,
    OptionalLong mr,
    Optional<QueuePairId> qp,
    OptionalInt psn,
    OptionalInt message,
    OptionalLong wr) {

  /** Nothing but a host. */
  public static ParameterValues ofHost(String host) {
    return new ParameterValues(
        host,
        Optional.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalLong.empty());
  }

  /** These values and a key. */
  public ParameterValues withKey(MemoryKey value) {
    return new ParameterValues(host, Optional.of(value), mr, qp, psn, message, wr);
  }

  /** These values and a registration. */
  public ParameterValues withMr(long value) {
    return new ParameterValues(host, key, OptionalLong.of(value), qp, psn, message, wr);
  }

  /** These values and a queue pair. */
  public ParameterValues withQp(QueuePairId value) {
    return new ParameterValues(host, key, mr, Optional.of(value), psn, message, wr);
  }

  /** These values and a packet. */
  public ParameterValues withPsn(int value) {
    return new ParameterValues(host, key, mr, qp, OptionalInt.of(value), message, wr);
  }

  /** These values and a message. */
  public ParameterValues withMessage(int value) {
    return new ParameterValues(host, key, mr, qp, psn, OptionalInt.of(value), wr);
  }

  /** These values and a work request. */
  public ParameterValues withWr(long value) {
    return new ParameterValues(host, key, mr, qp, psn, message, OptionalLong.of(value));
  }

  /** Whether the parameter has a value here. */
  public boolean has(Parameter parameter) {
    return value(parameter) != null;
  }

  /** Whether every one of the parameters has a value here. */
  public boolean hasAll(List<Parameter> parameters) {
    return parameters.stream().allMatch(this::has);
  }

  /** Whether both agree on all the parameters given. */
  public boolean agrees(ParameterValues other, List<Parameter> parameters) {
    return parameters.stream()
        .allMatch(parameter -> Objects.equals(value(parameter), other.value(parameter)));
  }

  /** The value of one parameter as an object with {@code equals}, or null. */
  public Object value(Parameter parameter) {
    return switch (parameter) {
      case HOST -> host;
      case KEY -> key.orElse(null);
      case MR -> mr.isPresent() ? (Object) mr.getAsLong() : null;
      case QP -> qp.orElse(null);
      case PSN -> psn.isPresent() ? (Object) psn.getAsInt() : null;
      case MESSAGE -> message.isPresent() ? (Object) message.getAsInt() : null;
      case WR -> wr.isPresent() ? (Object) wr.getAsLong() : null;
    };
  }

  /** For people: {@code host=10.9.0.1 qp=0x11.1 psn=7}. */
  @Override
  public String toString() {
    List<String> words = new ArrayList<>();
    for (Parameter parameter : Parameter.values()) {
      Object value = value(parameter);
      if (value != null) {
        words.add(parameter.text() + "=" + value);
      }
    }
    return String.join(" ", words);
  }

  /**
   * A number that stands for these values: equal for equal values, and as good as surely different
   * for different ones.
   */
  public long fingerprint() {
    long mixed = mix(0, host.hashCode());
    mixed = mix(mixed, key.isPresent() ? key.get().unsigned() : -1);
    mixed = mix(mixed, mr.orElse(-1));
    mixed = mix(mixed, qp.isPresent() ? qp.get().number() : -1);
    mixed = mix(mixed, qp.isPresent() ? qp.get().incarnation() : -1);
    mixed = mix(mixed, psn.orElse(-1));
    mixed = mix(mixed, message.orElse(-1));
    return mix(mixed, wr.orElse(-1));
  }

  /** The finalizer of SplitMix64 over the sum. */
  private static long mix(long before, long value) {
    long mixed = (before + 0x9e3779b97f4a7c15L) ^ value * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }
}
