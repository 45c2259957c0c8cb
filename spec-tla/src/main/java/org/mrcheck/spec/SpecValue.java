package org.mrcheck.spec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A TLA+ value, detached from TLC: immutable, with value equality and one total order.
 *
 * <p>Equality is TLA+'s: a set has no duplicates and no order, and the functions that have a
 * notation of their own take it. A function whose domain is {@code 1..n} is a {@link Seq} (so is
 * the function of empty domain), one whose domain is a non-empty set of strings is a {@link Rec},
 * and every other one is a {@link Fun}. {@link #function(Map)} chooses; the constructors of {@code
 * Rec} and {@code Fun} refuse maps that belong to another case, so that equal values are always
 * equal objects.
 *
 * <p>The order ranks by kind first (booleans, integers, strings, model values, sets, sequences,
 * records, functions), then by content. Unlike TLC's own order it does not depend on the order in
 * which a module was loaded. {@link Object#toString()} prints TLA+ syntax.
 *
 * <p>All values are safe for use by several threads.
 */
public sealed interface SpecValue extends Comparable<SpecValue> {

  /** TRUE or FALSE. */
  record Bool(boolean value) implements SpecValue {
    @Override
    public String toString() {
      return value ? "TRUE" : "FALSE";
    }
  }

  /** An integer; TLC's integers have 32 bits, signed. */
  record Int(int value) implements SpecValue {
    @Override
    public String toString() {
      return Integer.toString(value);
    }
  }

  /** A string, without its quotation marks. */
  record Str(String value) implements SpecValue {
    public Str {
      Objects.requireNonNull(value, "value");
    }

    @Override
    public String toString() {
      return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
  }

  /** A model value: equal to itself and to nothing else. */
  record ModelValue(String name) implements SpecValue {
    public ModelValue {
      Objects.requireNonNull(name, "name");
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * A finite set.
   *
   * @param elements the elements in canonical order without duplicates; the constructor sorts
   */
  record SetOf(List<SpecValue> elements) implements SpecValue {
    public SetOf {
      elements = List.copyOf(new TreeSet<>(elements));
    }

    /** Whether {@code value} is an element. */
    public boolean contains(SpecValue value) {
      return Collections.binarySearch(elements, value) >= 0;
    }

    /** The number of elements. */
    public int size() {
      return elements.size();
    }

    /** Whether there is no element. */
    public boolean isEmpty() {
      return elements.isEmpty();
    }

    @Override
    public String toString() {
      return join("{", elements, "}");
    }
  }

  /** A sequence or tuple; also the function of empty domain. */
  record Seq(List<SpecValue> elements) implements SpecValue {
    public Seq {
      elements = List.copyOf(elements);
    }

    /** The length. */
    public int size() {
      return elements.size();
    }

    @Override
    public String toString() {
      return join("<<", elements, ">>");
    }
  }

  /**
   * A record: a function from a non-empty set of strings.
   *
   * @param fields the fields by name, in the order of the names
   */
  record Rec(SortedMap<String, SpecValue> fields) implements SpecValue {
    public Rec {
      if (fields.isEmpty()) {
        throw new IllegalArgumentException("a record without fields is the empty sequence");
      }
      fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    }

    /** The value of a field, if the record has it. */
    public Optional<SpecValue> field(String name) {
      return Optional.ofNullable(fields.get(name));
    }

    /** This record with one field set to another value, or added. */
    public Rec with(String name, SpecValue value) {
      TreeMap<String, SpecValue> changed = new TreeMap<>(fields);
      changed.put(name, value);
      return new Rec(changed);
    }

    @Override
    public String toString() {
      List<String> parts = new ArrayList<>();
      fields.forEach((name, value) -> parts.add(name + " |-> " + value));
      return "[" + String.join(", ", parts) + "]";
    }
  }

  /**
   * A function that is neither a sequence nor a record.
   *
   * @param entries the values by argument, in canonical order of the arguments
   */
  record Fun(SortedMap<SpecValue, SpecValue> entries) implements SpecValue {
    public Fun {
      if (isSequenceDomain(entries.keySet()) || isRecordDomain(entries.keySet())) {
        throw new IllegalArgumentException("use SpecValue.function for sequences and records");
      }
      entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
    }

    /** The value at an argument, if that is in the domain. */
    public Optional<SpecValue> at(SpecValue argument) {
      return Optional.ofNullable(entries.get(argument));
    }

    @Override
    public String toString() {
      List<String> parts = new ArrayList<>();
      entries.forEach((argument, value) -> parts.add(argument + " :> " + value));
      return "(" + String.join(" @@ ", parts) + ")";
    }
  }

  /** TRUE or FALSE. */
  static Bool of(boolean value) {
    return new Bool(value);
  }

  /** An integer. */
  static Int of(int value) {
    return new Int(value);
  }

  /** A string. */
  static Str of(String value) {
    return new Str(value);
  }

  /** The set of the given elements; duplicates count once. */
  static SetOf set(SpecValue... elements) {
    return new SetOf(Arrays.asList(elements));
  }

  /** The set of the given elements; duplicates count once. */
  static SetOf set(Collection<? extends SpecValue> elements) {
    return new SetOf(List.copyOf(elements));
  }

  /** The sequence of the given elements. */
  static Seq seq(SpecValue... elements) {
    return new Seq(Arrays.asList(elements));
  }

  /** The record with the given fields; at least one. */
  static Rec record(Map<String, ? extends SpecValue> fields) {
    return new Rec(new TreeMap<>(fields));
  }

  /** The record with one field. Add more with {@link Rec#with}. */
  static Rec record(String name, SpecValue value) {
    return record(Map.of(name, value));
  }

  /** The record with two fields. */
  static Rec record(String name1, SpecValue value1, String name2, SpecValue value2) {
    return record(Map.of(name1, value1, name2, value2));
  }

  /** The function with the given entries, as sequence or record where it is one. */
  static SpecValue function(Map<? extends SpecValue, ? extends SpecValue> entries) {
    if (isSequenceDomain(entries.keySet())) {
      return new Seq(List.copyOf(new TreeMap<>(entries).values()));
    }
    if (isRecordDomain(entries.keySet())) {
      TreeMap<String, SpecValue> fields = new TreeMap<>();
      entries.forEach((name, value) -> fields.put(((Str) name).value(), value));
      return new Rec(fields);
    }
    return new Fun(new TreeMap<>(entries));
  }

  /** The canonical order; consistent with equals. */
  @Override
  default int compareTo(SpecValue other) {
    int byKind = Integer.compare(rank(this), rank(other));
    if (byKind != 0) {
      return byKind;
    }
    if (this instanceof Bool a && other instanceof Bool b) {
      return Boolean.compare(a.value(), b.value());
    }
    if (this instanceof Int a && other instanceof Int b) {
      return Integer.compare(a.value(), b.value());
    }
    if (this instanceof Str a && other instanceof Str b) {
      return a.value().compareTo(b.value());
    }
    if (this instanceof ModelValue a && other instanceof ModelValue b) {
      return a.name().compareTo(b.name());
    }
    if (this instanceof SetOf a && other instanceof SetOf b) {
      return compareAll(a.elements(), b.elements(), Comparator.naturalOrder());
    }
    if (this instanceof Seq a && other instanceof Seq b) {
      return compareAll(a.elements(), b.elements(), Comparator.naturalOrder());
    }
    if (this instanceof Rec a && other instanceof Rec b) {
      int byNames =
          compareAll(a.fields().keySet(), b.fields().keySet(), Comparator.<String>naturalOrder());
      return byNames != 0
          ? byNames
          : compareAll(a.fields().values(), b.fields().values(), Comparator.naturalOrder());
    }
    Fun a = (Fun) this;
    Fun b = (Fun) other;
    int byDomain =
        compareAll(a.entries().keySet(), b.entries().keySet(), Comparator.naturalOrder());
    return byDomain != 0
        ? byDomain
        : compareAll(a.entries().values(), b.entries().values(), Comparator.naturalOrder());
  }

  private static int rank(SpecValue value) {
    if (value instanceof Bool) {
      return 0;
    } else if (value instanceof Int) {
      return 1;
    } else if (value instanceof Str) {
      return 2;
    } else if (value instanceof ModelValue) {
      return 3;
    } else if (value instanceof SetOf) {
      return 4;
    } else if (value instanceof Seq) {
      return 5;
    } else if (value instanceof Rec) {
      return 6;
    }
    return 7;
  }

  private static <T> int compareAll(
      Collection<T> left, Collection<T> right, Comparator<? super T> order) {
    Iterator<T> rights = right.iterator();
    for (T element : left) {
      if (!rights.hasNext()) {
        return 1;
      }
      int here = order.compare(element, rights.next());
      if (here != 0) {
        return here;
      }
    }
    return rights.hasNext() ? -1 : 0;
  }

  private static boolean isSequenceDomain(Collection<? extends SpecValue> domain) {
    for (int index = 1; index <= domain.size(); index++) {
      if (!domain.contains(new Int(index))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isRecordDomain(Collection<? extends SpecValue> domain) {
    return !domain.isEmpty() && domain.stream().allMatch(Str.class::isInstance);
  }

  private static String join(String open, List<SpecValue> elements, String close) {
    List<String> parts = new ArrayList<>();
    elements.forEach(element -> parts.add(element.toString()));
    return open + String.join(", ", parts) + close;
  }
}
