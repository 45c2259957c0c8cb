package org.mrcheck.lang.trace.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.antlr.v4.runtime.Token;
import org.mrcheck.lang.diagnostic.Diagnostic;
import org.mrcheck.lang.diagnostic.Excerpt;
import org.mrcheck.lang.diagnostic.Suggestion;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.Syndrome;

/**
 * The fields of one event line, converted to values. Holds the tokens of one line at a time and is
 * used again for the next one. Every conversion is from the bytes of one token.
 */
final class FieldValues {
  private static final NameTable<Field> FIELDS =
      new NameTable<>(Arrays.asList(Field.values()), Field::text);
  private static final NameTable<AccessFlags.Flag> FLAGS =
      new NameTable<>(Arrays.asList(AccessFlags.Flag.values()), AccessFlags.Flag::text);

  private final Token[] names = new Token[Field.values().length];
  private final Token[] values = new Token[Field.values().length];
  private final ActorCache actors = new ActorCache();
  private long present;
  private byte[] buffer;
  private LineLocator locator;

  /** Finds the line of a token when a diagnostic needs it. */
  @FunctionalInterface
  interface LineLocator {
    LinePlace place(int index);
  }

  /** Goes to the next line. */
  void line(byte[] bytes, LineLocator lineLocator) {
    buffer = bytes;
    locator = lineLocator;
  }

  /** Takes the fields of the line, and checks them against what the event takes. */
  void begin(EventName event, Token eventName, List<Token> fieldNames, List<Token> fieldValues)
      throws TraceSyntaxException {
    present = 0;
    EventFields fields = EventFields.of(event);
    for (int index = 0; index < fieldNames.size(); index++) {
      Token name = fieldNames.get(index);
      Field field = FIELDS.find(buffer, name.getStartIndex(), name.getStopIndex());
      if (field == null || (fields.allowed() & field.bit()) == 0) {
        throw unknownField(event, fields, name);
      }
      if ((present & field.bit()) != 0) {
        throw repeatedField(field, name);
      }
      present |= field.bit();
      names[field.ordinal()] = name;
      values[field.ordinal()] = fieldValues.get(index);
    }
    if ((present & fields.required()) != fields.required()) {
      throw missingField(event, fields, eventName);
    }
  }

  boolean has(Field field) {
    return (present & field.bit()) != 0;
  }

  // Numbers

  /** The field's value, an unsigned number in the field's own range. */
  long number(Field field) throws TraceSyntaxException {
    return number(field, field.greatest());
  }

  /** The field's value, an unsigned number up to {@code greatest}. */
  long number(Field field, long greatest) throws TraceSyntaxException {
    return number(values[field.ordinal()], field.text(), field.least(), greatest);
  }

  long number(Field field, long greatest, long whenAbsent) throws TraceSyntaxException {
    return has(field) ? number(field, greatest) : whenAbsent;
  }

  OptionalLong optionalLong(Field field) throws TraceSyntaxException {
    return has(field) ? OptionalLong.of(number(field)) : OptionalLong.empty();
  }

  OptionalInt optionalInt(Field field) throws TraceSyntaxException {
    return has(field) ? OptionalInt.of((int) number(field)) : OptionalInt.empty();
  }

  MemoryKey key(Field field) throws TraceSyntaxException {
    return new MemoryKey((int) number(field));
  }

  Optional<MemoryKey> optionalKey(Field field) throws TraceSyntaxException {
    return has(field) ? Optional.of(key(field)) : Optional.empty();
  }

  Syndrome syndrome() throws TraceSyntaxException {
    return new Syndrome((int) number(Field.SYNDROME));
  }

