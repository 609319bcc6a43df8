package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.model.NodeId;
import dev.tutti.model.job.Lane;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Running jobs that want more pods than they have. */
class GrowthScenariosTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final NodeId N3 = new NodeId(3);
    private static final int NEXT_RANK = 7;

    private final TestQueues queues = new TestQueues();
    private final List<TestNode> nodes = Stream.of(
                    "n1 rack=r1 gpus=4 used=2 flavor=h100",
                    "n2 rack=r1 gpus=4 used=3 flavor=h100",
                    "n3 rack=r2 gpus=8 flavor=h100",
                    "n4 rack=r1 gpus=8 flavor=a100")
            .map(TestNode::of)
            .toList();

    /** What the job wants beside its two members on n1, of which some are leaving. */
    private @Nullable WaitingJob growth(String line, Set<Integer> leaving) {
        WaitingJob asked = TestJobs.of(line, 0, queues);
        List<PodPlacement> members = Stream.of(0, 1)
                .map(rank -> new PodPlacement(
                        asked.podSets().get(0).name(), rank, N1, "h100", List.of(), 1_000, 0, 0, null, List.of()))
                .toList();
        RunningJob running = new RunningJob(
                asked.job(), 9, asked.queue(), asked.lane(), 0, 0, 0, 0, 0, false, members, leaving, Map.of());
        return Growth.of(running, asked.podSets(), asked.topology(), NEXT_RANK, 0);
    }

    private Plan decide(WaitingJob... jobs) {
        return new GangAllocator().decide(TestFleet.snapshot(nodes, queues.shares()), List.of(jobs), 0);
    }

    private List<NodeId> placed(String line) {
        Plan plan = decide(growth(line, Set.of()));
        assertThat(plan.waits()).as("a job that runs does not wait").isEmpty();
        return plan.placements().stream()
                .flatMap(one -> one.members().stream())
                .map(PodPlacement::node)
                .sorted()
                .toList();
    }

    @Test
    void morePodsStartOnTheFlavorOfTheirSetWithTheNextRanks() {
        Plan plan = decide(growth("e gpus=1 pods=5 min=1", Set.of()));

        assertThat(plan.placements()).singleElement().satisfies(one -> {
            assertThat(one.grows()).isTrue();
            assertThat(one.jobVersion()).isEqualTo(9);
            assertThat(one.members())
                    .extracting(PodPlacement::rank)
                    .containsExactly(NEXT_RANK, NEXT_RANK + 1, NEXT_RANK + 2);
            assertThat(one.members()).extracting(PodPlacement::flavor).containsOnly("h100");
        });
        assertThat(placed("e gpus=1 pods=30 min=1"))
                .as("as many as there is room for")
                .hasSize(2 + 1 + 8);
    }

    @Test
    void theyStayWithinTheDomainThatTheJobRequires() {
        assertThat(placed("e gpus=1 pods=30 min=1 required=rack")).containsExactly(N1, N1, N2);
        assertThat(placed("e gpus=1 pods=30 min=1 own=rack")).containsExactly(N1, N1, N2);
        assertThat(placed("e gpus=1 pods=30 min=1 required=hostname")).containsExactly(N1, N1);
        assertThat(placed("e gpus=4 pods=3 min=1 required=rack"))
                .as("no room there")
                .isEmpty();
        assertThat(placed("e gpus=4 pods=3 min=1")).containsExactly(N3);
    }

    @Test
    void thoseWhoLeaveAreReplacedAndAJobThatHasAllWantsNothing() {
        assertThat(growth("e gpus=1 pods=2 min=1", Set.of())).isNull();
        assertThat(growth("e gpus=1 pods=2 min=1", Set.of(1)).podSets().get(0).count())
                .isEqualTo(1);
        assertThat(growth("e gpus=1 pods=2 min=1", Set.of(0, 1)))
                .as("nobody says where it is")
                .isNull();
    }

    @Test
    void setsWhosePlacesDependOnEachOtherDoNotGrow() {
        assertThat(growth("e gpus=1 pods=4 min=2 segment=2@rack", Set.of())).isNull();
        assertThat(growth("e gpus=1 pods=4 min=2 + ps pods=1 apart=worker@hostname", Set.of()))
                .isNull();
    }

    @Test
    void morePodsAreNoStartOfTheirLaneButWaitForItsHours() {
        WaitingJob growth = growth("e gpus=1 pods=3 min=1", Set.of());
        WaitingJob fresh = TestJobs.of("next gpus=1", 1, queues);
        Snapshot base = TestFleet.snapshot(nodes, queues.shares());
        LanesNow usedUp = new LanesNow(Map.of(), Map.of(Lane.YELLOW, new LanesNow.Rate(1, 0, 5)), Set.of());
        LanesNow closed = new LanesNow(Map.of(Lane.YELLOW, 5L), Map.of(), Set.of());

        assertThat(decide(base, usedUp, growth, fresh).placements())
                .singleElement()
                .matches(Plan.Placement::grows);
        assertThat(decide(base, closed, growth, fresh).placements()).isEmpty();
    }

    private static Plan decide(Snapshot base, LanesNow lanes, WaitingJob... jobs) {
        QueueShares shares = new QueueShares(base.queues().queues(), lanes);
        return new GangAllocator()
                .decide(new Snapshot(1, base.names(), base.fleet(), shares, base.mix()), List.of(jobs), 0);
    }

    @Test
    void whoeverGrowsKeepsNobodyFromStartingInAStrictQueue() {
        queues.add("line strict");
        WaitingJob growth = growth("e gpus=4 pods=3 min=1 required=rack queue=line", Set.of());
        WaitingJob behind = TestJobs.of("next gpus=1 queue=line flavors=h100", 1, queues);

        Plan plan = decide(growth, behind);

        assertThat(plan.placements()).extracting(Plan.Placement::job).containsExactly(behind.job());
        assertThat(plan.reservations()).isEmpty();
    }
}
