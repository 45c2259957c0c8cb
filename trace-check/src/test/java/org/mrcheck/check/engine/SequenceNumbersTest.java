package org.mrcheck.check.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class SequenceNumbersTest {
  @Test
  void next_withoutHoles_reportsNothing() {
    SequenceNumbers numbers = new SequenceNumbers(Set.of());

    assertThat(numbers.next(1)).isEmpty();
    assertThat(numbers.next(2)).isEmpty();
    assertThat(numbers.gaps()).isZero();
    assertThat(numbers.tookMoveForLoss()).isFalse();
  }

  @Test
  void next_holeAndBeginningCutOff_countsMissing() {
    SequenceNumbers numbers = new SequenceNumbers(Set.of());

    assertThat(numbers.next(4)).contains(3L);
    assertThat(numbers.next(5)).isEmpty();
    assertThat(numbers.next(7)).contains(1L);
    assertThat(numbers.gaps()).isEqualTo(2);
    assertThat(numbers.missing()).isEqualTo(4);
  }

  @Test
  void next_numberGoesBackIntoHole_asksForAnotherPass() {
    SequenceNumbers first = new SequenceNumbers(Set.of());
    first.next(1);
    assertThat(first.next(3)).contains(1L);
    assertThat(first.next(2)).isEmpty();
    assertThat(first.tookMoveForLoss()).isTrue();
    assertThat(first.steppedBack()).isOne();

    SequenceNumbers second = new SequenceNumbers(first.moved());
    second.next(1);
    assertThat(second.next(3)).isEmpty();
    assertThat(second.next(2)).isEmpty();
    assertThat(second.missing()).isZero();
    assertThat(second.tookMoveForLoss()).isFalse();
  }

  @Test
  void next_numberRepeated_isNoHole() {
    SequenceNumbers numbers = new SequenceNumbers(Set.of());
    numbers.next(1);
    numbers.next(1);

    assertThat(numbers.steppedBack()).isOne();
    assertThat(numbers.tookMoveForLoss()).isFalse();
  }
}
