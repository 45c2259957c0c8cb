package org.mrcheck.spec.spi;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.mrcheck.spec.SpecValue;

/** A binary form of values, for one build talking to itself. */
public final class ValueCodec {
  private ValueCodec() {}

  /** Writes a value. */
  public static void write(SpecValue value, DataOutputStream out) throws IOException {
    if (value instanceof SpecValue.Bool bool) {
      out.writeByte('b');
      out.writeBoolean(bool.value());
    } else if (value instanceof SpecValue.Int integer) {
      out.writeByte('i');
      out.writeInt(integer.value());
    } else if (value instanceof SpecValue.Str string) {
      out.writeByte('s');
      text(string.value(), out);
    } else if (value instanceof SpecValue.ModelValue model) {
      out.writeByte('m');
      text(model.name(), out);
    } else if (value instanceof SpecValue.SetOf set) {
      out.writeByte('{');
      all(set.elements(), out);
    } else if (value instanceof SpecValue.Seq sequence) {
      out.writeByte('<');
      all(sequence.elements(), out);
    } else if (value instanceof SpecValue.Rec rec) {
      out.writeByte('[');
      out.writeInt(rec.fields().size());
      for (Map.Entry<String, SpecValue> field : rec.fields().entrySet()) {
        text(field.getKey(), out);
        write(field.getValue(), out);
      }
    } else if (value instanceof SpecValue.Fun function) {
      out.writeByte('(');
      out.writeInt(function.entries().size());
      for (Map.Entry<SpecValue, SpecValue> entry : function.entries().entrySet()) {
        write(entry.getKey(), out);
        write(entry.getValue(), out);
      }
    }
  }

  /** Reads a value. */
  public static SpecValue read(DataInputStream in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case 'b' -> SpecValue.of(in.readBoolean());
      case 'i' -> SpecValue.of(in.readInt());
      case 's' -> SpecValue.of(text(in));
      case 'm' -> new SpecValue.ModelValue(text(in));
      case '{' -> new SpecValue.SetOf(all(in));
      case '<' -> new SpecValue.Seq(all(in));
      case '[' -> {
        TreeMap<String, SpecValue> fields = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
          fields.put(text(in), read(in));
        }
        yield new SpecValue.Rec(fields);
      }
      case '(' -> {
        TreeMap<SpecValue, SpecValue> entries = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
          entries.put(read(in), read(in));
        }
        yield new SpecValue.Fun(entries);
      }
      default -> throw new IOException("unknown kind of value " + kind);
    };
  }

  /** Writes a text of any length. */
  public static void text(String text, DataOutputStream out) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Reads a text. */
  public static String text(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void all(List<SpecValue> values, DataOutputStream out) throws IOException {
    out.writeInt(values.size());
    for (SpecValue value : values) {
      write(value, out);
    }
  }

  private static List<SpecValue> all(DataInputStream in) throws IOException {
    List<SpecValue> values = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      values.add(read(in));
    }
    return values;
  }
}
