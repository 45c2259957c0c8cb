package org.mrcheck.lang.diagnostic;

/** An input is malformed. The message is the rendered diagnostic, ready to be shown. */
public class SyntaxException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Diagnostic diagnostic;

  /** An exception for the given finding. */
  public SyntaxException(Diagnostic diagnostic) {
    super(DiagnosticRenderer.render(diagnostic));
    this.diagnostic = diagnostic;
  }

  /** What is wrong and where. Not kept by Java serialisation. */
  public Diagnostic diagnostic() {
    return diagnostic;
  }
}
