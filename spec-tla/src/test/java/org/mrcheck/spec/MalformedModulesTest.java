package org.mrcheck.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MalformedModulesTest {
  private static SpecException open(String text) {
    return catchThrowableOfType(
        SpecException.class,
        () ->
            Evaluator.open(
                TlaTools.bundled(), SpecLibrary.of(Map.of("Bad.tla", text)), List.of("Bad")));
  }

  static List<Arguments> malformed() {
    return List.of(
        Arguments.of(
            "A == 1\nB == A + \n====\n",
            "Bad.tla:4:1: Encountered \"====\" at line 4, column 1 and token \"+\""),
        Arguments.of("A == C\n====\n", "Bad.tla:2:6: Unknown operator: `C'."),
        Arguments.of(
            "A == 1\nA == 2\n====\n", "Bad.tla:3:1: Operator A already defined or declared."),
        Arguments.of(
            "B == \"abc\n====\n",
            "Bad.tla:2:10: Lexical error at line 2, column 10. Encountered: \"\\n\" (10), after :"
                + " \"\\\"abc\""),
        Arguments.of(
            "EXTENDS Naturals\nB == 1 .. 2 .. 3\n====\n",
            "Bad.tla:3:8: Precedence conflict between ops .. in block line 3, col 8 to line 3,"
                + " col 9 of module Bad and ..."),
        Arguments.of(
            "A == 1\n",
            "Bad.tla:2:7: Was expecting \"==== or more Module body\" Encountered \"<EOF>\" at line"
                + " 2, column 7 and token \"1\""));
  }

  @ParameterizedTest
  @MethodSource
  void malformed(String body, String message) {
    SpecException e = open("---- MODULE Bad ----\n" + body);
    assertThat(e.kind()).isEqualTo(SpecException.Kind.MALFORMED);
    assertThat(e).hasMessage(message);
    assertThat(e.location()).isPresent();
  }

  @Test
  void open_ofAModuleOfAnotherName_saysSo() {
    assertThat(open("---- MODULE Worse ----\n===="))
        .hasMessage(
            "Bad.tla: File name 'Bad' does not match the name 'Worse' of the top level module it"
                + " contains.");
  }

  @Test
  void open_ofSomethingElse_saysThatItIsNoModule() {
    assertThat(open("\u0000\u0001\u0002")).hasMessage("Bad.tla: is not a TLA+ module");
    assertThat(open("")).hasMessage("Bad.tla: is not a TLA+ module");
  }

  @Test
  void open_ofAMissingModuleOrImport_namesBoth() {
    SpecLibrary library = TestSpecs.library();
    SpecException missing =
        catchThrowableOfType(
            SpecException.class,
            () -> Evaluator.open(TlaTools.bundled(), library, List.of("NotThere")));
    assertThat(missing.kind()).isEqualTo(SpecException.Kind.MISSING_FILE);
    assertThat(missing).hasMessage("NotThere.tla: no such module in " + library.description());

    SpecException imported = open("---- MODULE Bad ----\nEXTENDS NotThere\n====");
    assertThat(imported.kind()).isEqualTo(SpecException.Kind.MISSING_FILE);
    assertThat(imported)
        .hasMessage(
            "Bad.tla: imports module NotThere, which is not a standard module nor in modules in"
                + " memory");
  }
}
