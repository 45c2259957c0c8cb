package org.mrcheck.spec.tlc;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mrcheck.spec.SourceLocation;
import org.mrcheck.spec.SpecException;

/**
 * Turns what the tools throw and print into exceptions for the module's author. The parser tells
 * where an error is only in the text that it prints, so that text is read here, and only here.
 */
final class SpecFailures {
  private static final Pattern PARSING_FILE = Pattern.compile("Parsing file \\S*?(\\w+\\.tla)\\b");
  private static final Pattern MISSING_IMPORT =
      Pattern.compile(
          "Cannot find source file for module (\\S+?)(?: imported in module (\\w+))?\\.");
  private static final Pattern SYNTAX_ERROR =
      Pattern.compile(
          "\\*\\*\\*Parse Error\\*\\*\\*\\s*(.*?)(?=Residual stack trace|Fatal errors|\\z)",
          Pattern.DOTALL);
  private static final Pattern LEXICAL_ERROR = Pattern.compile("Lexical error at .*");
  private static final Pattern SEMANTIC_ERRORS = Pattern.compile("\\*\\*\\* Errors: \\d+");
  private static final Pattern ABORT =
      Pattern.compile(
          "\\*\\*\\* Abort messages: \\d+\\s*(?:Unknown location\\s*)?(.*?)(?=\\n\\s*\\n|\\z)",
          Pattern.DOTALL);
  private static final Pattern PLACE =
      Pattern.compile("line (\\d+), col (\\d+) to line (\\d+), col (\\d+) (?:of|in) module (\\w+)");
  private static final Pattern PLACED_MESSAGE =
      Pattern.compile(PLACE.pattern() + "\\s+(.+?)(?=\\n\\s*\\n|\\z)", Pattern.DOTALL);
  private static final Pattern LINE_COLUMN = Pattern.compile("\\bline (\\d+), col(?:umn)? (\\d+)");
  private static final Pattern PREAMBLE =
      Pattern.compile("^TLC threw an unexpected exception\\..*The exception was an? [\\w.$]+ ?: ");
  private static final Pattern CALL =
      Pattern.compile("Line (\\d+), column (\\d+) to line (\\d+), column (\\d+) in (\\w+)");

  private SpecFailures() {}

  /**
   * A failure to load modules.
   *
   * @param thrown what was thrown
   * @param printed what the tools printed before
   * @param where where modules were looked for
   */
  static SpecException whileLoading(RuntimeException thrown, String printed, String where) {
    if (thrown instanceof SpecException known) {
      return known;
    }
    Matcher missing = MISSING_IMPORT.matcher(printed);
    if (missing.find()) {
      String importer = missing.group(2);
      return new SpecException(
          SpecException.Kind.MISSING_FILE,
          SourceLocation.of((importer == null ? missing.group(1) : importer) + ".tla"),
          (importer == null ? "no such module" : "imports module " + missing.group(1))
              + (importer == null ? " in " : ", which is not a standard module nor in ")
              + where);
    }
    Matcher syntax = SYNTAX_ERROR.matcher(printed);
    if (syntax.find()) {
      return inFile(lastParsed(printed.substring(0, syntax.start())), syntax.group(1));
    }
    Matcher lexical = LEXICAL_ERROR.matcher(printed);
    if (lexical.find()) {
      return inFile(lastParsed(printed), lexical.group());
    }
    Matcher errors = SEMANTIC_ERRORS.matcher(printed);
    if (errors.find()) {
      Matcher error = PLACED_MESSAGE.matcher(printed);
      if (error.find(errors.end())) {
        return malformed(place(error), error.group(6));
      }
    }
    Matcher abort = ABORT.matcher(printed);
    if (abort.find()) {
      return malformed(SourceLocation.of(lastParsed(printed)), abort.group(1));
    }
    if (printed.contains("NullPointerException")) {
      return malformed(SourceLocation.of(lastParsed(printed)), "is not a TLA+ module");
    }
    return malformed(null, withoutPlace(String.valueOf(thrown.getMessage())));
  }

  private static SpecException inFile(String file, String report) {
    Matcher place = LINE_COLUMN.matcher(report);
    SourceLocation location =
        place.find()
            ? SourceLocation.of(
                file, Integer.parseInt(place.group(1)), Integer.parseInt(place.group(2)))
            : SourceLocation.of(file);
    return malformed(location, report);
  }

  private static SpecException malformed(SourceLocation location, String message) {
    return new SpecException(SpecException.Kind.MALFORMED, location, oneLine(message));
  }

  /** The file that the parser was reading last. */
  private static String lastParsed(String printed) {
    String file = "";
    Matcher parsing = PARSING_FILE.matcher(printed);
    while (parsing.find()) {
      file = parsing.group(1);
    }
    return file;
  }

  /**
   * A failure to evaluate.
   *
   * @param thrown what TLC threw
   * @param callStack TLC's list of the expressions being evaluated, outermost first; may be empty
   * @param operator what was asked for
   */
  static SpecException whileEvaluating(Throwable thrown, String callStack, String operator) {
    String message =
        thrown instanceof StackOverflowError
            ? "endless recursion"
            : withoutPlace(String.valueOf(thrown.getMessage()));
    return new SpecException(
        SpecException.Kind.EVALUATION,
        innermost(callStack),
        "cannot evaluate " + operator + ": " + message);
  }

  /** The last place in a text that names places; null when it names none. */
  static SourceLocation innermost(String callStack) {
    SourceLocation innermost = null;
    Matcher call = CALL.matcher(callStack);
    while (call.find()) {
      innermost = place(call);
    }
    return innermost;
  }

  /** The first place that a message of the tools names; null when it names none. */
  static SourceLocation placeIn(String message) {
    Matcher place = PLACE.matcher(message);
    return place.find() ? place(place) : null;
  }

  private static SourceLocation place(Matcher found) {
    return new SourceLocation(
        found.group(5) + ".tla",
        Integer.parseInt(found.group(1)),
        Integer.parseInt(found.group(2)),
        Integer.parseInt(found.group(3)),
        Integer.parseInt(found.group(4)));
  }

  /** The message on one line; a place at its end is left out, being told in front. */
  static String withoutPlace(String message) {
    return oneLine(message).replaceAll("[(]?" + PLACE.pattern() + "[)]?\\.?$", "").strip();
  }

  /** On one line, without what TLC says about itself in front. */
  static String oneLine(String text) {
    return PREAMBLE.matcher(text.strip().replaceAll("\\s+", " ")).replaceFirst("");
  }
}
