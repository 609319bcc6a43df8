package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.Lane;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many members of a running job may leave. */
class RunningJobTest {

    private static RunningJob of(int members, boolean leaving, Set<Integer> leavingRanks, Map<String, Integer> min) {
        List<PodPlacement> pods = IntStream.range(0, members)
                .mapToObj(rank -> new PodPlacement(
                        "worker", rank, new NodeId(1), "h100", List.of((long) rank), 1_000, 0, 0, null, List.of()))
                .toList();
        return new RunningJob(
                new JobId(new UUID(7, 1)),
                1,
                new QueueId(1),
                Lane.YELLOW,
                0,
                0,
                0,
                0,
                0,
                leaving,
                pods,
                leavingRanks,
                min);
    }

    @Test
    void membersAboveTheMinimumThatAreNotLeavingAlreadyMayLeave() {
        assertThat(of(4, false, Set.of(), Map.of("worker", 1)).spare("worker")).isEqualTo(3);
        assertThat(of(4, false, Set.of(3, 2), Map.of("worker", 1)).spare("worker"))
                .isEqualTo(1);
    }

    @Test
    void noneOfAGangThatLeavesOrOfASetThatIsNotKnown() {
        assertThat(of(4, true, Set.of(), Map.of("worker", 1)).spare("worker")).isZero();
        assertThat(of(4, false, Set.of(), Map.of("worker", 4)).spare("worker")).isZero();
        assertThat(of(4, false, Set.of(), Map.of()).spare("worker")).isZero();
        assertThat(of(4, false, Set.of(), Map.of("worker", 1)).spare("master")).isZero();
    }
}
