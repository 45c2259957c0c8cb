package org.mrcheck.lang.trace.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.UnbufferedTokenStream;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.mrcheck.lang.diagnostic.Diagnostic;
import org.mrcheck.lang.diagnostic.DiagnosticSink;
import org.mrcheck.lang.diagnostic.Excerpt;
import org.mrcheck.lang.diagnostic.Suggestion;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.text.TraceGrammar.DirectiveContext;
import org.mrcheck.lang.trace.text.TraceGrammar.EventContext;
import org.mrcheck.lang.trace.text.TraceGrammar.VersionContext;

/**
 * Reads a trace: first its header, then its events one at a time. Memory does not depend on the
 * length of the trace.
 *
 * <p>Lines that the recording damaged (NUL bytes, a last line without an end) are dropped with a
 * warning. Anything else that is no trace ends the reading with a {@link TraceSyntaxException}. The
 * order and the sequence numbers of events are passed on as they are; holes in them are for the
 * consumer to judge.
 *
 * <p>Not safe for use by several threads at once.
 */
public final class TraceReader implements TraceInput {
  /** Longest line in bytes, its end not counted; a longer one is an error. */
  public static final int MAX_LINE_BYTES = LineBlocks.MAX_LINE_BYTES;

  private static final String MAGIC = "mrtrace";
  private static final String VERSION_LINE = MAGIC + " " + TraceHeader.CURRENT_VERSION;

  private final String file;
  private final DiagnosticSink warningSink;
  private final LineBlocks blocks;
  private final TraceLexer lexer;
  private final TraceGrammar parser;
  private final FieldValues values = new FieldValues();
  private final EventDecoder decoder = new EventDecoder(values);
  private final TraceHeader header;

  private UnbufferedTokenStream<CommonToken> tokens;
  private boolean inBlock;
  private long line;
  private long events;
  private long skippedExtensions;
  private long warnings;

  private TraceReader(InputStream in, String file, DiagnosticSink warningSink)
      throws IOException, TraceSyntaxException {
    this.file = file;
    this.warningSink = warningSink;
    this.blocks = new LineBlocks(in, file, this::warn);
    this.lexer = ByteLexerSimulator.lexer();
    this.parser = new TraceGrammar(null);
    this.parser.removeErrorListeners();
    this.parser.setBuildParseTree(false);
    this.parser.setErrorHandler(new LineErrorStrategy());
    blocks.open();
    readVersion();
    this.header = readHeader();
  }

  /**
   * Opens a trace and reads its header.
   *
   * @param path the trace
   * @param warnings takes what was dropped or looks wrong
   * @throws TraceSyntaxException if it is no trace, or one of another version
   * @throws IOException if it cannot be read
   */
  public static TraceReader open(Path path, DiagnosticSink warnings)
      throws IOException, TraceSyntaxException {
    if (Files.isDirectory(path)) {
      throw new TraceSyntaxException(
          Diagnostic.errorInFile("this is a directory, not a trace", path.toString())
              .withExpected("a file")
              .withAdvice("name the .mrtrace files in it"));
    }
    return open(Files.newInputStream(path), path.toString(), warnings);
  }

  /**
   * Reads the header of a trace from a stream, which the reader closes when it is closed or when
   * this fails. The reader buffers by itself.
   *
   * @param in the trace
   * @param name its name, for diagnostics
   * @param warnings takes what was dropped or looks wrong
   * @throws TraceSyntaxException if it is no trace, or one of another version
   * @throws IOException if it cannot be read
   */
  public static TraceReader open(InputStream in, String name, DiagnosticSink warnings)
      throws IOException, TraceSyntaxException {
    boolean opened = false;
    try {
      TraceReader reader = new TraceReader(in, name, warnings);
      opened = true;
      return reader;
    } finally {
      if (!opened) {
        in.close();
      }
    }
  }

  @Override
  public TraceHeader header() {
    return header;
  }

  @Override
  public TraceLine next() throws IOException, TraceSyntaxException {
    while (atItem()) {
      EventContext context = event();
      long eventLine = line;
      TraceEvent event = decode(context);
      line++;
      if (event != null) {
        events++;
        return new TraceLine(event, eventLine, blocks.offset(context.sequence.getStartIndex()));
      }
    }
    return null;
  }

  /** Passes every event that is left to the sink, and returns how many there were. */
  public long forEach(TraceLineSink sink) throws IOException, TraceSyntaxException {
    long count = 0;
    for (TraceLine next = next(); next != null; next = next()) {
      sink.accept(next);
      count++;
    }
    return count;
  }

  @Override
  public long events() {
    return events;
  }

  @Override
  public long skippedExtensions() {
    return skippedExtensions;
  }

  /** How many lines were dropped so far because the recording was damaged there. */
  public long droppedLines() {
    return blocks.droppedLines();
  }

  @Override
  public long warnings() {
    return warnings;
  }

  @Override
  public void close() throws IOException {
    blocks.close();
  }

  private void warn(Diagnostic warning) {
    warnings++;
    warningSink.accept(warning);
  }

  // Items: what stands on a line that is not blank

