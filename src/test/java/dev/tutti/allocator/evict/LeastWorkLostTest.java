package dev.tutti.allocator.evict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.testkit.scenario.AllocatorStage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of those who may be asked to leave, who loses least in all. */
class LeastWorkLostTest {

    private static final long HOUR_MICROS = 3_600_000_000L;

    private static final List<String> TWO_NODES = List.of("n1 gpus=8", "n2 gpus=8");

    @Test
    void oneLargeJobLeavesInsteadOfManySmallOnesThatLoseMoreTogether() {
        AllocatorStage stage = AllocatorStage.of(TWO_NODES, List.of())
                .running("strong gpus=4 priority=9", "a gpus=1", "b gpus=1", "c gpus=1", "d gpus=1")
                .pass(HOUR_MICROS)
                .running("other gpus=4 priority=9", "large gpus=4")
                .pass(2 * HOUR_MICROS)
                .submit("urgent gpus=4 priority=5")
                .settle();

        assertThat(stage.evictions()).as("8 GPU hours, not 12").containsExactly("large PREEMPTED for urgent");
    }

    @Test
    void oneSmallJobLeavesInsteadOfALargeOneThatHasRunShorter() {
        AllocatorStage stage = AllocatorStage.of(TWO_NODES, List.of())
                .running("strong gpus=7 priority=9", "small gpus=1")
                .pass(HOUR_MICROS)
                .running("large gpus=8")
                .pass(HOUR_MICROS)
                .submit("urgent gpus=1 priority=5")
                .settle();

        assertThat(stage.evictions()).as("2 GPU hours, not 8").containsExactly("small PREEMPTED for urgent");
    }

    @Test
    void aHigherPriorityIsNotSpentToLoseLess() {
        AllocatorStage stage = AllocatorStage.of(TWO_NODES, List.of())
                .running("weak gpus=8")
                .pass(HOUR_MICROS)
                .running("strong gpus=7 priority=9", "small gpus=1 priority=1")
                .pass(HOUR_MICROS)
                .submit("urgent gpus=1 priority=5")
                .settle();

        assertThat(stage.evictions()).containsExactly("weak PREEMPTED for urgent");
    }
}
