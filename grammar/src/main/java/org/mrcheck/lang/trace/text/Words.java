package org.mrcheck.lang.trace.text;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.TraceEvent.CallStatus;
import org.mrcheck.lang.trace.TraceEvent.CheckVerdict;
import org.mrcheck.lang.trace.TraceEvent.Mover;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;
import org.mrcheck.lang.trace.TraceHeader.Completeness;
import org.mrcheck.lang.trace.WcStatus;

/** The words that name values, the same for reading and printing. */
final class Words {
  static final NameTable<EventName> EVENTS = table(EventName.values(), EventName::text);
  static final NameTable<EventClass> CLASSES = table(EventClass.values(), EventClass::text);
  static final NameTable<Completeness> COMPLETENESS =
      table(Completeness.values(), Words::lowerCase);
  static final NameTable<CallStatus> CALL_STATUS = table(CallStatus.values(), Words::lowerCase);
  static final NameTable<CheckVerdict> VERDICTS = table(CheckVerdict.values(), Words::lowerCase);
  static final NameTable<AccessKind> ACCESS = table(AccessKind.values(), AccessKind::text);
  static final NameTable<Icrc> ICRC = table(Icrc.values(), Icrc::text);
  static final NameTable<WorkOperation> OPERATIONS = table(WorkOperation.values(), Enum::name);
  static final NameTable<WcStatus> WC_STATUS = table(WcStatus.values(), Enum::name);
  static final NameTable<Mover> MOVERS = table(Mover.values(), Words::lowerCase);
  static final NameTable<QueuePairState> STATES = table(QueuePairState.values(), Enum::name);
  static final NameTable<Opcode> OPCODES =
      new NameTable<>(IntStream.range(0, 256).mapToObj(Opcode::new).toList(), Opcode::toString);

  private Words() {}

  /** The word of a constant that has no text of its own. */
  static String lowerCase(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static <T> NameTable<T> table(T[] all, Function<T, String> text) {
    List<T> list = Arrays.asList(all);
    return new NameTable<>(list, text);
  }
}
