package org.mrcheck.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContractModuleTest {
  private static final SpecValue CLOSED = state("closed");

  private static SpecValue.Rec state(String phase) {
    return SpecValue.record("phase", SpecValue.of(phase), "key", SpecValue.of(7));
  }

  private static SpecValue open(int key) {
    return SpecValue.record("name", SpecValue.of("open"), "key", SpecValue.of(key));
  }

  @Test
  void operators_ofAContract_giveStatesAndAnswers() {
    ContractModule door = ContractModule.open(TestSpecs.library(), "Door");

    assertThat(door.name()).isEqualTo("Door");
    assertThat(door.start()).isEqualTo(SpecValue.set(CLOSED));
    assertThat(door.step(CLOSED, open(7))).isEqualTo(SpecValue.set(state("open")));
    assertThat(door.step(CLOSED, open(8)).elements()).isEmpty();
    assertThat(door.step(CLOSED, SpecValue.record("name", SpecValue.of("knock"))).elements())
        .containsExactly(CLOSED);
    assertThat(door.hidden(state("open")).elements()).containsExactly(state("ajar"));
    assertThat(door.hidden(CLOSED).elements()).isEmpty();
    assertThat(door.open(state("open"))).isTrue();
    assertThat(door.open(CLOSED)).isFalse();
    assertThat(door.remark(state("ajar"))).isEqualTo("the door was left ajar");
    assertThat(door.remark(CLOSED)).isEmpty();
  }

  @Test
  void openAll_ofModulesThatDefineTheSameNames_keepsThemApart() {
    SpecLibrary library =
        TestSpecs.library()
            .orElse(
                SpecLibrary.of(
                    Map.of(
                        "Gate.tla",
                        "---- MODULE Gate ----\nStart == {\"shut\"}\nStep(s, e) == {}\n"
                            + "Hidden(s) == {s}\nOpen(s) == s\nRemark(s) == {}\n====\n")));
    Map<String, ContractModule> both =
        ContractModule.openAll(TlaTools.bundled(), library, List.of("Gate", "Door"));
    assertThat(both.keySet()).containsExactly("Gate", "Door");
    assertThat(both.get("Gate").start()).isEqualTo(SpecValue.set(SpecValue.of("shut")));
    assertThat(both.get("Door").start()).isEqualTo(SpecValue.set(CLOSED));
    assertThat(both.get("Gate").step(CLOSED, open(7)).elements()).isEmpty();
    assertThat(both.get("Door").step(CLOSED, open(7)).elements()).hasSize(1);

    ContractModule gate = both.get("Gate");
    assertThatThrownBy(() -> gate.open(CLOSED))
        .isInstanceOf(SpecException.class)
        .hasMessageStartingWith("Gate.tla: Open must give a Boolean, got [key");
    assertThatThrownBy(() -> gate.remark(CLOSED))
        .isInstanceOf(SpecException.class)
        .hasMessage("Gate.tla: Remark must give a string, got {}");
  }

  @Test
  void step_onAnEventWithoutAField_namesThePlaceAndTheField() {
    ContractModule door = ContractModule.open(TestSpecs.library(), "Door");
    assertThatThrownBy(
            () -> door.step(state("open"), SpecValue.record("name", SpecValue.of("close"))))
        .isInstanceOf(SpecException.class)
        .hasMessage(
            "Door.tla:19:20: cannot evaluate Door!Step: Attempted to select nonexistent field"
                + " \"slam\" from the record [name |-> \"close\"]");
  }

  @Test
  void openAll_ofTheBundledContracts_works() {
    List<String> names =
        List.of(
            "NoAccessAfterReturn",
            "SoundCheck",
            "SoundCheckOnWire",
            "UmbrellaStatus",
            "NakOnlyAtExpectedPsn",
            "FatalNak",
            "SilentInError",
            "PsnOrder",
            "DuplicateNotExecuted",
            "RejectHasNoEffect",
            "CompletionMatchesAnswer");
    ContractModule.openAll(TlaTools.bundled(), SpecLibrary.bundled(), names)
        .forEach(
            (name, contract) -> {
              assertThat(contract.start().elements()).as(name).isNotEmpty();
              for (SpecValue start : contract.start().elements()) {
                assertThat(contract.open(start)).as(name).isFalse();
                assertThat(contract.remark(start)).as(name).isEmpty();
                contract.hidden(start);
              }
            });
  }
}