  /** The token's value, an unsigned number; what it is called is for diagnostics. */
  long number(Token token, String what, long least, long greatest) throws TraceSyntaxException {
    if (token.getType() != TraceLexer.NUMBER) {
      throw failure(
          error("\"" + what + "\" is a number", token)
              .withExpected("decimal or 0x hexadecimal, " + Field.range(least, greatest)));
    }
    int from = token.getStartIndex();
    int to = token.getStopIndex() + 1;
    if (Numbers.fits(buffer, from, to)) {
      long value = Numbers.unsigned(buffer, from, to);
      if (Long.compareUnsigned(value, least) >= 0 && Long.compareUnsigned(value, greatest) <= 0) {
        return value;
      }
    }
    throw outOfRange(token, what, Field.range(least, greatest));
  }

  /** A time: a signed number. */
  long signed(Token token, String what) throws TraceSyntaxException {
    int from = token.getStartIndex();
    int to = token.getStopIndex() + 1;
    boolean negative = buffer[from] == '-';
    int digits = negative ? from + 1 : from;
    if (Numbers.fits(buffer, digits, to)) {
      long magnitude = Numbers.unsigned(buffer, digits, to);
      // Both overflow to the other sign; the least number is its own negation.
      long value = negative ? -magnitude : magnitude;
      if (negative ? value <= 0 : value >= 0) {
        return value;
      }
    }
    throw outOfRange(token, what, Long.MIN_VALUE + " to " + Long.MAX_VALUE);
  }

  private TraceSyntaxException outOfRange(Token token, String what, String range) {
    return failure(
        error("\"" + what + "\" is out of range", token)
            .withFound(text(token))
            .withExpected(range));
  }

  // Words

  /** The value that the field's word names. */
  <T> T word(Field field, NameTable<T> known) throws TraceSyntaxException {
    Token token = values[field.ordinal()];
    T value = known.find(buffer, token.getStartIndex(), token.getStopIndex() + 1);
    if (value == null) {
      throw unknownWord(token, "\"" + field.text() + "\" cannot be", known.names());
    }
    return value;
  }

  <T> Optional<T> optionalWord(Field field, NameTable<T> known) throws TraceSyntaxException {
    return has(field) ? Optional.of(word(field, known)) : Optional.empty();
  }

  AccessFlags rights() throws TraceSyntaxException {
    Token token = values[Field.RIGHTS.ordinal()];
    int end = token.getStopIndex() + 1;
    int bits = 0;
    for (int from = token.getStartIndex(); from <= end; ) {
      int to = from;
      while (to < end && buffer[to] != '|') {
        to++;
      }
      AccessFlags.Flag flag = FLAGS.find(buffer, from, to);
      if (flag != null) {
        bits |= flag.bit();
      } else if (isHexadecimal(from, to) && Numbers.fits(buffer, from, to)) {
        long value = Numbers.unsigned(buffer, from, to);
        if (Long.compareUnsigned(value, Field.BITS_32) > 0) {
          throw unknownRight(token, from, to);
        }
        bits |= (int) value;
      } else if (!(from == token.getStartIndex() && to == end && isNone(from, to))) {
        throw unknownRight(token, from, to);
      }
      from = to + 1;
    }
    return new AccessFlags(bits);
  }

  private boolean isHexadecimal(int from, int to) {
    if (to - from < 3 || buffer[from] != '0' || buffer[from + 1] != 'x') {
      return false;
    }
    for (int index = from + 2; index < to; index++) {
      if (Character.digit(buffer[index], 16) < 0) {
        return false;
      }
    }
    return true;
  }

  private boolean isNone(int from, int to) {
    return to - from == 4 && text(from, to).equals("none");
  }

  private TraceSyntaxException unknownRight(Token token, int from, int to) {
    String word = text(from, to);
    List<String> names = new ArrayList<>(FLAGS.names());
    names.add("none");
    String message =
        isNone(from, to)
            ? "\"none\" cannot be joined with rights"
            : "there is no right \"" + word + "\"";
    Diagnostic unknown =
        locator
            .place(token.getStartIndex())
            .error(message, from, to)
            .withExpected("names joined by |: " + String.join(", ", names));
    return failure(withSuggestion(unknown, word, names));
  }

