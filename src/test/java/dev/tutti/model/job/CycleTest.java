package dev.tutti.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CycleTest {

    @Test
    void aChainOfAnyLengthIsNone() {
        assertThat(Cycle.find(List.of())).isEmpty();
        assertThat(Cycle.find(List.of(List.of(), List.of(0), List.of(0, 1)))).isEmpty();
        assertThat(Cycle.find(IntStream.range(0, 100_000)
                        .mapToObj(i -> i == 0 ? List.<Integer>of() : List.of(i - 1))
                        .toList()))
                .isEmpty();
    }

    @Test
    void aCycleIsNamedWithoutThoseThatLeadToIt() {
        assertThat(Cycle.find(List.of(List.of(0)))).containsExactly(0);
        assertThat(Cycle.find(List.of(List.of(1), List.of(2), List.of(3), List.of(1))))
                .containsExactly(1, 2, 3);
        assertThat(Cycle.find(List.of(List.of(), List.of(0), List.of(1, 3), List.of(2))))
                .containsExactly(2, 3);
    }
}
