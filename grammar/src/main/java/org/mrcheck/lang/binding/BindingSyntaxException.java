package org.mrcheck.lang.binding;

import org.mrcheck.lang.diagnostic.Diagnostic;
import org.mrcheck.lang.diagnostic.SyntaxException;

/** A binding is malformed. */
public final class BindingSyntaxException extends SyntaxException {
  private static final long serialVersionUID = 1L;

  /** An exception for the given finding. */
  public BindingSyntaxException(Diagnostic diagnostic) {
    super(diagnostic);
  }
}
