package org.mrcheck.spec.tlc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecValue;
import tlc2.value.IValue;
import tlc2.value.impl.BoolValue;
import tlc2.value.impl.Enumerable;
import tlc2.value.impl.FcnRcdValue;
import tlc2.value.impl.IntValue;
import tlc2.value.impl.ModelValue;
import tlc2.value.impl.RecordValue;
import tlc2.value.impl.SetEnumValue;
import tlc2.value.impl.StringValue;
import tlc2.value.impl.TupleValue;
import tlc2.value.impl.Value;
import tlc2.value.impl.ValueVec;
import util.UniqueString;

/** Values of TLC to ours and back. */
final class Values {
  /** Larger sets are taken for a mistake rather than copied. */
  private static final int LARGEST_SET = 1_000_000;

  private Values() {}

  /** TLC's form of a value. */
  static Value toTlc(SpecValue value) {
    if (value instanceof SpecValue.Bool bool) {
      return bool.value() ? BoolValue.ValTrue : BoolValue.ValFalse;
    } else if (value instanceof SpecValue.Int integer) {
      return IntValue.gen(integer.value());
    } else if (value instanceof SpecValue.Str string) {
      return new StringValue(UniqueString.uniqueStringOf(string.value()));
    } else if (value instanceof SpecValue.ModelValue model) {
      return ModelValue.make(model.name());
    } else if (value instanceof SpecValue.SetOf set) {
      SetEnumValue converted = new SetEnumValue(all(set.elements()), false);
      converted.deepNormalize();
      return converted;
    } else if (value instanceof SpecValue.Seq sequence) {
      return new TupleValue(all(sequence.elements()));
    } else if (value instanceof SpecValue.Rec rec) {
      UniqueString[] names =
          rec.fields().keySet().stream()
              .map(UniqueString::uniqueStringOf)
              .toArray(UniqueString[]::new);
      RecordValue converted = new RecordValue(names, all(rec.fields().values()), false);
      converted.deepNormalize();
      return converted;
    }
    SpecValue.Fun function = (SpecValue.Fun) value;
    FcnRcdValue converted =
        new FcnRcdValue(all(function.entries().keySet()), all(function.entries().values()), false);
    converted.deepNormalize();
    return converted;
  }

  private static Value[] all(Iterable<SpecValue> values) {
    List<Value> converted = new ArrayList<>();
    values.forEach(value -> converted.add(toTlc(value)));
    return converted.toArray(Value[]::new);
  }

  /**
   * Our form of a value.
   *
   * @throws SpecException when the value is infinite or too large to copy, or an operator
   */
  static SpecValue fromTlc(IValue value) {
    if (value instanceof BoolValue bool) {
      return SpecValue.of(bool.val);
    } else if (value instanceof IntValue integer) {
      return SpecValue.of(integer.val);
    } else if (value instanceof StringValue string) {
      return SpecValue.of(string.getVal().toString());
    } else if (value instanceof ModelValue model) {
      return new SpecValue.ModelValue(model.toString());
    } else if (value instanceof RecordValue rec && rec.names.length > 0) {
      TreeMap<String, SpecValue> fields = new TreeMap<>();
      for (int i = 0; i < rec.names.length; i++) {
        fields.put(rec.names[i].toString(), fromTlc(rec.values[i]));
      }
      return new SpecValue.Rec(fields);
    } else if (value instanceof TupleValue tuple) {
      List<SpecValue> elements = new ArrayList<>();
      for (Value element : tuple.elems) {
        elements.add(fromTlc(element));
      }
      return new SpecValue.Seq(elements);
    } else if (value instanceof Enumerable enumerable && value instanceof Value any) {
      return set(enumerable, any);
    } else if (value instanceof Value any) {
      return function(any);
    }
    throw noValue(String.valueOf(value));
  }

  private static SpecValue set(Enumerable enumerable, Value value) {
    if (enumerable.size() > LARGEST_SET) {
      throw noValue("a set of more than " + LARGEST_SET + " elements");
    }
    Value listed = value.toSetEnum();
    if (!(listed instanceof SetEnumValue set)) {
      throw noValue(value.toString());
    }
    ValueVec elements = set.elems;
    List<SpecValue> converted = new ArrayList<>(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      converted.add(fromTlc(elements.elementAt(i)));
    }
    return new SpecValue.SetOf(converted);
  }

  private static SpecValue function(Value value) {
    if (!(value.toFcnRcd() instanceof FcnRcdValue function)) {
      throw noValue(value.toString());
    }
    Map<SpecValue, SpecValue> entries = new TreeMap<>();
    Value[] domain = function.getDomainAsValues();
    for (int i = 0; i < domain.length; i++) {
      entries.put(fromTlc(domain[i]), fromTlc(function.values[i]));
    }
    return SpecValue.function(entries);
  }

  private static SpecException noValue(String what) {
    return new SpecException(
        SpecException.Kind.UNEXPECTED_VALUE, null, "not a finite value: " + what);
  }
}
