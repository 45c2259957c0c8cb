package org.mrcheck.spec;

import static org.assertj.core.api.Assertions.assertThat;

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
}
