package org.mrcheck.spec.tlc;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mrcheck.spec.SourceLocation;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecLibrary;
import tlc2.tool.ConfigFileException;

/**
 * Turns what the tools throw and print into exceptions for the module's author. The parser tells
 * where an error is only in the text that it prints, so that text is read here, and only here.
 */
final class SpecFailures {
  private static final Pattern MISSING_IMPORT =
      Pattern.compile("Cannot find source file for module (\\S+) imported in module (\\w+)");
  private static final Pattern SEMANTIC =
      Pattern.compile(
          "line (\\d+), col(?:umn)? (\\d+) to line (\\d+), col(?:umn)? (\\d+) (?:of|in) module"
              + " (\\w+)\\s+(.+?)(?=\\n\\s*\\n|\\z)",
          Pattern.DOTALL);
  private static final Pattern SYNTAX =
      Pattern.compile("(?s)(Was expecting|Lexical error|Encountered|Precedence|Item at).*?");
  private static final Pattern LINE_COLUMN =
      Pattern.compile("(?:at |^|\\s)line (\\d+), col(?:umn)? (\\d+)");
  private static final Pattern PARSING_FILE = Pattern.compile("Parsing file \\S*?(\\w+\\.tla)\\b");
  private static final Pattern PARSING_MODULE =
      Pattern.compile("Could not parse module (\\w+)(?: from file)?");
  private static final Pattern STEP =
      Pattern.compile("Line (\\d+), column (\\d+) to line (\\d+), column (\\d+) in (\\w+)");

  private SpecFailures() {}

  /** A failure to load modules, from what was thrown and what was printed before. */
  static SpecException whileLoading(RuntimeException thrown, String printed, SpecLibrary library) {
    if (thrown instanceof SpecException known) {
      return known;
    }
    Matcher missing = MISSING_IMPORT.matcher(printed);
    if (missing.find()) {
      return new SpecException(
          SpecException.Kind.MISSING_FILE,
          SourceLocation.of(missing.group(2) + ".tla"),
          "imports module "
              + missing.group(1)
              + ", which is not in "
              + library.description()
              + " and not a standard module",
          thrown);
    }
    Matcher semantic = SEMANTIC.matcher(printed);
    if (semantic.find()) {
      return new SpecException(
          SpecException.Kind.MALFORMED,
          new SourceLocation(
              semantic.group(5) + ".tla",
              Integer.parseInt(semantic.group(1)),
              Integer.parseInt(semantic.group(2)),
              Integer.parseInt(semantic.group(3)),
              Integer.parseInt(semantic.group(4))),
          oneLine(semantic.group(6)),
          thrown);
    }
    int error = printed.indexOf("***Parse Error***");
    if (error >= 0) {
      return syntaxError(printed, error, thrown);
    }
    Kinded other = describe(thrown);
    return new SpecException(other.kind, null, other.message, thrown);
  }

  private record Kinded(SpecException.Kind kind, String message) {}

  private static Kinded describe(RuntimeException thrown) {
    String message = oneLine(String.valueOf(thrown.getMessage()));
    return thrown instanceof ConfigFileException
        ? new Kinded(SpecException.Kind.MALFORMED, "configuration file: " + message)
        : new Kinded(SpecException.Kind.MALFORMED, message);
  }

  private static SpecException syntaxError(String printed, int error, RuntimeException thrown) {
    String file = "";
    Matcher module = PARSING_MODULE.matcher(printed.substring(error));
    if (module.find()) {
      file = module.group(1) + ".tla";
    } else {
      // The file being parsed is the last one announced before the error.
      Matcher parsing = PARSING_FILE.matcher(printed.substring(0, error));
      while (parsing.find()) {
        file = parsing.group(1);
      }
    }
    String report = printed.substring(error + "***Parse Error***".length());
    int residue = report.indexOf("Residual stack trace");
    if (residue >= 0) {
      report = report.substring(0, residue);
    }
    report = report.strip();
    Matcher place = LINE_COLUMN.matcher(report);
    SourceLocation location =
        place.find()
            ? SourceLocation.of(
                file, Integer.parseInt(place.group(1)), Integer.parseInt(place.group(2)))
            : SourceLocation.of(file);
    return new SpecException(SpecException.Kind.MALFORMED, location, oneLine(report), thrown);
  }

  /**
   * A failure to evaluate.
   *
   * @param thrown what TLC threw
   * @param callStack TLC's list of the expressions being evaluated, outermost first; may be empty
   * @param operator what was asked for
   */
  static SpecException whileEvaluating(Throwable thrown, String callStack, String operator) {
    SourceLocation innermost = null;
    Matcher step = STEP.matcher(callStack);
    while (step.find()) {
      innermost =
          new SourceLocation(
              step.group(5) + ".tla",
              Integer.parseInt(step.group(1)),
              Integer.parseInt(step.group(2)),
              Integer.parseInt(step.group(3)),
              Integer.parseInt(step.group(4)));
    }
    String message =
        thrown instanceof StackOverflowError
            ? "endless recursion"
            : oneLine(String.valueOf(thrown.getMessage()));
    return new SpecException(
        SpecException.Kind.EVALUATION,
        innermost,
        "cannot evaluate " + operator + ": " + message,
        thrown);
  }

  static String oneLine(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}
