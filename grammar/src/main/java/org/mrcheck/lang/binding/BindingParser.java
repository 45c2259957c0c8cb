package org.mrcheck.lang.binding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.antlr.v4.runtime.BailErrorStrategy;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.mrcheck.lang.binding.BindingGrammar.BindingClauseContext;
import org.mrcheck.lang.binding.BindingGrammar.ClauseContext;
import org.mrcheck.lang.binding.BindingGrammar.ContractClauseContext;
import org.mrcheck.lang.binding.BindingGrammar.EventClauseContext;
import org.mrcheck.lang.binding.BindingGrammar.FileContext;
import org.mrcheck.lang.binding.BindingGrammar.ModuleClauseContext;
import org.mrcheck.lang.binding.BindingGrammar.NeedsClauseContext;
import org.mrcheck.lang.binding.BindingGrammar.ReplaysClauseContext;
import org.mrcheck.lang.binding.BindingGrammar.SaysClauseContext;
import org.mrcheck.lang.binding.BindingGrammar.SliceClauseContext;
import org.mrcheck.lang.diagnostic.Diagnostic;
import org.mrcheck.lang.diagnostic.Excerpt;
import org.mrcheck.lang.diagnostic.SourceSpan;
import org.mrcheck.lang.diagnostic.Suggestion;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.EventName;

/** Reads bindings. One call reads one file; calls may run in several threads at once. */
public final class BindingParser {
  private static final List<String> CLAUSES =
      List.of("binding", "contract", "module", "says", "needs", "slice", "replays", "event");

  private final String file;
  private final List<String> lines;

  private BindingParser(String text, String file) {
    this.file = file;
    this.lines = Arrays.asList(text.split("\r?\n|\r", -1));
  }

  /**
   * Reads one binding.
   *
   * @param text the whole file
   * @param fileName the file's name, for diagnostics
   * @throws BindingSyntaxException if the text is no binding; it says where and why
   */
  public static Binding parse(String text, String fileName) throws BindingSyntaxException {
    String withoutMark = text.startsWith("\ufeff") ? text.substring(1) : text;
    return new BindingParser(withoutMark, fileName).read(withoutMark);
  }

  private Binding read(String text) throws BindingSyntaxException {
    BindingLexer lexer = new BindingLexer(CharStreams.fromString(text, file));
    lexer.removeErrorListeners();
    CommonTokenStream tokens = new CommonTokenStream(lexer);
    BindingGrammar parser = new BindingGrammar(tokens);
    parser.removeErrorListeners();
    parser.setErrorHandler(new BailErrorStrategy());
    List<ClauseContext> clauses;
    try {
      clauses = parser.file().clause();
    } catch (ParseCancellationException cancelled) {
      throw unexpected((RecognitionException) cancelled.getCause(), tokens);
    }
    rejectRepeatedClauses(clauses);

    Token name = required(clauses, BindingClauseContext.class, "binding NAME").name;
    Token contract = required(clauses, ContractClauseContext.class, "contract NAME").name;
    Token module = required(clauses, ModuleClauseContext.class, "module NAME").name;
    String says = required(clauses, SaysClauseContext.class, "says \"...\"").text.getText();
    List<Parameter> slice =
        parameters(
            required(clauses, SliceClauseContext.class, "slice PARAMETER...").parameters, null);
    Optional<ReplaysClauseContext> replays = first(clauses, ReplaysClauseContext.class);
    return new Binding(
        name.getText(),
        contract.getText(),
        module.getText(),
        says.substring(1, says.length() - 1),
        needs(first(clauses, NeedsClauseContext.class)),
        slice,
        replays.isEmpty()
            ? Optional.empty()
            : Optional.of(parameter(replays.get().parameter, slice)),
        events(clauses, slice));
  }