  /** Goes to the first token of the next line that has one; false at the end of the trace. */
  private boolean atItem() throws IOException, TraceSyntaxException {
    while (true) {
      if (!inBlock) {
        if (!blocks.next()) {
          return false;
        }
        lexer.setInputStream(new ByteBlock(blocks.buffer(), blocks.from(), blocks.to(), file));
        tokens = new UnbufferedTokenStream<>(lexer);
        parser.setTokenStream(tokens);
        line = blocks.firstLine();
        inBlock = true;
      }
      int type = tokens.LA(1);
      if (type == TraceLexer.NEWLINE) {
        tokens.consume();
        line++;
      } else if (type == Token.EOF) {
        inBlock = false;
      } else {
        return true;
      }
    }
  }

  private void readVersion() throws IOException, TraceSyntaxException {
    if (!atItem()) {
      throw new TraceSyntaxException(
          Diagnostic.errorInFile("the file has no whole line of text", file)
              .withExpected("the version line \"" + VERSION_LINE + "\""));
    }
    VersionContext version;
    Token offending = null;
    try {
      version = parser.version();
    } catch (ParseCancellationException cancelled) {
      RecognitionException mismatch = (RecognitionException) cancelled.getCause();
      version = (VersionContext) mismatch.getCtx();
      offending = mismatch.getOffendingToken();
    }
    Token first = version.magic == null ? offending : version.magic;
    LinePlace place = place(first.getStartIndex());
    if (version.magic == null || !text(first).equals(MAGIC)) {
      Diagnostic missing =
          place
              .error("the version line is missing", place.from(), place.to())
              .withExpected("\"" + VERSION_LINE + "\" as the first line");
      boolean misspelt = Suggestion.nearest(text(first), List.of(MAGIC)).isPresent();
      throw new TraceSyntaxException(
          missing.withAdvice(
              misspelt
                  ? "did you mean \"" + MAGIC + "\"?"
                  : "if this is a trace whose beginning was cut off, put that line before it;"
                      + " what was cut off is then missing from every verdict"));
    }
    String number = version.number == null ? "" : text(version.number);
    if (!number.equals(Integer.toString(TraceHeader.CURRENT_VERSION))) {
      Token at = version.number == null ? first : version.number;
      boolean newer = number.matches("[0-9]{1,9}") && Integer.parseInt(number) > 1;
      Diagnostic wrong =
          newer
              ? place.error("the trace is in version " + number + " of the language", at)
              : place.error("the version line names no version", at);
      wrong = wrong.withExpected("\"" + VERSION_LINE + "\", the version that this build reads");
      throw new TraceSyntaxException(
          newer ? wrong.withAdvice("read it with a newer mrcheck") : wrong);
    }
    if (offending != null) {
      throw new TraceSyntaxException(
          place
              .error("unexpected text after the version", offending)
              .withExpected("the end of the line"));
    }
    line++;
  }

  private TraceHeader readHeader() throws IOException, TraceSyntaxException {
    HeaderBuilder builder = new HeaderBuilder(values);
    while (atItem() && tokens.LA(1) == TraceLexer.DIRECTIVE) {
      values.line(blocks.buffer(), this::place);
      DirectiveContext directive;
      try {
        directive = parser.directive();
      } catch (ParseCancellationException cancelled) {
        throw unexpectedInDirective((RecognitionException) cancelled.getCause());
      }
      builder.add(directive, place(directive.name.getStartIndex()));
      line++;
    }
    return builder.build(this::warn);
  }

  // Events

  private EventContext event() throws TraceSyntaxException {
    try {
      return parser.event();
    } catch (ParseCancellationException cancelled) {
      RecognitionException mismatch = (RecognitionException) cancelled.getCause();
      throw explained(unexpectedInEvent(mismatch), mismatch.getOffendingToken());
    }
  }

  /** The line's event, or null if it is an extension. */
  private TraceEvent decode(EventContext context) throws TraceSyntaxException {
    byte[] buffer = blocks.buffer();
    int from = context.name.getStartIndex();
    int to = context.name.getStopIndex() + 1;
    try {
      values.line(buffer, this::place);
      EventName name = Words.EVENTS.find(buffer, from, to);
      if (name == null) {
        if (to - from > 2 && buffer[from] == 'x' && buffer[from + 1] == '.') {
          skippedExtensions++;
          return null;
        }
        throw unknownEvent(context.name);
      }
      values.begin(name, context.name, context.keys, context.values);
      Stamp stamp =
          new Stamp(
              values.number(context.sequence, "sequence number", 1, Long.MAX_VALUE),
              values.signed(context.time, "time"),
              values.actor(context.actor),
              values.has(Field.FRAME) ? values.number(Field.FRAME) : 0);
      TraceEvent event = decoder.decode(name, stamp, context.name);
      if (name == EventName.ACK || name == EventName.NAK) {
        warnOfOtherSyndrome(event, context.name);
      }
      return event;
    } catch (TraceSyntaxException failure) {
      throw explained(failure.diagnostic(), context.sequence);
    }
  }

