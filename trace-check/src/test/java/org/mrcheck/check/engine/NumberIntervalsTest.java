package org.mrcheck.check.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class NumberIntervalsTest {
  @Property
  void contains_anyNumbersAdded_isASet(@ForAll List<@IntRange(min = 0, max = 20) Integer> numbers) {
    NumberIntervals intervals = new NumberIntervals();
    Set<Integer> expected = new HashSet<>(numbers);
    numbers.forEach(intervals::add);

    int runs = 0;
    for (int number = 0; number <= 21; number++) {
      assertThat(intervals.contains(number)).as("%d", number).isEqualTo(expected.contains(number));
      if (expected.contains(number) && !expected.contains(number - 1)) {
        runs++;
      }
    }
    assertThat(intervals.intervals()).isEqualTo(runs);
  }
}
