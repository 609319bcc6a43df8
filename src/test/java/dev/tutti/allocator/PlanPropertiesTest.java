package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.testkit.scenario.GridPicture;
import dev.tutti.testkit.scenario.Invariants;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** What holds of the plan for many jobs on a random fleet; a failing case shrinks to a small one. */
class PlanPropertiesTest {

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void everyPlanKeepsTheInvariants(@ForAll("fleets") List<String> fleet, @ForAll("jobs") List<String> jobs) {
        Case small = Case.of(fleet, jobs);
        Plan plan = new GangAllocator().decide(small.snapshot, small.jobs, TestJobs.NOW_MICROS);
        try {
            Invariants.check(new GangAllocator(), small.snapshot, small.jobs);
        } catch (AssertionError error) {
            throw new AssertionError(
                    GridPicture.of(small.snapshot, plan, small.jobs, small.names) + error.getMessage(), error);
        }
    }

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void theOrderOfNodesDecidesNothing(
            @ForAll("fleets") List<String> fleet, @ForAll("jobs") List<String> jobs, @ForAll long seed) {
        List<String> shuffled = new ArrayList<>(fleet);
        Collections.shuffle(shuffled, new Random(seed));
        assertThat(Case.of(shuffled, jobs).outcomes())
                .isEqualTo(Case.of(fleet, jobs).outcomes());
    }

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void whatIsPlacedCouldEverRun(@ForAll("fleets") List<String> fleet, @ForAll("jobs") List<String> jobs) {
        Case small = Case.of(fleet, jobs);
        Plan plan = new GangAllocator().decide(small.snapshot, small.jobs, TestJobs.NOW_MICROS);
        Feasibility feasibility = Feasibility.of(small.snapshot);
        for (Plan.Placement placement : plan.placements()) {
            WaitingJob job = small.jobs.stream()
                    .filter(j -> j.job().equals(placement.job()))
                    .findFirst()
                    .orElseThrow();
            assertThat(feasibility.whyNever(job.queue(), job.lane(), job.podSets(), job.topology()))
                    .isEmpty();
        }
    }

    @Provide
    Arbitrary<List<String>> fleets() {
        Arbitrary<String> gpus = Combinators.combine(
                        Arbitraries.integers().between(0, 8),
                        Arbitraries.integers().between(0, 4),
                        Arbitraries.of("", " shares=300", " shares=500,200", " sick=1"),
                        Arbitraries.of(
                                "",
                                " islands=4,4",
                                " islands=2,2,2,2",
                                " mig=a100-80gb",
                                " mig=a100-80gb cut=1g.10gb@0/1g.20gb@4"))
                .as((count, used, more, islands) -> count < 6
                        ? " gpus=" + count + (used <= count ? " used=" + used : "")
                        : " gpus=8 used=" + used + more + islands);
        Arbitrary<String> node = Combinators.combine(
                        gpus,
                        Arbitraries.of(
                                "", " flavor=a", " flavor=b", " flavor=a labels=p:x", " labels=p:x", " taints=t:1"),
                        Arbitraries.of(
                                "",
                                " rack=r1",
                                " block=b1 rack=r1",
                                " block=b1 rack=r2",
                                " block=b2 rack=r1",
                                " zone=z1 rack=r1",
                                " zone=z1 block=b1 rack=r2",
                                " zone=z2 rack=r1"),
                        Arbitraries.integers().between(1, 16),
                        Arbitraries.of("", " closed", " cpuUsed=6", " slots=2", " cluster=west"))
                .as((devices, flavor, place, cpu, more) -> devices + flavor + place + " cpu=" + cpu + more);
        return node.list().ofMinSize(1).ofMaxSize(9).map(PlanPropertiesTest::numbered);
    }

