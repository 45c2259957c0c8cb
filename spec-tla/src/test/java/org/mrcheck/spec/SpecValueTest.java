package org.mrcheck.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class SpecValueTest {

  @Provide
  Arbitrary<SpecValue> values() {
    Arbitrary<SpecValue> atoms =
        Arbitraries.oneOf(
            Arbitraries.of(true, false).map(SpecValue::of),
            Arbitraries.integers().between(-3, 3).map(SpecValue::of),
            Arbitraries.of("a", "b", "").map(SpecValue::of),
            Arbitraries.of("m1", "m2").map(SpecValue.ModelValue::new));
    return Arbitraries.recursive(
        () -> atoms,
        inner ->
            Arbitraries.oneOf(
                inner.list().ofMaxSize(3).map(SpecValue::set),
                inner.list().ofMaxSize(3).map(SpecValue.Seq::new),
                Arbitraries.maps(Arbitraries.of("p", "q"), inner)
                    .ofMinSize(1)
                    .map(SpecValue::record),
                Arbitraries.maps(inner, inner).ofMaxSize(2).map(SpecValue::function)),
        0,
        2);
  }

  @Property(tries = 300)
  void compareTo_ofAnyValues_isATotalOrderConsistentWithEquals(
      @ForAll("values") SpecValue a, @ForAll("values") SpecValue b, @ForAll("values") SpecValue c) {
    assertThat(Integer.signum(a.compareTo(b))).isEqualTo(-Integer.signum(b.compareTo(a)));
    assertThat(a.compareTo(b) == 0).isEqualTo(a.equals(b));
    if (a.equals(b)) {
      assertThat(a.hashCode()).isEqualTo(b.hashCode());
    }
    if (a.compareTo(b) <= 0 && b.compareTo(c) <= 0) {
      assertThat(a.compareTo(c)).isLessThanOrEqualTo(0);
    }
  }

  @Property(tries = 300)
  void set_whateverTheOrderAndRepetition_isOneValue(@ForAll("values") SpecValue a) {
    SpecValue one = SpecValue.of(1);
    assertThat(SpecValue.set(a, one, a)).isEqualTo(SpecValue.set(one, a, one));
    assertThat(SpecValue.set(a, one).contains(a)).isTrue();
    assertThat(SpecValue.set(one).contains(a)).isEqualTo(a.equals(one));
  }

  @Test
  void function_onSequenceOrRecordDomain_isTheSequenceOrRecord() {
    assertThat(SpecValue.function(Map.of())).isEqualTo(SpecValue.seq());
    assertThat(
            SpecValue.function(
                Map.of(
                    SpecValue.of(2), SpecValue.of("b"),
                    SpecValue.of(1), SpecValue.of("a"))))
        .isEqualTo(SpecValue.seq(SpecValue.of("a"), SpecValue.of("b")));
    assertThat(SpecValue.function(Map.of(SpecValue.of("f"), SpecValue.of(true))))
        .isEqualTo(SpecValue.record("f", SpecValue.of(true)));
    assertThat(SpecValue.function(Map.of(SpecValue.of(0), SpecValue.of(true))))
        .isInstanceOf(SpecValue.Fun.class);
  }

  @Test
  void constructors_ofValuesThatBelongToAnotherKind_refuse() {
    assertThatThrownBy(() -> new SpecValue.Rec(new TreeMap<>()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SpecValue.Fun(new TreeMap<>()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void toString_ofEveryKind_isTlaPlus() {
    SpecValue.Rec entry =
        SpecValue.record("key", SpecValue.of(7), "held", SpecValue.of(true))
            .with("who", new SpecValue.ModelValue("q1"));
    assertThat(entry).hasToString("[held |-> TRUE, key |-> 7, who |-> q1]");
    assertThat(entry.field("key")).contains(SpecValue.of(7));
    assertThat(entry.field("none")).isEmpty();
    assertThat(SpecValue.set(SpecValue.of(2), SpecValue.of(1))).hasToString("{1, 2}");
    assertThat(SpecValue.seq(SpecValue.of("a\"b"), SpecValue.of(-1)))
        .hasToString("<<\"a\\\"b\", -1>>");
    assertThat(
            SpecValue.function(
                Map.of(SpecValue.of(0), SpecValue.of(1), SpecValue.of(5), SpecValue.of(2))))
        .hasToString("(0 :> 1 @@ 5 :> 2)");
    assertThat(SpecValue.set(List.of())).hasToString("{}");
  }
}