  private List<BoundEvent> events(List<ClauseContext> clauses, List<Parameter> slice)
      throws BindingSyntaxException {
    Map<EventName, Token> seen = new LinkedHashMap<>();
    List<BoundEvent> events = new ArrayList<>();
    for (ClauseContext clause : clauses) {
      if (clause instanceof EventClauseContext event) {
        EventName name =
            known(event.name, "event", Arrays.asList(EventName.values()), EventName::text);
        Token earlier = seen.putIfAbsent(name, event.name);
        if (earlier != null) {
          throw failure(
              error("event \"" + name.text() + "\" is bound twice", event.name)
                  .withAdvice("one line for each event: put all \"by\" and \"with\" names on it")
                  .withNote("first bound here", span(earlier), excerpt(earlier)));
        }
        events.add(
            new BoundEvent(
                name, parameters(event.by, slice), derivedValues(event.with), span(event.name)));
      }
    }
    if (events.isEmpty()) {
      throw failure(
          error("the binding has no event", clauses.get(0).getStart())
              .withExpected("event NAME by PARAMETER... [with VALUE...]"));
    }
    boolean creates = events.stream().anyMatch(event -> event.by().containsAll(slice));
    if (!creates) {
      throw failure(
          error(
                  "no event binds the whole slice, so no instance would ever be created",
                  first(clauses, SliceClauseContext.class).orElseThrow().getStart())
              .withExpected(
                  "an event by " + String.join(" ", slice.stream().map(Parameter::text).toList())));
    }
    return events;
  }

  private Set<EventClass> needs(Optional<NeedsClauseContext> clause) throws BindingSyntaxException {
    Set<EventClass> needs = new LinkedHashSet<>();
    if (clause.isPresent()) {
      for (Token word : clause.get().classes) {
        EventClass needed =
            known(word, "class of events", Arrays.asList(EventClass.values()), EventClass::text);
        if (!needs.add(needed)) {
          throw failure(error("\"" + needed.text() + "\" is named twice", word));
        }
      }
    }
    return needs;
  }

  private List<String> derivedValues(List<Token> words) throws BindingSyntaxException {
    List<String> values = new ArrayList<>();
    for (Token word : words) {
      if (values.contains(word.getText())) {
        throw failure(error(describe(word) + " is named twice", word));
      }
      values.add(word.getText());
    }
    return values;
  }

  /** Reads parameters; those outside the slice are errors unless the slice is null. */
  private List<Parameter> parameters(List<Token> words, List<Parameter> slice)
      throws BindingSyntaxException {
    List<Parameter> parameters = new ArrayList<>();
    for (Token word : words) {
      Parameter parameter = parameter(word, slice);
      if (parameters.contains(parameter)) {
        throw failure(error("\"" + parameter.text() + "\" is named twice", word));
      }
      parameters.add(parameter);
    }
    return parameters;
  }

  private Parameter parameter(Token word, List<Parameter> slice) throws BindingSyntaxException {
    Parameter parameter =
        known(word, "parameter", Arrays.asList(Parameter.values()), Parameter::text);
    if (slice != null && !slice.contains(parameter)) {
      throw failure(
          error("parameter \"" + parameter.text() + "\" is not in the slice", word)
              .withExpected(slice.stream().map(Parameter::text).toList())
              .withAdvice(
                  "an event can only be bound by parameters of an instance; add it to \"slice\""
                      + " if instances differ by it"));
    }
    return parameter;
  }

  private <T> T known(Token word, String kind, List<T> all, Function<T, String> text)
      throws BindingSyntaxException {
    List<String> names = all.stream().map(text).toList();
    int index = names.indexOf(word.getText());
    if (index >= 0) {
      return all.get(index);
    }
    Diagnostic unknown =
        error("there is no " + kind + " " + describe(word), word).withExpected(names);
    Optional<String> near = Suggestion.nearest(word.getText(), names);
    throw failure(
        near.isPresent() ? unknown.withAdvice("did you mean \"" + near.get() + "\"?") : unknown);
  }

  private void rejectRepeatedClauses(List<ClauseContext> clauses) throws BindingSyntaxException {
    Map<Class<?>, ClauseContext> seen = new LinkedHashMap<>();
    for (ClauseContext clause : clauses) {
      ClauseContext earlier = seen.putIfAbsent(clause.getClass(), clause);
      if (earlier != null && !(clause instanceof EventClauseContext)) {
        Token word = clause.getStart();
        throw failure(
            error("\"" + word.getText() + "\" is given twice", word)
                .withNote(
                    "first given here", span(earlier.getStart()), excerpt(earlier.getStart())));
      }
    }
  }

