package org.mrcheck.lang.trace.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds values by their names as they stand in the file's bytes, without making strings. Filled
 * once, then only read.
 */
final class NameTable<T> {
  private final byte[][] names;
  private final List<T> values;
  private final List<String> texts = new ArrayList<>();
  private final int mask;

  /** A table of the given values, found by their texts. */
  NameTable(List<T> all, Function<T, String> text) {
    int capacity = Integer.highestOneBit(Math.max(8, all.size() * 4 - 1)) * 2;
    this.mask = capacity - 1;
    this.names = new byte[capacity][];
    this.values = new ArrayList<>(capacity);
    for (int slot = 0; slot < capacity; slot++) {
      values.add(null);
    }
    for (T value : all) {
      byte[] name = text.apply(value).getBytes(StandardCharsets.UTF_8);
      int slot = hash(name, 0, name.length) & mask;
      while (names[slot] != null) {
        slot = slot + 1 & mask;
      }
      names[slot] = name;
      values.set(slot, value);
      texts.add(text.apply(value));
    }
  }

  /** The value of that name, or null. */
  T find(byte[] buffer, int from, int to) {
    int slot = hash(buffer, from, to) & mask;
    while (names[slot] != null) {
      if (same(names[slot], buffer, from, to)) {
        return values.get(slot);
      }
      slot = slot + 1 & mask;
    }
    return null;
  }

  /** The value of that name, if there is one. */
  Optional<T> find(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return Optional.ofNullable(find(bytes, 0, bytes.length));
  }

  /** All names, in the order given. */
  List<String> names() {
    return List.copyOf(texts);
  }

  static int hash(byte[] buffer, int from, int to) {
    int hash = 0;
    for (int at = from; at < to; at++) {
      hash = hash * 31 + buffer[at];
    }
    return hash ^ hash >>> 7;
  }

  static boolean same(byte[] name, byte[] buffer, int from, int to) {
    if (name.length != to - from) {
      return false;
    }
    for (int at = 0; at < name.length; at++) {
      if (name[at] != buffer[from + at]) {
        return false;
      }
    }
    return true;
  }
}
