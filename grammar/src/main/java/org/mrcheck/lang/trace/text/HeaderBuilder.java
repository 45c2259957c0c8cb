package org.mrcheck.lang.trace.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.antlr.v4.runtime.Token;
import org.mrcheck.lang.diagnostic.Diagnostic;
import org.mrcheck.lang.diagnostic.DiagnosticSink;
import org.mrcheck.lang.diagnostic.Excerpt;
import org.mrcheck.lang.diagnostic.SourceSpan;
import org.mrcheck.lang.diagnostic.Suggestion;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.text.TraceGrammar.DirectiveContext;

/** Collects the header lines of a trace. */
final class HeaderBuilder {
  static final Map<String, String> FORMS = new LinkedHashMap<>();

  static {
    FORMS.put(
        "%host", "%host NAME [process=N] [generation=N] [clock=WORD] [byte_order=little|big]");
    FORMS.put("%transport", "%transport WORD");
    FORMS.put("%source", "%source \"TEXT\"");
    FORMS.put("%observes", "%observes CLASS HOST|* complete|partial");
    FORMS.put("%attribute", "%attribute NAME VALUE");
  }

  private static final List<String> HOST_FIELDS =
      List.of("process", "generation", "clock", "byte_order");

  /** A place that a later line may contradict. */
  private record Given(SourceSpan span, Excerpt excerpt) {}

  private final FieldValues values;
  private final List<TraceHeader.Host> hosts = new ArrayList<>();
  private Optional<String> transport = Optional.empty();
  private Optional<String> source = Optional.empty();
  private final List<TraceHeader.Observation> observed = new ArrayList<>();
  private final Map<String, String> attributes = new LinkedHashMap<>();

  private final Map<String, Given> given = new HashMap<>();
  private final Map<String, Given> observedHosts = new LinkedHashMap<>();

  HeaderBuilder(FieldValues values) {
    this.values = values;
  }

  /** Takes one header line. */
  void add(DirectiveContext line, LinePlace place) throws TraceSyntaxException {
    String name = text(line.name);
    if (!FORMS.containsKey(name)) {
      Diagnostic unknown =
          place
              .error("there is no header line \"" + name + "\"", line.name)
              .withExpected(List.copyOf(FORMS.keySet()));
      throw failure(withSuggestion(unknown, name, FORMS.keySet()));
    }
    if (!name.equals("%host") && !line.keys.isEmpty()) {
      throw malformed(name, place, line.keys.get(0));
    }
    int arguments = name.equals("%observes") ? 3 : name.equals("%attribute") ? 2 : 1;
    if (line.arguments.size() != arguments) {
      throw malformed(
          name,
          place,
          line.arguments.size() > arguments ? line.arguments.get(arguments) : line.name);
    }
    Token first = line.arguments.get(0);
    switch (name) {
      case "%host" -> host(line, place, first);
      case "%transport" -> {
        once("%transport", line.name, place);
        transport = Optional.of(values.freeText(first));
      }
      case "%source" -> {
        once("%source", line.name, place);
        source = Optional.of(values.freeText(first));
      }
      case "%observes" -> observes(line, place);
      default -> {
        String attribute = values.freeText(first);
        once("%attribute " + attribute, first, place);
        attributes.put(attribute, values.freeText(line.arguments.get(1)));
      }
    }
  }

  private void host(DirectiveContext line, LinePlace place, Token nameToken)
      throws TraceSyntaxException {
    String name = values.freeText(nameToken);
    once("%host " + name, nameToken, place);
    long process = 0;
    long generation = 1;
    String clock = "unknown";
    String byteOrder = "little";
    Map<String, Token> seen = new HashMap<>();
    for (int index = 0; index < line.keys.size(); index++) {
      Token key = line.keys.get(index);
      Token value = line.values.get(index);
      String field = text(key).replace("=", "");
      Token earlier = seen.putIfAbsent(field, key);
      if (earlier != null) {
        throw failure(
            place.withNote(
                place.error("\"" + field + "\" is given twice", key), "first given here", earlier));
      }
      switch (field) {
        case "process" -> process = values.number(value, field, 0, Long.MAX_VALUE);
        case "generation" -> generation = values.number(value, field, 1, Integer.MAX_VALUE);
        case "clock" -> clock = values.freeText(value);
        case "byte_order" -> {
          byteOrder = values.freeText(value);
          if (!byteOrder.equals("little") && !byteOrder.equals("big")) {
            throw failure(
                place
                    .error("a byte order cannot be " + Excerpt.abbreviated(text(value)), value)
                    .withExpected("little", "big"));
          }
        }
        default -> {
          Diagnostic unknown =
              place.error("a host has no field \"" + field + "\"", key).withExpected(HOST_FIELDS);
          throw failure(withSuggestion(unknown, field, HOST_FIELDS));
        }
      }
    }
    hosts.add(new TraceHeader.Host(name, process, (int) generation, clock, byteOrder));
  }