  private void warnOfOtherSyndrome(TraceEvent event, Token name) {
    boolean acknowledges = event instanceof TraceEvent.Ack;
    Syndrome syndrome =
        event instanceof TraceEvent.Ack ack ? ack.syndrome() : ((TraceEvent.Nak) event).syndrome();
    if (acknowledges != (syndrome.kind() == Syndrome.Kind.ACK)) {
      warn(
          place(name.getStartIndex())
              .warning(
                  "syndrome "
                      + syndrome
                      + " ("
                      + syndrome.phrase()
                      + ") does not go with \""
                      + event.name().text()
                      + "\"",
                  name)
              .withAdvice("the syndrome decides what the event means"));
    }
  }

  private TraceSyntaxException unknownEvent(Token name) {
    String word = text(name);
    String extension =
        word.startsWith("x.")
            ? "an event of your own needs a name behind \"x.\""
            : "events of your own are called \"x." + word + "\"";
    Diagnostic unknown =
        place(name.getStartIndex())
            .error("there is no event \"" + word + "\"", name)
            .withExpected(Words.EVENTS.names());
    return new TraceSyntaxException(
        Suggestion.nearest(word, Words.EVENTS.names())
            .map(near -> unknown.withAdvice("did you mean \"" + near + "\"?"))
            .orElse(unknown.withAdvice(extension)));
  }

  private Diagnostic unexpectedInEvent(RecognitionException mismatch) {
    EventContext context = (EventContext) mismatch.getCtx();
    Token at = mismatch.getOffendingToken();
    String found = describe(at);
    LinePlace place = place(at.getStartIndex());
    if (context.sequence == null) {
      if (at.getType() == TraceLexer.DIRECTIVE) {
        return place
            .error("a header line after the first event", at)
            .withAdvice("move it before the first event");
      }
      if (at.getType() == TraceLexer.WORD && text(at).equals(MAGIC)) {
        return place
            .error("a second version line", at)
            .withAdvice("two traces were joined; check them one by one");
      }
      return place
          .error("unexpected " + found + " at the beginning of a line", at)
          .withExpected("an event: SEQUENCE TIME HOST/ROLE EVENT FIELD=VALUE...");
    }
    return context.time == null
        ? place.error("unexpected " + found, at).withExpected("a time in nanoseconds")
        : context.actor == null
            ? place.error("unexpected " + found, at).withExpected("an actor HOST/ROLE")
            : context.name == null
                ? place.error("unexpected " + found, at).withExpected("the name of an event")
                : unexpectedInFields(place, at, context.keys, context.values);
  }

  private TraceSyntaxException unexpectedInDirective(RecognitionException mismatch) {
    DirectiveContext context = (DirectiveContext) mismatch.getCtx();
    Token at = mismatch.getOffendingToken();
    LinePlace place = place(at.getStartIndex());
    Diagnostic unexpected = unexpectedInFields(place, at, context.keys, context.values);
    String form = HeaderBuilder.FORMS.get(text(context.name));
    return new TraceSyntaxException(form == null ? unexpected : unexpected.withExpected(form));
  }

  private Diagnostic unexpectedInFields(
      LinePlace place, Token at, List<Token> keys, List<Token> fieldValues) {
    if (at.getType() == TraceLexer.OPEN_STRING) {
      return place
          .error("this text has no closing quote", at)
          .withAdvice("a quote inside a text is written \\\"");
    }
    if (keys.size() > fieldValues.size()) {
      String key = text(keys.get(keys.size() - 1));
      return place
          .error("unexpected " + describe(at) + " after \"" + key + "\"", at)
          .withExpected("a value without a blank before it");
    }
    Diagnostic unexpected =
        place
            .error("unexpected " + describe(at), at)
            .withExpected("FIELD=VALUE", "the end of the line");
    return place.to() > at.getStopIndex() + 1
            && place.buffer()[at.getStopIndex() + 1] == ' '
            && at.getStopIndex() + 2 < place.to()
            && place.buffer()[at.getStopIndex() + 2] == '='
        ? unexpected.withAdvice("no blanks around the equals sign")
        : unexpected;
  }

  /** Adds what to do if the line looks as if two writers had written it together. */
  private TraceSyntaxException explained(Diagnostic diagnostic, Token inLine) {
    LinePlace place = place(inLine.getStartIndex());
    return new TraceSyntaxException(
        InterleavedLine.suspected(place.buffer(), place.from(), place.to())
            ? diagnostic.withAdvice(
                "the line looks as if two writers had written into the file at once; give each its"
                    + " own file, or write whole lines under one lock")
            : diagnostic);
  }

  private String describe(Token token) {
    return switch (token.getType()) {
      case TraceLexer.NEWLINE -> "end of the line";
      case Token.EOF -> "end of the file";
      default -> "\"" + text(token) + "\"";
    };
  }

  private LinePlace place(int index) {
    return LinePlace.around(file, line, blocks.buffer(), blocks.from(), blocks.to(), index);
  }

  /** The token's text for messages and comparisons with short words. */
  private String text(Token token) {
    int from = token.getStartIndex();
    return Excerpt.abbreviated(
        new String(blocks.buffer(), from, token.getStopIndex() + 1 - from, StandardCharsets.UTF_8));
  }
}
