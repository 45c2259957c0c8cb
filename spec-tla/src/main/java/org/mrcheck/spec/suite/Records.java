package org.mrcheck.spec.suite;

import java.util.SortedSet;
import java.util.TreeSet;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecValue;

/** Reads strings and sets of strings out of values. */
final class Records {
  private Records() {}

  static String text(SpecValue value) {
    if (value instanceof SpecValue.Str text) {
      return text.value();
    }
    throw unexpected("a string", value);
  }

  static SortedSet<String> texts(SpecValue value) {
    if (value instanceof SpecValue.SetOf set) {
      TreeSet<String> texts = new TreeSet<>();
      set.elements().forEach(element -> texts.add(text(element)));
      return texts;
    }
    throw unexpected("a set of strings", value);
  }

  static SpecValue field(SpecValue value, String name) {
    if (value instanceof SpecValue.Rec record && record.field(name).isPresent()) {
      return record.field(name).get();
    }
    throw unexpected("a record with a field " + name, value);
  }

  static SpecException unexpected(String what, SpecValue got) {
    return new SpecException(
        SpecException.Kind.UNEXPECTED_VALUE, null, "expected " + what + ", got " + got);
  }
}
