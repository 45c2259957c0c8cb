package org.mrcheck.lang.trace.text;

import org.antlr.v4.runtime.Token;

/** Recognises a line into which two writers wrote at once. Only used on lines that are wrong. */
final class InterleavedLine {
  private static final int ACTOR_POSITION = 2;

  private InterleavedLine() {}

  /**
   * Whether an event begins in the middle of the line (a number followed by an actor, but not at
   * the beginning), or the line begins in the middle of an event (it has fields, but begins with no
   * number).
   */
  static boolean suspected(byte[] buffer, int from, int to) {
    TraceLexer lexer = new TraceLexer(new ByteBlock(buffer, from, to, ""));
    lexer.removeErrorListeners();
    boolean beginsWithNumber = false;
    int previousType = Token.EOF;
    int position = 0;
    for (Token token = lexer.nextToken();
        token.getType() != Token.EOF;
        token = lexer.nextToken(), position++) {
      boolean actor =
          token.getType() == TraceLexer.WORD
              && previousType == TraceLexer.NUMBER
              && hasSlash(buffer, token);
      if (position == 0) {
        beginsWithNumber = token.getType() == TraceLexer.NUMBER;
      }
      if (actor && position > ACTOR_POSITION
          || token.getType() == TraceLexer.KEY && !beginsWithNumber) {
        return true;
      }

      previousType = token.getType();
    }
    return false;
  }

  private static boolean hasSlash(byte[] buffer, Token token) {
    for (int index = token.getStartIndex(); index <= token.getStopIndex(); index++) {
      if (buffer[index] == '/') {
        return true;
      }
    }
    return false;
  }
}