  private <C extends ParserRuleContext> C required(
      List<ClauseContext> clauses, Class<C> kind, String form) throws BindingSyntaxException {
    Optional<C> clause = first(clauses, kind);
    if (clause.isPresent()) {
      return clause.get();
    }
    String keyword = form.substring(0, form.indexOf(' '));
    String message = "the binding has no \"" + keyword + "\"";
    throw failure(
        (clauses.isEmpty()
                ? Diagnostic.errorInFile(message, file)
                : error(message, clauses.get(clauses.size() - 1).getStop()))
            .withExpected(form));
  }

  private static <C> Optional<C> first(List<ClauseContext> clauses, Class<C> kind) {
    return clauses.stream().filter(kind::isInstance).map(kind::cast).findFirst();
  }

  /** Turns a mismatch of the grammar into words. */
  private BindingSyntaxException unexpected(
      RecognitionException mismatch, CommonTokenStream tokens) {
    Token word = mismatch.getOffendingToken();
    List<String> expected = expected(mismatch);
    String found = describe(word);
    if (word.getType() == BindingLexer.OPEN_STRING) {
      return failure(
          error("this text has no closing quote", word)
              .withAdvice("a text in double quotes ends on the line it begins on"));
    }
    Diagnostic unexpected = error("unexpected " + found, word).withExpected(expected);
    if (word.getType() == BindingLexer.NAME) {
      Optional<String> near =
          Suggestion.nearest(
              word.getText(), expected.stream().map(name -> name.replace("\"", "")).toList());
      if (near.isPresent()) {
        return failure(unexpected.withAdvice("did you mean \"" + near.get() + "\"?"));
      }
    }
    int index = word.getTokenIndex();
    if (word.getType() == BindingLexer.BY && index >= 2) {
      // The names before it were taken as more names of the clause before.
      Token instead = tokens.get(index - 2);
      if (Suggestion.nearest(instead.getText(), List.of("event")).isPresent()) {
        return failure(
            error("unexpected " + describe(instead), instead)
                .withExpected(CLAUSES)
                .withAdvice("did you mean \"event\"?"));
      }
    }
    if (word.getType() >= BindingLexer.BINDING && word.getType() <= BindingLexer.WITH) {
      boolean sameLine = index >= 1 && tokens.get(index - 1).getLine() == word.getLine();
      return failure(
          unexpected.withAdvice(
              sameLine
                  ? found + " is a word of the language and cannot be used as a name"
                  : "the clause before it is not finished"));
    }
    return failure(unexpected);
  }

  private static List<String> expected(RecognitionException mismatch) {
    List<String> words = new ArrayList<>();
    if (mismatch.getCtx() instanceof FileContext) {
      words.addAll(CLAUSES);
    }
    for (int type : mismatch.getExpectedTokens().toArray()) {
      words.add(
          switch (type) {
            case Token.EOF -> "the end of the file";
            case BindingLexer.NAME -> "a name";
            case BindingLexer.STRING -> "a text in double quotes";
            default -> BindingLexer.VOCABULARY.getLiteralName(type).replace('\'', '"');
          });
    }
    return words;
  }

  private static String describe(Token word) {
    return word.getType() == Token.EOF
        ? "end of the file"
        : "\"" + Excerpt.abbreviated(word.getText()) + "\"";
  }

  private Diagnostic error(String message, Token at) {
    return Diagnostic.error(message, span(at), excerpt(at));
  }

  private SourceSpan span(Token at) {
    int length = at.getType() == Token.EOF ? 0 : at.getText().length();
    return new SourceSpan(file, at.getLine(), at.getCharPositionInLine() + 1, length);
  }

  private Excerpt excerpt(Token at) {
    String line = lines.get(Math.min(at.getLine(), lines.size()) - 1);
    int from = Math.min(at.getCharPositionInLine(), line.length());
    int length = at.getType() == Token.EOF ? 0 : at.getText().length();
    return Excerpt.of(line, from, from + length);
  }

  private static BindingSyntaxException failure(Diagnostic diagnostic) {
    return new BindingSyntaxException(diagnostic);
  }
}