  private TraceSyntaxException unknownWord(Token token, String message, List<String> known) {
    Diagnostic unknown = error(message + " \"" + text(token) + "\"", token);
    unknown =
        known.size() <= 32
            ? unknown.withExpected(known)
            : unknown.withExpected(
                known.get(0) + ", " + known.get(1) + " and " + (known.size() - 2) + " more");
    return failure(withSuggestion(unknown, text(token), known));
  }

  private static Diagnostic withSuggestion(Diagnostic diagnostic, String word, List<String> known) {
    return Suggestion.nearest(word, known)
        .map(near -> diagnostic.withAdvice("did you mean \"" + near + "\"?"))
        .orElse(diagnostic);
  }

  /** Free text, quoted or a single word. */
  String freeText(Field field) throws TraceSyntaxException {
    return freeText(values[field.ordinal()]);
  }

  Optional<String> optionalText(Field field) throws TraceSyntaxException {
    return has(field) ? Optional.of(freeText(field)) : Optional.empty();
  }

  String freeText(Token token) throws TraceSyntaxException {
    String raw = decoded(token.getStartIndex(), token.getStopIndex() + 1);
    if (token.getType() != TraceLexer.STRING) {
      return raw;
    }
    int wrong = Quoting.firstWrongEscape(raw);
    if (wrong >= 0) {
      // Everything before the escape, in bytes.
      int from =
          token.getStartIndex() + raw.substring(0, wrong).getBytes(StandardCharsets.UTF_8).length;
      throw failure(
          locator
              .place(token.getStartIndex())
              .error("unknown escape in a text", from, from + 2)
              .withExpected("\\\"", "\\\\", "\\n", "\\r", "\\t", "\\u{HEX}"));
    }
    return Quoting.unquote(raw);
  }

  // Names with parts

  Actor actor(Token token) throws TraceSyntaxException {
    int from = token.getStartIndex();
    int to = token.getStopIndex() + 1;
    int slash = indexOf('/', from, to);
    if (slash <= from || slash == to - 1 || indexOf('/', slash + 1, to) >= 0) {
      throw failure(
          error("\"" + text(token) + "\" is no actor", token)
              .withExpected("HOST/ROLE such as 10.9.0.1/owner"));
    }
    return actors.actor(buffer, from, slash, to);
  }

  QueuePairId queuePair() throws TraceSyntaxException {
    Token token = values[Field.QP.ordinal()];
    return queuePair(token, token.getStartIndex(), Field.QP);
  }

  Optional<QueuePairId> optionalQueuePair() throws TraceSyntaxException {
    return has(Field.QP) ? Optional.of(queuePair()) : Optional.empty();
  }

  Optional<QueuePairAddress> optionalPeer() throws TraceSyntaxException {
    if (!has(Field.PEER)) {
      return Optional.empty();
    }
    Token token = values[Field.PEER.ordinal()];
    int from = token.getStartIndex();
    int slash = indexOf('/', from, token.getStopIndex() + 1);
    if (slash <= from) {
      throw failure(
          error("\"" + text(token) + "\" names no queue pair of a host", token)
              .withExpected(Field.PEER.form()));
    }
    String host = decoded(from, slash);
    return Optional.of(new QueuePairAddress(host, queuePair(token, slash + 1, Field.PEER)));
  }

  private QueuePairId queuePair(Token token, int from, Field field) throws TraceSyntaxException {
    int to = token.getStopIndex() + 1;
    int dot = indexOf('.', from, to);
    int numberEnd = dot < 0 ? to : dot;
    boolean numberRight = Numbers.isNumber(buffer, from, numberEnd);
    if (!numberRight || dot < 0 || !Numbers.isNumber(buffer, dot + 1, to)) {
      Diagnostic wrong =
          error("\"" + text(token) + "\" names no queue pair", token).withExpected(field.form());
      throw failure(
          numberRight && dot < 0
              ? wrong.withAdvice(
                  "a number may be used again, so say which queue pair that bore it: "
                      + text(token)
                      + ".1 for the first")
              : wrong);
    }
    long number = partInRange(token, from, dot, "queue pair number", 0, Field.BITS_24);
    long incarnation = partInRange(token, dot + 1, to, "incarnation", 1, Integer.MAX_VALUE);
    return new QueuePairId((int) number, (int) incarnation);
  }