    @Provide
    Arbitrary<List<String>> jobs() {
        Arbitrary<String> set = Combinators.combine(
                        Arbitraries.of(
                                "",
                                " gpus=1",
                                " gpus=2",
                                " gpus=4",
                                " gpus=8",
                                " share=200",
                                " mig=1g.10gb",
                                " mig=3g.40gb",
                                " share=500",
                                " share=810"),
                        Arbitraries.integers().between(1, 6),
                        Arbitraries.integers().between(1, 6),
                        Arbitraries.of("", " cpu=1", " cpu=3"),
                        Arbitraries.of("", " flavors=a", " flavors=b,a", " select=p:x", " tolerate=t", " tolerate=*"),
                        Arbitraries.of("", "", "", " own=rack", " own=cluster", " ownPreferred=rack"),
                        Arbitraries.of(1, 1, 1, 2, 3),
                        Arbitraries.of(
                                "", "", "", " together=OTHER@rack", " apart=OTHER@rack", " apart=OTHER@hostname"))
                .as((gpus, pods, min, cpu, flavors, own, segment, affinity) -> gpus
                        + " pods=" + pods * segment
                        + " min=" + Math.min(pods, min) * segment
                        + cpu + flavors + own + affinity
                        + (segment == 1 ? "" : " segment=" + segment + "@rack"));
        Arbitrary<String> job = Combinators.combine(
                        set,
                        set.list().ofMaxSize(2),
                        Arbitraries.of(
                                "", " required=rack", " required=block", " required=hostname", " required=cluster"),
                        Arbitraries.of("", " preferred=rack", " preferred=hostname"),
                        Arbitraries.of(
                                "",
                                " queue=small/other",
                                " queue=small/leaf",
                                " queue=small/leaf lane=red",
                                " queue=free lane=green",
                                " lane=green",
                                " priority=3",
                                " backoff=9"))
                .as((first, others, required, preferred, more) -> {
                    StringBuilder line = new StringBuilder(
                            towards(first, others.isEmpty() ? null : "x0") + required + preferred + more);
                    for (int i = 0; i < others.size(); i++) {
                        String other = i > 0 ? "x" + (i - 1) : others.size() > 1 ? "x1" : null;
                        line.append(" + x").append(i).append(towards(others.get(i), other));
                    }
                    return line.toString();
                });
        return job.list().ofMinSize(1).ofMaxSize(12);
    }

    private static String towards(String set, @Nullable String other) {
        return other == null ? set.replaceAll(" \\w+=OTHER@\\w+", "") : set.replace("OTHER", other);
    }

    private static List<String> numbered(List<String> lines) {
        List<String> numbered = new ArrayList<>();
        for (String line : lines) {
            numbered.add("n" + numbered.size() + line);
        }
        return numbered;
    }

    /** Text made into values. */
    private record Case(Snapshot snapshot, List<WaitingJob> jobs, Map<dev.tutti.model.JobId, String> names) {

        static Case of(List<String> fleet, List<String> lines) {
            TestQueues queues = new TestQueues();
            queues.add("small quota=a:6000,b:3000,gpu:4000");
            queues.add("small/leaf quota=a:2500 borrows=a:1000 cpu=gpu:3 memory=b:2");
            queues.add("small/other cpu=gpu:2");
            queues.add("beside quota=a:2000,gpu:2000 lends=a:500");
            queues.add("free");
            List<TestNode> nodes = fleet.stream().map(TestNode::of).toList();
            List<WaitingJob> jobs = new ArrayList<>();
            Map<dev.tutti.model.JobId, String> names = new HashMap<>();
            for (String line : lines) {
                WaitingJob job = TestJobs.of("j" + jobs.size() + line, jobs.size(), queues);
                names.put(job.job(), "j" + jobs.size() + line);
                jobs.add(job);
            }
            return new Case(TestFleet.snapshot(nodes, queues.shares()), jobs, names);
        }

        /** The plan by names. */
        List<String> outcomes() {
            Plan plan = new GangAllocator().decide(snapshot, jobs, TestJobs.NOW_MICROS);
            List<String> outcomes = new ArrayList<>();
            plan.placements()
                    .forEach(placement -> outcomes.add(names.get(placement.job()) + " -> "
                            + placement.members().stream()
                                    .map(pod -> snapshot.names()
                                            .nodes()
                                            .get((int) pod.node().value() - 1))
                                    .collect(Collectors.joining(" "))));
            plan.waits().forEach(wait -> outcomes.add(names.get(wait.job()) + " waits " + wait.reason()));
            return outcomes;
        }
    }
}
