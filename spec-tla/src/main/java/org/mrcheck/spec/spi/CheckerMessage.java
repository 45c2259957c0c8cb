package org.mrcheck.spec.spi;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.mrcheck.spec.ModelProgress;
import org.mrcheck.spec.ModelResult;
import org.mrcheck.spec.SourceLocation;
import org.mrcheck.spec.SpecValue;

/**
 * What the process that runs TLC tells the process that started it, in a binary form of its own;
 * both sides are always of one build.
 */
public sealed interface CheckerMessage {

  /** How far the search is. */
  record Progress(ModelProgress progress) implements CheckerMessage {}

  /** How often an action was taken. */
  record Coverage(ModelResult.ActionCoverage action) implements CheckerMessage {}

  /** The next state of the counterexample. */
  record State(
      int number,
      String action,
      Optional<SourceLocation> location,
      SortedMap<String, SpecValue> variables)
      implements CheckerMessage {}

  /** The counterexample goes on for ever: from its last state back to one of its states. */
  record BackTo(int number) implements CheckerMessage {}

  /** The counterexample stays in its last state for ever. */
  record Stutters() implements CheckerMessage {}

  /** An invariant is violated and the search goes on; the states that show it follow. */
  record Violation(String invariant) implements CheckerMessage {}

  /** The value of an operator of the root module, as the configuration sets its constants. */
  record Evaluated(String operator, SpecValue value) implements CheckerMessage {}

  /** The end; nothing follows. Counts are -1 where TLC gave none. */
  record Finished(
      ModelResult.Outcome outcome,
      Optional<String> violated,
      Optional<SourceLocation> location,
      String message,
      ModelProgress counts,
      List<String> warnings)
      implements CheckerMessage {}

  /** Writes one message; the caller flushes. */
  static void write(CheckerMessage message, DataOutputStream out) throws IOException {
    if (message instanceof Progress each) {
      out.writeByte(0);
      progress(each.progress(), out);
    } else if (message instanceof Coverage each) {
      out.writeByte(1);
      ValueCodec.text(each.action().action(), out);
      location(each.action().location(), out);
      out.writeBoolean(each.action().initial());
      out.writeLong(each.action().distinct());
      out.writeLong(each.action().generated());
    } else if (message instanceof State each) {
      out.writeByte(2);
      out.writeInt(each.number());
      ValueCodec.text(each.action(), out);
      location(each.location(), out);
      out.writeInt(each.variables().size());
      for (var variable : each.variables().entrySet()) {
        ValueCodec.text(variable.getKey(), out);
        ValueCodec.write(variable.getValue(), out);
      }
    } else if (message instanceof BackTo each) {
      out.writeByte(3);
      out.writeInt(each.number());
    } else if (message instanceof Stutters) {
      out.writeByte(4);
    } else if (message instanceof Finished each) {
      out.writeByte(5);
      ValueCodec.text(each.outcome().name(), out);
      out.writeBoolean(each.violated().isPresent());
      if (each.violated().isPresent()) {
        ValueCodec.text(each.violated().get(), out);
      }
      location(each.location(), out);
      ValueCodec.text(each.message(), out);
      progress(each.counts(), out);
      out.writeInt(each.warnings().size());
      for (String warning : each.warnings()) {
        ValueCodec.text(warning, out);
      }
    } else if (message instanceof Violation each) {
      out.writeByte(6);
      ValueCodec.text(each.invariant(), out);
    } else if (message instanceof Evaluated each) {
      out.writeByte(7);
      ValueCodec.text(each.operator(), out);
      ValueCodec.write(each.value(), out);
    }
  }

  /** Reads one message. */
  static CheckerMessage read(DataInputStream in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case 0 -> new Progress(progress(in));
      case 1 ->
          new Coverage(
              new ModelResult.ActionCoverage(
                  ValueCodec.text(in),
                  location(in),
                  in.readBoolean(),
                  in.readLong(),
                  in.readLong()));
      case 2 -> {
        int number = in.readInt();
        String action = ValueCodec.text(in);
        Optional<SourceLocation> location = location(in);
        TreeMap<String, SpecValue> variables = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
          variables.put(ValueCodec.text(in), ValueCodec.read(in));
        }
        yield new State(number, action, location, variables);
      }
      case 3 -> new BackTo(in.readInt());
      case 4 -> new Stutters();
      case 5 -> {
        ModelResult.Outcome outcome = ModelResult.Outcome.valueOf(ValueCodec.text(in));
        Optional<String> violated =
            in.readBoolean() ? Optional.of(ValueCodec.text(in)) : Optional.empty();
        Optional<SourceLocation> location = location(in);
        String message = ValueCodec.text(in);
        ModelProgress counts = progress(in);
        List<String> warnings = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
          warnings.add(ValueCodec.text(in));
        }
        yield new Finished(outcome, violated, location, message, counts, warnings);
      }
      case 6 -> new Violation(ValueCodec.text(in));
      case 7 -> new Evaluated(ValueCodec.text(in), ValueCodec.read(in));
      default -> throw new IOException("unknown message " + kind);
    };
  }

  private static void progress(ModelProgress progress, DataOutputStream out) throws IOException {
    out.writeInt(progress.depth());
    out.writeLong(progress.generated());
    out.writeLong(progress.distinct());
    out.writeLong(progress.queued());
  }

  private static ModelProgress progress(DataInputStream in) throws IOException {
    return new ModelProgress(in.readInt(), in.readLong(), in.readLong(), in.readLong());
  }

  private static void location(Optional<SourceLocation> location, DataOutputStream out)
      throws IOException {
    out.writeBoolean(location.isPresent());
    if (location.isPresent()) {
      SourceLocation place = location.get();
      ValueCodec.text(place.file(), out);
      out.writeInt(place.line());
      out.writeInt(place.column());
      out.writeInt(place.endLine());
      out.writeInt(place.endColumn());
    }
  }

  private static Optional<SourceLocation> location(DataInputStream in) throws IOException {
    return in.readBoolean()
        ? Optional.of(
            new SourceLocation(
                ValueCodec.text(in), in.readInt(), in.readInt(), in.readInt(), in.readInt()))
        : Optional.empty();
  }
}
