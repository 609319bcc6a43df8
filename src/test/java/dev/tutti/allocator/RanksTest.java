package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.testkit.scenario.GridPicture;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Neighbours in rank are neighbours in the network. A gang on {@code n} domains of a level has at least {@code n - 1} pairs
 * of neighbours in rank that cross it; it must have no more, at every level at once, and {@code n} itself must be the least
 * there is.
 */
class RanksTest {

    private static final int GANGS = 2_000;
    private static final long SEED = Long.getLong("tutti.seed", System.nanoTime() & 0xFFFFFF);

    @Test
    void noPairOfNeighboursCrossesADomainThatItNeedNot() {
        int placed = 0;
        int pairs = 0;
        int crossing = 0;
        for (int i = 0; i < GANGS; i++) {
            Random random = new Random(SEED * 100_000 + i);
            List<TestNode> nodes = fleet(random);
            int segment = random.nextInt(3) == 0 ? 2 : 1;
            int pods = segment * (2 + random.nextInt(11));
            String job = "train gpus=2 pods=" + pods + " preferred=rack"
                    + (segment == 1 ? "" : " segment=" + segment + "@rack");
            Snapshot snapshot = TestFleet.snapshot(nodes, new TestQueues().shares());
            List<WaitingJob> jobs = List.of(TestJobs.of(job, 0, new TestQueues()));
            Plan plan = new GangAllocator().decide(snapshot, jobs, TestJobs.NOW_MICROS);
            if (!plan.placements().isEmpty()) {
                int[] inRankOrder = nodesOf(plan, snapshot);
                placed++;
                pairs += pods - 1;
                crossing += racksCrossed(
                        "seed " + SEED + " gang " + i + "\n"
                                + GridPicture.of(
                                        snapshot, plan, jobs, Map.of(jobs.get(0).job(), job)),
                        nodes,
                        inRankOrder,
                        segment);
            }
        }
        System.out.println("=== ranks: seed " + SEED + ", " + placed + " gangs, " + crossing + " of " + pairs
                + " neighbours in rank are in different racks, the least possible");
        assertThat(placed).isGreaterThan(GANGS / 3);
        assertThat(crossing).isGreaterThan(placed / 2);
    }

    private static int racksCrossed(String picture, List<TestNode> nodes, int[] inRankOrder, int segment) {
        for (List<String> levels :
                List.of(List.of("zone"), List.of("zone", "block"), List.of("zone", "block", "rack"), List.of("node"))) {
            List<String> domains = IntStream.of(inRankOrder)
                    .mapToObj(n -> domain(nodes, n, levels))
                    .toList();
            long distinct = domains.stream().distinct().count();
            assertThat(crossings(domains)).as(levels + "\n" + picture).isEqualTo((int) distinct - 1);
        }
        List<String> racks = IntStream.of(inRankOrder)
                .mapToObj(n -> domain(nodes, n, List.of("zone", "block", "rack")))
                .toList();
        String block = domain(nodes, inRankOrder[0], List.of("zone", "block"));
        boolean oneBlock = IntStream.of(inRankOrder)
                .allMatch(n -> domain(nodes, n, List.of("zone", "block")).equals(block));
        if (oneBlock) {
            assertThat(racks.stream().distinct().count())
                    .as("racks\n" + picture)
                    .isEqualTo(fewestRacks(nodes, block, inRankOrder.length, segment));
        }
        return crossings(racks);
    }

    private static int crossings(List<String> domains) {
        return (int) IntStream.range(1, domains.size())
                .filter(rank -> !domains.get(rank).equals(domains.get(rank - 1)))
                .count();
    }

    /** The largest racks of the block first. */
    private static int fewestRacks(List<TestNode> nodes, String block, int pods, int segment) {
        Map<String, Integer> holds = new HashMap<>();
        for (int n = 0; n < nodes.size(); n++) {
            if (domain(nodes, n, List.of("zone", "block")).equals(block)) {
                int free = (int)
                        nodes.get(n).used().stream().filter(used -> used == 0).count();
                holds.merge(domain(nodes, n, List.of("zone", "block", "rack")), free / 2, Integer::sum);
            }
        }
        List<Integer> sorted = holds.values().stream()
                .map(held -> held / segment * segment)
                .sorted(Comparator.reverseOrder())
                .toList();
        int racks = 0;
        for (int left = pods; left > 0; left -= sorted.get(racks++)) {
            assertThat(racks).isLessThan(sorted.size());
        }
        return racks;
    }

    private static String domain(List<TestNode> nodes, int n, List<String> levels) {
        StringBuilder path = new StringBuilder();
        for (String level : levels) {
            path.append('/')
                    .append(level.equals("node") ? n : nodes.get(n).domains().get(level));
        }
        return path.toString();
    }

    private static int[] nodesOf(Plan plan, Snapshot snapshot) {
        return plan.placements().get(0).members().stream()
                .sorted(Comparator.comparingInt(Plan.PodPlacement::rank))
                .mapToInt(pod -> Arrays.binarySearch(
                        snapshot.fleet().nodeId(), pod.node().value()))
                .toArray();
    }

    /** Nodes in mixed order, so that no order of rows helps. */
    private static List<TestNode> fleet(Random random) {
        List<TestNode> nodes = new ArrayList<>();
        int size = 4 + random.nextInt(12);
        for (int n = 0; n < size; n++) {
            nodes.add(TestNode.of("n" + random.nextInt(1_000_000) + " zone=z" + random.nextInt(2) + " block=b"
                    + random.nextInt(2) + " rack=r" + random.nextInt(3) + " gpus=8 used=" + random.nextInt(8)));
        }
        return nodes;
    }
}
