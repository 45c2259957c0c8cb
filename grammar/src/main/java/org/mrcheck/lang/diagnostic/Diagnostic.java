package org.mrcheck.lang.diagnostic;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One finding about an input: what is wrong, where, what was found and expected there, and what to
 * do about it.
 *
 * @param severity how bad it is
 * @param message one sentence without a full stop
 * @param span where
 * @param excerpt the source line at that place; absent if the finding is about the whole input
 * @param found what stands there, where the message does not say so already
 * @param expected what may stand there, in the order in which it is shown; may be empty
 * @param advice next steps for the user, one sentence each; may be empty
 * @param notes other places that matter, such as the first of two equal fields; may be empty
 */
public record Diagnostic(
    Severity severity,
    String message,
    SourceSpan span,
    Optional<Excerpt> excerpt,
    Optional<String> found,
    List<String> expected,
    List<String> advice,
    List<Note> notes) {

  /** Copies the lists. */
  public Diagnostic {
    expected = List.copyOf(expected);
    advice = List.copyOf(advice);
    notes = List.copyOf(notes);
  }

  /** Another place that matters, and why. */
  public record Note(String message, SourceSpan span, Excerpt excerpt) {}

  /** An error without details. */
  public static Diagnostic error(String message, SourceSpan span, Excerpt excerpt) {
    return bare(Severity.ERROR, message, span, Optional.of(excerpt));
  }

  /** A warning without details. */
  public static Diagnostic warning(String message, SourceSpan span, Excerpt excerpt) {
    return bare(Severity.WARNING, message, span, Optional.of(excerpt));
  }

  /** An error about the input as a whole. */
  public static Diagnostic errorInFile(String message, String file) {
    return bare(Severity.ERROR, message, SourceSpan.wholeFile(file), Optional.empty());
  }

  /** A warning about the input as a whole. */
  public static Diagnostic warningInFile(String message, String file) {
    return bare(Severity.WARNING, message, SourceSpan.wholeFile(file), Optional.empty());
  }

  private static Diagnostic bare(
      Severity severity, String message, SourceSpan span, Optional<Excerpt> excerpt) {
    return new Diagnostic(
        severity, message, span, excerpt, Optional.empty(), List.of(), List.of(), List.of());
  }

  /** This finding, saying what was found. */
  public Diagnostic withFound(String what) {
    return new Diagnostic(
        severity, message, span, excerpt, Optional.of(what), expected, advice, notes);
  }

  /** This finding, saying what was expected. */
  public Diagnostic withExpected(List<String> what) {
    return new Diagnostic(severity, message, span, excerpt, found, what, advice, notes);
  }

  /** This finding, saying what was expected. */
  public Diagnostic withExpected(String... what) {
    return withExpected(List.of(what));
  }

  /** This finding with one more piece of advice. */
  public Diagnostic withAdvice(String next) {
    List<String> more = new ArrayList<>(advice);
    more.add(next);
    return new Diagnostic(severity, message, span, excerpt, found, expected, more, notes);
  }

  /** This finding with one more place that matters. */
  public Diagnostic withNote(String why, SourceSpan where, Excerpt line) {
    List<Note> more = new ArrayList<>(notes);
    more.add(new Note(why, where, line));
    return new Diagnostic(severity, message, span, excerpt, found, expected, advice, more);
  }

  /** The diagnostic as a person reads it. */
  @Override
  public String toString() {
    return DiagnosticRenderer.render(this);
  }
}
