package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.life.ReasonCode;
import dev.tutti.testkit.scenario.Invariants;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many pod sets that must be apart, in fleets that hold them if no set takes more parts than it must. */
class ApartScenariosTest {

    private static final int SETS = 16;

    /** 72 of 80 nodes are needed. */
    @Test
    void sixteenSetsApartByNode() {
        starts(nodes(80, n -> ""), sets(i -> " gpus=" + (1 + i % 4) + " pods=" + (4 + i) + apart(i, "hostname")));
    }

    /** And exactly as many as there are. */
    @Test
    void sixteenSetsApartByNodeWithNoNodeToSpare() {
        String job = sets(i -> " gpus=" + (1 + i % 4) + " pods=" + (4 + i) + apart(i, "hostname"));
        starts(nodes(72, n -> ""), job);
        assertThat(waits(nodes(71, n -> ""), job)).isEqualTo(ReasonCode.EXCEEDS_LIMIT);
    }

    /** Far more ways to give each set a flavor than are looked at. */
    @Test
    void setsThatWishForNoFlavor() {
        starts(
                nodes(90, n -> n < 10 ? " flavor=f" + n % 5 : " flavor=g"),
                sets(i -> " gpus=" + (1 + i % 4) + " pods=" + (4 + i) + apart(i, "hostname")));
    }

    @Test
    void sixteenSetsApartByRack() {
        starts(
                nodes(80, n -> " rack=r" + n / 4),
                sets(i -> " gpus=" + (1 + i % 4) + " pods=" + (2 + i % 7) + apart(i, "rack")));
    }

    @Test
    void setsApartByZone() {
        starts(
                nodes(80, n -> " zone=z" + n / 16 + " rack=r" + n / 4),
                IntStream.range(0, 5)
                        .mapToObj(i -> "s" + i + (i == 0 ? " required=cluster" : "") + " gpus=3 pods=" + (28 + i)
                                + apart(i, "zone"))
                        .collect(Collectors.joining(" + ")));
    }

    /** A set that may use any node leaves the labelled ones to those that may use no other. */
    @Test
    void setsThatMayUseSomeNodesOnly() {
        starts(
                nodes(80, n -> n % 2 == 0 ? " labels=p:x" : ""),
                sets(i -> " gpus=" + (1 + i % 4) + " pods=" + (4 + i) + (i % 2 == 0 ? " select=p:x" : "")
                        + apart(i, "hostname")));
    }

    /** Each pair shares a rack and the pairs share none. */
    @Test
    void pairsTogetherAndApart() {
        starts(
                nodes(64, n -> " rack=r" + n / 4 + " cpu=64"),
                IntStream.range(0, 8)
                        .mapToObj(i -> "s" + i + (i == 0 ? " required=cluster" : "") + " gpus=4 pods=" + (3 + i % 6)
                                + " cpu=16" + apart(i, "rack") + " + m" + i + " cpu=8 pods=6 together=s" + i + "@rack")
                        .collect(Collectors.joining(" + ")));
    }

    @Test
    void elasticSetsStartWithTheirMinimumAtLeast() {
        starts(
                nodes(72, n -> ""),
                sets(i -> " gpus=" + (1 + i % 4) + " pods=" + 4 * (4 + i) + " min=" + (4 + i) + apart(i, "hostname")));
    }

    @Test
    void sharesAndMigInstances() {
        starts(
                nodes(40, n -> n % 2 == 0 ? " flavor=a mig=a100-40gb" : " flavor=a mig=a100-40gb cut=1g.5gb@0"),
                IntStream.range(0, 12)
                        .mapToObj(i -> "s" + i + (i == 0 ? " required=cluster" : "")
                                + (i % 3 == 0 ? " mig=3g.20gb" : i % 3 == 1 ? " share=300" : " gpus=2") + " pods="
                                + (i % 3 == 0 ? 40 : i % 3 == 1 ? 60 : 13) + apart(i, "hostname"))
                        .collect(Collectors.joining(" + ")));
    }

    /** Eight nodes could hold all, or one set each; nobody says which of the sixteen sets is too much. */
    @Test
    void moreSetsThanNodesCanNeverBeApart() {
        assertThat(waits(nodes(15, n -> ""), sets(i -> " gpus=1" + apart(i, "hostname"))))
                .isEqualTo(ReasonCode.EXCEEDS_LIMIT);
    }

    private static void starts(List<String> fleet, String line) {
        TestQueues queues = new TestQueues();
        WaitingJob job = TestJobs.of(line, 0, queues);
        Plan plan = Invariants.check(
                new GangAllocator(),
                TestFleet.snapshot(fleet.stream().map(TestNode::of).toList(), queues.shares()),
                List.of(job));
        assertThat(plan.placements()).as(() -> plan.waits().toString()).hasSize(1);
    }

    private static ReasonCode waits(List<String> fleet, String line) {
        TestQueues queues = new TestQueues();
        WaitingJob job = TestJobs.of(line, 0, queues);
        Snapshot snapshot = TestFleet.snapshot(fleet.stream().map(TestNode::of).toList(), queues.shares());
        Plan plan = new GangAllocator().decide(snapshot, List.of(job), TestJobs.NOW_MICROS);
        return plan.waits().get(0).reason().code();
    }

    private static List<String> nodes(int count, IntFunction<String> more) {
        return IntStream.range(0, count)
                .mapToObj(n -> "n" + n + " gpus=8" + more.apply(n))
                .toList();
    }

    private static String sets(IntFunction<String> set) {
        return IntStream.range(0, SETS)
                .mapToObj(i -> "s" + i + (i == 0 ? " required=cluster" : "") + set.apply(i))
                .collect(Collectors.joining(" + "));
    }

    /** Apart from every set before it. */
    private static String apart(int set, String level) {
        return set == 0
                ? ""
                : IntStream.range(0, set)
                        .mapToObj(o -> "s" + o + "@" + level)
                        .collect(Collectors.joining(",", " apart=", ""));
    }
}
