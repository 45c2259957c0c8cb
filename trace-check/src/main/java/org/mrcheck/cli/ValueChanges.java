package org.mrcheck.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.mrcheck.spec.SpecValue;

/**
 * What differs between two values, part by part, so that of a large state only the change shows.
 */
final class ValueChanges {
  private static final int LONGEST = 60;

  private ValueChanges() {}

  /**
   * The changes, a line each: {@code name[index].field: before -> after}; of sets what came and
   * what went.
   *
   * @param name the variable
   */
  static List<String> between(String name, SpecValue before, SpecValue after) {
    List<String> lines = new ArrayList<>();
    compare(name, before, after, lines);
    return lines;
  }

  private static void compare(String path, SpecValue before, SpecValue after, List<String> lines) {
    if (before.equals(after)) {
      return;
    }
    if (before instanceof SpecValue.SetOf left && after instanceof SpecValue.SetOf right) {
      Set<SpecValue> gone = new TreeSet<>(left.elements());
      gone.removeAll(right.elements());
      Set<SpecValue> come = new TreeSet<>(right.elements());
      come.removeAll(left.elements());
      gone.forEach(each -> lines.add(path + " loses " + brief(each)));
      come.forEach(each -> lines.add(path + " gains " + brief(each)));
      return;
    }
    SortedMap<String, SpecValue> left = parts(before);
    SortedMap<String, SpecValue> right = parts(after);
    if (!left.isEmpty() && left.keySet().equals(right.keySet())) {
      left.forEach((part, value) -> compare(path + part, value, right.get(part), lines));
      return;
    }
    if (before instanceof SpecValue.Seq shorter && after instanceof SpecValue.Seq longer) {
      if (longer.size() == shorter.size() + 1
          && longer.elements().subList(0, shorter.size()).equals(shorter.elements())) {
        lines.add(path + " gets " + brief(longer.elements().get(shorter.size())));
        return;
      }
      if (shorter.size() == longer.size() + 1
          && shorter.elements().subList(1, shorter.size()).equals(longer.elements())) {
        lines.add(path + " hands out " + brief(shorter.elements().get(0)));
        return;
      }
    }
    lines.add(path + ": " + brief(before) + " -> " + brief(after));
  }

  private static SortedMap<String, SpecValue> parts(SpecValue value) {
    TreeMap<String, SpecValue> parts = new TreeMap<>();
    if (value instanceof SpecValue.Rec record) {
      record.fields().forEach((name, field) -> parts.put("." + name, field));
    } else if (value instanceof SpecValue.Fun function) {
      for (Map.Entry<SpecValue, SpecValue> entry : function.entries().entrySet()) {
        parts.put("[" + plain(entry.getKey()) + "]", entry.getValue());
      }
    } else if (value instanceof SpecValue.Seq sequence) {
      for (int index = 0; index < sequence.size(); index++) {
        parts.put("[" + (index + 1) + "]", sequence.elements().get(index));
      }
    }
    return parts;
  }

  private static String brief(SpecValue value) {
    String text = plain(value);
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 3) + "...";
  }

  private static String plain(SpecValue value) {
    return value instanceof SpecValue.Str text
        ? text.value()
        : value.toString().replace("\"", "").replace(" |-> ", "=");
  }
}
