package org.mrcheck.lang.trace.text;

import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.InputMismatchException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.ParseCancellationException;

/**
 * Gives up at the first mismatch, quietly: the reader explains it. {@code sync} does nothing, for
 * it only serves recovery.
 */
final class LineErrorStrategy extends DefaultErrorStrategy {
  @Override
  public void sync(Parser recognizer) {
    // A mismatch shows when the token is matched.
  }

  @Override
  public Token recoverInline(Parser recognizer) {
    throw new InputMismatchException(recognizer);
  }

  @Override
  public void reportError(Parser recognizer, RecognitionException mismatch) {
    // The reader does.
  }

  @Override
  public void recover(Parser recognizer, RecognitionException mismatch) {
    throw new ParseCancellationException(mismatch);
  }
}
