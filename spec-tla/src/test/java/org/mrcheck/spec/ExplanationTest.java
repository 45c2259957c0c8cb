package org.mrcheck.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExplanationTest {
  private static final ContractModule DOOR = ContractModule.open(TestSpecs.library(), "Door");

  private static SpecValue state(String phase) {
    return SpecValue.record("phase", SpecValue.of(phase), "key", SpecValue.of(7));
  }

  private static SpecValue.Rec event(String name) {
    return SpecValue.record("name", SpecValue.of(name));
  }

  /** One line a conjunct: truth, text, terms, place; parts indented. */
  private static List<String> lines(List<Explanation.Conjunct> conjuncts, String indent) {
    List<String> lines = new ArrayList<>();
    for (Explanation.Conjunct conjunct : conjuncts) {
      StringBuilder line = new StringBuilder(indent + conjunct.truth() + " " + conjunct.text());
      for (Explanation.Term term : conjunct.terms()) {
        line.append(" | ").append(term.text()).append(" is ");
        line.append(term.value().map(Object::toString).orElse("?"));
      }
      line.append(" @").append(conjunct.location());
      if (!conjunct.comment().isEmpty()) {
        line.append(" #").append(conjunct.comment());
      }
      lines.add(line.toString());
      lines.addAll(lines(conjunct.parts(), indent + "  "));
    }
    return lines;
  }

  @Test
  void explain_ofARefusal_opensOperatorsAndGivesBothSides() {
    Explanation why = DOOR.explain(state("closed"), event("open").with("key", SpecValue.of(8)));

    assertThat(why.arm()).isEqualTo("e.name = \"open\"");
    assertThat(why.location()).hasToString("Door.tla:15:8");
    assertThat(why.result()).isEqualTo(SpecValue.set());
    assertThat(lines(why.conjuncts(), ""))
        .containsExactly(
            "FALSE e.key = s.key | e.key is 8 | s.key is 7 @Door.tla:8:18",
            "TRUE \\/ s.phase = \"closed\" \\/ s.phase = \"locked\" @Door.tla:9:18",
            "  TRUE s.phase = \"closed\" | s.phase is \"closed\" | \"closed\" is \"closed\""
                + " @Door.tla:9:21",
            "  FALSE s.phase = \"locked\" | s.phase is \"closed\" | \"locked\" is \"locked\""
                + " @Door.tla:10:21",
            "TRUE n \\in 1..9 | n is 8 | 1..9 is {1, 2, 3, 4, 5, 6, 7, 8, 9} @Door.tla:12:14",
            "TRUE n < 9 | n is 8 | 9 is 9 @Door.tla:12:28");
    assertThat(why.failing())
        .extracting(Explanation.Conjunct::text)
        .containsExactly("e.key = s.key");
  }

  @Test
  void explain_ofAnAcceptedEvent_hasNothingFailing() {
    Explanation why = DOOR.explain(state("closed"), event("open").with("key", SpecValue.of(7)));
    assertThat(why.result()).isEqualTo(SpecValue.set(state("open")));
    assertThat(why.conjuncts()).hasSize(4).allMatch(Explanation.Conjunct::holds);
    assertThat(why.failing()).isEmpty();
  }

  @Test
  void explain_ofNestedConditions_followsTheBranchTaken() {
    Explanation why = DOOR.explain(state("open"), event("close").with("slam", SpecValue.of(true)));
    assertThat(why.decisions())
        .extracting(Explanation.Decision::text)
        .containsExactly("s.phase = \"open\"", "e.slam => s.key # 7");
    assertThat(lines(why.failing(), ""))
        .containsExactly(
            "FALSE e.slam => s.key # 7 @Door.tla:19:20",
            "  TRUE e.slam @Door.tla:19:20",
            "  FALSE s.key # 7 | s.key is 7 | 7 is 7 @Door.tla:19:30");
  }

  @Test
  void explain_evaluatesEveryConjunct_evenOneThatHasNoValue() {
    SpecValue lock =
        event("lock").with("turns", SpecValue.of(3)).with("jammed", SpecValue.of(true));
    Explanation why = DOOR.explain(state("open"), lock);
    assertThat(lines(why.conjuncts(), ""))
        .containsExactly(
            "FALSE s.phase \\in {\"closed\", \"locked\"} | s.phase is \"open\" |"
                + " {\"closed\", \"locked\"} is {\"closed\", \"locked\"} @Door.tla:22:22",
            "UNDEFINED e.turns.count > 1 | e.turns.count is ? | 1 is 1 @Door.tla:23:25 #twice",
            "FALSE ~e.jammed @Door.tla:24:19",
            "  TRUE e.jammed @Door.tla:24:20");
  }

  @Test
  void explain_ofAnEventThatNoArmNames_takesOther() {
    Explanation why = DOOR.explain(state("open"), event("knock"));
    assertThat(why.arm()).isEqualTo("OTHER");
    assertThat(why.decisions()).isEmpty();
    assertThat(why.result()).isEqualTo(SpecValue.set(state("open")));
  }

  @Test
  void explain_ofAQuantifier_namesTheElementThatFails() {
    String module =
        """
        ---- MODULE Sum ----
        EXTENDS Naturals
        Inner(limit) == INSTANCE Part
        Step(s, e) == IF /\\ \\A n \\in s : n < e.limit
                         /\\ Inner(e.limit)!Fits(s)
                      THEN {s} ELSE {}
        ====
        """;
    String part =
        """
        ---- MODULE Part ----
        EXTENDS FiniteSets
        CONSTANT limit
        Fits(set) == Cardinality(set) = limit
        ====
        """;
    ContractModule sum =
        ContractModule.open(SpecLibrary.of(Map.of("Sum.tla", module, "Part.tla", part)), "Sum");
    Explanation why =
        sum.explain(
            SpecValue.set(SpecValue.of(1), SpecValue.of(5)),
            SpecValue.record("limit", SpecValue.of(4)));
    assertThat(why.arm()).isEmpty();
    assertThat(lines(why.conjuncts(), ""))
        .containsExactly(
            "FALSE \\A n \\in s : n < e.limit | s is {1, 5} | n is 5 @Sum.tla:4:21",
            "FALSE Cardinality(set) = limit | Cardinality(set) is 2 | limit is 4 @Part.tla:4:14");
  }
}
