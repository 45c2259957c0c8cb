package org.mrcheck.lang.diagnostic;

/** Takes the warnings of a reader as they are found. Called by the thread that reads. */
@FunctionalInterface
public interface DiagnosticSink {
  /** Takes the next finding. */
  void accept(Diagnostic diagnostic);

  /** Forgets every finding. */
  static DiagnosticSink ignoring() {
    return diagnostic -> {};
  }
}