  private long partInRange(Token token, int from, int to, String what, long least, long greatest)
      throws TraceSyntaxException {
    if (Numbers.fits(buffer, from, to)) {
      long value = Numbers.unsigned(buffer, from, to);
      if (Long.compareUnsigned(value, least) >= 0 && Long.compareUnsigned(value, greatest) <= 0) {
        return value;
      }
    }
    throw failure(
        locator
            .place(token.getStartIndex())
            .error("the " + what + " is out of range", from, to)
            .withFound(text(from, to))
            .withExpected(Field.range(least, greatest)));
  }

  private int indexOf(char wanted, int from, int to) {
    for (int index = from; index < to; index++) {
      if (buffer[index] == wanted) {
        return index;
      }
    }
    return -1;
  }

  // Diagnostics

  /** Throws if only some of the fields that belong together are there. */
  boolean together(Token eventName, Field... group) throws TraceSyntaxException {
    int there = 0;
    for (Field field : group) {
      there += has(field) ? 1 : 0;
    }
    if (there != 0 && there != group.length) {
      List<String> names = Arrays.stream(group).map(Field::text).toList();
      List<String> missing =
          Arrays.stream(group).filter(field -> !has(field)).map(Field::text).toList();
      throw failure(
          error("\"" + String.join("\", \"", missing) + "\" is missing", eventName)
              .withExpected(String.join(", ", names) + " together, or none of them"));
    }
    return there != 0;
  }

  private TraceSyntaxException unknownField(EventName event, EventFields fields, Token name) {
    String word = text(name.getStartIndex(), name.getStopIndex());
    Diagnostic unknown =
        locator
            .place(name.getStartIndex())
            .error(
                "\"" + event.text() + "\" has no field \"" + word + "\"",
                name.getStartIndex(),
                name.getStopIndex())
            .withExpected(fields.described());
    return failure(
        withSuggestion(unknown, word, fields.fields().stream().map(Field::text).toList()));
  }

  private TraceSyntaxException repeatedField(Field field, Token name) {
    Token first = names[field.ordinal()];
    LinePlace place = locator.place(name.getStartIndex());
    Diagnostic repeated =
        place.error(
            "\"" + field.text() + "\" is given twice", name.getStartIndex(), name.getStopIndex());
    int from = first.getStartIndex();
    int to = first.getStopIndex();
    return failure(
        repeated.withNote("first given here", place.span(from, to), place.excerpt(from, to)));
  }

  private TraceSyntaxException missingField(EventName event, EventFields fields, Token eventName) {
    List<String> missing =
        fields.fields().stream()
            .filter(field -> (fields.required() & ~present & field.bit()) != 0)
            .map(field -> "\"" + field.text() + "\"")
            .toList();
    return failure(
        error(
                "\""
                    + event.text()
                    + "\" lacks "
                    + (missing.size() == 1 ? "the field " : "the fields ")
                    + String.join(", ", missing),
                eventName)
            .withExpected(fields.described()));
  }

  private Diagnostic error(String message, Token token) {
    return locator.place(token.getStartIndex()).error(message, token);
  }

  private String text(Token token) {
    return text(token.getStartIndex(), token.getStopIndex() + 1);
  }

  /** The text for messages: the beginning of it if it is long. */
  private String text(int from, int to) {
    return Excerpt.abbreviated(decoded(from, to));
  }

  private String decoded(int from, int to) {
    return new String(buffer, from, to - from, StandardCharsets.UTF_8);
  }

  private static TraceSyntaxException failure(Diagnostic diagnostic) {
    return new TraceSyntaxException(diagnostic);
  }
}