  private void observes(DirectiveContext line, LinePlace place) throws TraceSyntaxException {
    Token classToken = line.arguments.get(0);
    Token hostToken = line.arguments.get(1);
    Token fullnessToken = line.arguments.get(2);
    EventClass eventClass = known(classToken, Words.CLASSES, "class of events", place);
    String host = values.freeText(hostToken);
    TraceHeader.Completeness completeness =
        known(fullnessToken, Words.COMPLETENESS, "completeness", place);
    once("%observes " + eventClass + " " + host, classToken, place);
    if (!host.equals("*")) {
      observedHosts.putIfAbsent(host, given(place, hostToken));
    }
    observed.add(new TraceHeader.Observation(eventClass, host, completeness));
  }

  private <T> T known(Token token, NameTable<T> table, String what, LinePlace place)
      throws TraceSyntaxException {
    String word = values.freeText(token);
    Optional<T> found = table.find(word);
    if (found.isEmpty()) {
      Diagnostic unknown =
          place
              .error("there is no " + what + " \"" + Excerpt.abbreviated(word) + "\"", token)
              .withExpected(table.names());
      throw failure(withSuggestion(unknown, word, table.names()));
    }
    return found.get();
  }

  /** The header; warns of hosts that are observed but not declared. */
  TraceHeader build(DiagnosticSink warnings) {
    List<String> declared = hosts.stream().map(TraceHeader.Host::name).toList();
    observedHosts.forEach(
        (host, where) -> {
          if (!declared.contains(host)) {
            Diagnostic unknown =
                Diagnostic.warning(
                        "\""
                            + Excerpt.abbreviated(host)
                            + "\" is observed but is no %host of this trace",
                        where.span(),
                        where.excerpt())
                    .withExpected(declared);
            warnings.accept(withSuggestion(unknown, host, declared));
          }
        });
    return new TraceHeader(
        TraceHeader.CURRENT_VERSION,
        List.copyOf(hosts),
        transport,
        source,
        List.copyOf(observed),
        Collections.unmodifiableMap(attributes));
  }

  private void once(String what, Token at, LinePlace place) throws TraceSyntaxException {
    Given earlier = given.get(what);
    if (earlier != null) {
      throw failure(
          place
              .error("this header line is given twice", at)
              .withNote("first given here", earlier.span(), earlier.excerpt()));
    }
    given.put(what, given(place, at));
  }

  private static Given given(LinePlace place, Token at) {
    int from = at.getStartIndex();
    int to = at.getStopIndex() + 1;
    return new Given(place.span(from, to), place.excerpt(from, to));
  }

  private static TraceSyntaxException malformed(String name, LinePlace place, Token at) {
    return failure(
        place.error("wrong header line \"" + name + "\"", at).withExpected(FORMS.get(name)));
  }

  private static Diagnostic withSuggestion(
      Diagnostic diagnostic, String word, Collection<String> known) {
    return Suggestion.nearest(word, known)
        .map(near -> diagnostic.withAdvice("did you mean \"" + near + "\"?"))
        .orElse(diagnostic);
  }

  private static String text(Token token) {
    ByteBlock block = (ByteBlock) token.getInputStream();
    int from = token.getStartIndex();
    return Excerpt.abbreviated(
        new String(block.buffer(), from, token.getStopIndex() + 1 - from, StandardCharsets.UTF_8));
  }

  private static TraceSyntaxException failure(Diagnostic diagnostic) {
    return new TraceSyntaxException(diagnostic);
  }
}
