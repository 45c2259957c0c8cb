package org.mrcheck.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluatorTest {
  private static final Map<String, SpecValue> CONSTANTS =
      Map.of(
          "Modulus", SpecValue.of(8), "Names", SpecValue.set(SpecValue.of("a"), SpecValue.of("b")));

  private static final Evaluator ARITHMETIC = arithmetic(CONSTANTS);

  private static Evaluator arithmetic(Map<String, SpecValue> constants) {
    return Evaluator.open(TlaTools.bundled(), TestSpecs.library(), "Arithmetic", constants);
  }

  private static SpecException failure(ThrowingCallable action) {
    SpecException[] caught = new SpecException[1];
    assertThatThrownBy(action).isInstanceOfSatisfying(SpecException.class, e -> caught[0] = e);
    return caught[0];
  }

  @Test
  void evaluate_withConstants_usesTheGivenValues() {
    assertThat(ARITHMETIC.evaluate("Arithmetic", "Next", SpecValue.of(7)))
        .isEqualTo(SpecValue.of(0));
    assertThat(ARITHMETIC.evaluate("Arithmetic", "Labels"))
        .isEqualTo(SpecValue.record("a", SpecValue.of("a"), "b", SpecValue.of("b")));
    try (Evaluator other =
        arithmetic(
            Map.of(
                "Modulus",
                SpecValue.of(5),
                "Names",
                SpecValue.set(SpecValue.function(Map.of(SpecValue.of(0), SpecValue.of(1))))))) {
      assertThat(other.evaluate("Arithmetic", "Next", SpecValue.of(4))).isEqualTo(SpecValue.of(0));
      // The first one is not disturbed.
      assertThat(ARITHMETIC.evaluate("Arithmetic", "Next", SpecValue.of(4)))
          .isEqualTo(SpecValue.of(5));
    }
  }

  @Test
  void evaluate_ofFunctions_givesFunctionsSequencesAndSets() {
    assertThat(ARITHMETIC.evaluate("Arithmetic", "Squares"))
        .hasToString("(0 :> 0 @@ 1 :> 1 @@ 2 :> 4)");
    assertThat(ARITHMETIC.evaluate("Arithmetic", "Doubled")).hasToString("<<2, 4, 6>>");
    assertThat(
            ARITHMETIC.evaluate(
                "Arithmetic",
                "Union",
                SpecValue.set(SpecValue.of(3), SpecValue.of(1)),
                SpecValue.set(SpecValue.of(2), SpecValue.of(1))))
        .hasToString("{1, 2, 3}");
  }

  @Provide
  Arbitrary<SpecValue> values() {
    // Sets of one kind of element: TLC does not compare values of different kinds.
    Arbitrary<SpecValue> numbers = Arbitraries.integers().map(SpecValue::of);
    Arbitrary<SpecValue> texts = Arbitraries.strings().ascii().ofMaxLength(5).map(SpecValue::of);
    Arbitrary<SpecValue> sets =
        Arbitraries.oneOf(
            numbers.list().ofMaxSize(5).map(SpecValue::set),
            texts.list().ofMaxSize(5).map(SpecValue::set),
            numbers
                .list()
                .ofSize(2)
                .map(SpecValue.Seq::new)
                .list()
                .ofMaxSize(4)
                .map(SpecValue::set));
    Arbitrary<SpecValue> functions =
        Arbitraries.maps(numbers, texts).ofMaxSize(4).map(SpecValue::function);
    Arbitrary<SpecValue> flat =
        Arbitraries.oneOf(
            numbers, texts, sets, functions, Arbitraries.of(true, false).map(SpecValue::of));
    return Arbitraries.oneOf(
        flat,
        flat.list().ofMaxSize(4).map(SpecValue.Seq::new),
        Arbitraries.maps(Arbitraries.of("zeta", "alpha", "mu"), flat)
            .ofMinSize(1)
            .map(SpecValue::record));
  }

  @Property(tries = 300)
  void evaluate_ofTheIdentity_givesTheValueBack(@ForAll("values") SpecValue value) {
    assertThat(ARITHMETIC.evaluate("Arithmetic", "Identity", value)).isEqualTo(value);
  }

  @Test
  void evaluate_ofAnInfiniteSet_saysSo() {
    SpecException e = failure(() -> ARITHMETIC.evaluate("Arithmetic", "Everything"));
    assertThat(e.kind()).isEqualTo(SpecException.Kind.UNEXPECTED_VALUE);
    assertThat(e)
        .hasMessage("Arithmetic.tla:9:1: Arithmetic!Everything is not a finite value: Nat");
  }

  @Test
  void evaluate_thatFails_namesThePlaceAndNoClassOfTlc() {
    SpecException e = failure(() -> ARITHMETIC.evaluate("Arithmetic", "Broken", SpecValue.of(0)));
    assertThat(e.kind()).isEqualTo(SpecException.Kind.EVALUATION);
    assertThat(e)
        .hasMessage(
            "Arithmetic.tla:12:19: cannot evaluate Arithmetic!Broken: Attempted to select field"
                + " \"field\" from a non-record value 0")
        .hasNoCause();
    SpecException other =
        failure(() -> ARITHMETIC.evaluate("Arithmetic", "Broken", SpecValue.of(1)));
    assertThat(other.location()).map(SourceLocation::line).contains(11);
    // And the evaluator goes on working.
    assertThat(ARITHMETIC.evaluate("Arithmetic", "Next", SpecValue.of(1)))
        .isEqualTo(SpecValue.of(2));
  }

  @Test
  void evaluate_withoutEnd_isAnError() {
    SpecException e = failure(() -> ARITHMETIC.evaluate("Arithmetic", "Forever", SpecValue.of(1)));
    assertThat(e.kind()).isEqualTo(SpecException.Kind.EVALUATION);
    assertThat(e).hasMessageContaining("endless recursion");
  }

  @Test
  void evaluate_ofAnUnknownOperatorOrWrongArity_saysSo() {
    assertThat(failure(() -> ARITHMETIC.evaluate("Arithmetic", "Nxt", SpecValue.of(1))))
        .hasMessage("Arithmetic.tla: does not define Nxt")
        .extracting(SpecException::kind)
        .isEqualTo(SpecException.Kind.NO_SUCH_OPERATOR);
    assertThat(failure(() -> ARITHMETIC.evaluate("Arithmetic", "Next")))
        .hasMessageStartingWith("Arithmetic.tla:4:1: Next takes 1 arguments, not 0");
    assertThatThrownBy(() -> ARITHMETIC.evaluate("Door", "Start"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Door was not opened");
  }

  @Test
  void evaluate_afterClose_isRefused() {
    Evaluator evaluator = arithmetic(CONSTANTS);
    evaluator.close();
    assertThatThrownBy(() -> evaluator.evaluate("Arithmetic", "Doubled"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void open_withAConstantMissing_namesIt() {
    assertThat(failure(() -> arithmetic(Map.of("Modulus", SpecValue.of(1)))))
        .hasMessageContaining("Names");
    assertThat(
            failure(
                () ->
                    Evaluator.open(
                        TlaTools.bundled(),
                        TestSpecs.library(),
                        "Door",
                        Map.of("Handle", SpecValue.of(1)))))
        .hasMessageContaining("Handle");
  }

  @Test
  void evaluators_inTwoThreads_doNotDisturbEachOther() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Integer>> sums = new ArrayList<>();
      for (int modulus : new int[] {6, 11}) {
        sums.add(
            threads.submit(
                () -> {
                  Evaluator evaluator =
                      arithmetic(
                          Map.of(
                              "Modulus",
                              SpecValue.of(modulus),
                              "Names",
                              SpecValue.set(SpecValue.of("n" + modulus))));
                  int sum = 0;
                  for (int i = 0; i < 500; i++) {
                    SpecValue next = evaluator.evaluate("Arithmetic", "Next", SpecValue.of(i));
                    sum += next.equals(SpecValue.of((i + 1) % modulus)) ? 1 : 0;
                  }
                  return sum;
                }));
      }
      for (Future<Integer> sum : sums) {
        assertThat(sum.get()).isEqualTo(500);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void evaluator_sharedByThreads_givesRightAnswers() {
    long right =
        java.util.stream.IntStream.range(0, 400)
            .parallel()
            .filter(
                i ->
                    ARITHMETIC
                        .evaluate("Arithmetic", "Next", SpecValue.of(i))
                        .equals(SpecValue.of((i + 1) % 8)))
            .count();
    assertThat(right).isEqualTo(400);
  }

  @Test
  void openAndEvaluate_whateverHappens_printsNothingAndLeavesNoThread() throws Exception {
    Quiet.quietly(
        () -> {
          try (Evaluator evaluator = arithmetic(CONSTANTS)) {
            failure(() -> evaluator.evaluate("Arithmetic", "Broken", SpecValue.of(0)));
            failure(() -> evaluator.evaluate("Arithmetic", "Everything"));
          }
          failure(
              () -> Evaluator.open(TlaTools.bundled(), TestSpecs.library(), List.of("Malformed")));
          return "";
        });
  }

  @Test
  void tools_copiedToAnotherPlace_work(@TempDir Path folder) throws IOException {
    Path copy = folder.resolve("my tla2tools.jar");
    Files.copy(TlaTools.bundled().jar(), copy);
    try (Evaluator evaluator =
        Evaluator.open(TlaTools.at(copy), TestSpecs.library(), List.of("Door"))) {
      assertThat(evaluator.evaluate("Door", "Within", SpecValue.of(3)))
          .isEqualTo(SpecValue.of(true));
    }
  }

  @Test
  void tools_thatAreNotTlc_areRefused(@TempDir Path folder) throws IOException {
    Path text = Files.writeString(folder.resolve("text.jar"), "no jar");
    Path empty = folder.resolve("empty.jar");
    try (var zip = new java.util.zip.ZipOutputStream(Files.newOutputStream(empty))) {
      zip.putNextEntry(new java.util.zip.ZipEntry("README"));
    }
    assertThat(failure(() -> TlaTools.at(folder.resolve("none.jar"))))
        .hasMessageContaining("no such file");
    assertThat(failure(() -> TlaTools.at(text))).hasMessageContaining("is not a jar file");
    assertThat(failure(() -> TlaTools.at(empty)))
        .hasMessageContaining("does not hold the TLA+ tools")
        .extracting(SpecException::kind)
        .isEqualTo(SpecException.Kind.TOOLS);
  }

  @Test
  void tools_ofAnotherMake_areRefusedInWords(@TempDir Path folder) throws IOException {
    Path odd = folder.resolve("odd.jar");
    try (var zip = new java.util.zip.ZipOutputStream(Files.newOutputStream(odd))) {
      zip.putNextEntry(new java.util.zip.ZipEntry("tlc2/TLC.class"));
    }
    SpecException e =
        failure(() -> Evaluator.open(TlaTools.at(odd), TestSpecs.library(), List.of("Door")));
    assertThat(e.kind()).isEqualTo(SpecException.Kind.TOOLS);
    assertThat(e).hasMessageContaining("not a release of the TLA+ tools");
  }
}
