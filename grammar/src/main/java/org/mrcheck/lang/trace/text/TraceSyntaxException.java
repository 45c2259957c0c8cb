package org.mrcheck.lang.trace.text;

import org.mrcheck.lang.diagnostic.Diagnostic;
import org.mrcheck.lang.diagnostic.SyntaxException;

/** A trace is malformed and cannot be read any further. */
public final class TraceSyntaxException extends SyntaxException {
  private static final long serialVersionUID = 1L;

  /** An exception for the given finding. */
  public TraceSyntaxException(Diagnostic diagnostic) {
    super(diagnostic);
  }
}
