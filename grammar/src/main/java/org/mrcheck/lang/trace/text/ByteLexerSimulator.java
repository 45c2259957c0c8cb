package org.mrcheck.lang.trace.text;

import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.atn.LexerATNSimulator;
import org.antlr.v4.runtime.dfa.DFAState;

/**
 * Runs ANTLR's lexer automaton over bytes. Where the automaton is already determinised, which after
 * some lines it nearly always is, this follows its edges in one loop over the array and counts no
 * lines; anything else is left to ANTLR, which adds the missing edges.
 */
final class ByteLexerSimulator extends LexerATNSimulator {
  private ByteLexerSimulator(Lexer lexer) {
    super(lexer, TraceLexer._ATN, TraceLexer._decisionToDFA, TraceLexer._sharedContextCache);
  }

  /** A trace lexer that is fed with {@link ByteBlock}s. */
  static TraceLexer lexer() {
    TraceLexer lexer = new TraceLexer(null);
    lexer.removeErrorListeners();
    lexer.setInterpreter(new ByteLexerSimulator(lexer));
    return lexer;
  }

  @Override
  public int match(CharStream input, int mode) {
    ByteBlock block = (ByteBlock) input;
    byte[] buffer = block.buffer();
    int end = block.end();
    int at = block.index();
    DFAState state = decisionToDFA[mode].s0;
    DFAState accepted = null;
    int acceptedAt = at;
    while (at < end) {
      int next = buffer[at];
      DFAState[] edges = state == null ? null : state.edges;
      // Edges of bytes beyond ASCII are not kept by ANTLR.
      DFAState target = edges == null || next < 0 ? null : edges[next];
      if (target == null) {
        return super.match(input, mode);
      }
      if (target == ERROR) {
        break;
      }
      state = target;
      at++;
      if (state.isAcceptState) {
        accepted = state;
        acceptedAt = at;
      }
    }
    if (accepted == null) {
      return super.match(input, mode);
    }
    int start = block.index();
    block.seek(acceptedAt);
    if (accepted.lexerActionExecutor != null) {
      accepted.lexerActionExecutor.execute(recog, input, start);
    }
    return accepted.prediction;
  }
}
