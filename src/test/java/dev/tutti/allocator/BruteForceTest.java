package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.JobId;
import dev.tutti.model.fleet.MigProfile;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.testkit.scenario.GridPicture;
import dev.tutti.testkit.scenario.Invariants;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNics;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import dev.tutti.testkit.scenario.TestRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One gang on a small fleet, against every way there is: a placement exists if and only if the allocator finds one, in
 * the smallest domain; and where none exists the reason is the right one. {@code -Dtutti.cases=100000
 * -Dtutti.seed=7} for more and others.
 */
class BruteForceTest {

    private static final int CASES = Integer.getInteger("tutti.cases", 10_000);
    private static final long SEED = Long.getLong("tutti.seed", System.nanoTime() & 0xFFFFFF);

    @ParameterizedTest
    @EnumSource
    void findsWhatExistsInTheSmallestDomain(SmallCase.Kind kind) {
        Map<String, Integer> outcomes = new java.util.TreeMap<>();
        for (int i = 0; i < CASES; i++) {
            long seed = SEED * 1_000_000 + i;
            outcomes.merge(check(seed, kind), 1, Integer::sum);
        }
        System.out.println("=== brute force: " + kind + ", seed " + SEED + ", " + CASES + " cases, " + outcomes);
        assertThat(outcomes.keySet())
                .contains(
                        "placed",
                        "EXCEEDS_LIMIT",
                        "WAITING_FOR_CAPACITY",
                        "FRAGMENTED",
                        "TOPOLOGY",
                        "NO_MATCHING_FLAVOR");
    }

    private static String check(long seed, SmallCase.Kind kind) {
        SmallCase small = SmallCase.of(seed, kind);
        List<TestNode> nodes = small.fleet().stream().map(TestNode::of).toList();
        TestQueues queues = new TestQueues();
        Snapshot snapshot = TestFleet.snapshot(nodes, queues.shares());
        WaitingJob job = TestJobs.of(small.job(), 0, queues);
        Plan plan = new Plan(0, List.of(), List.of());
        try {
            plan = new GangAllocator().decide(snapshot, List.of(job), TestJobs.NOW_MICROS);
            Expected expected = new Expected(nodes, job);
            if (plan.placements().isEmpty()) {
                ReasonCode code = plan.waits().get(0).reason().code();
                if (code != ReasonCode.MISCONFIGURED || !namesUnknownLevel(snapshot, job)) {
                    assertThat(code).isEqualTo(expected.reason());
                }
                return code.name();
            }
            expected.check(plan.placements().get(0), snapshot);
            Invariants.check(new GangAllocator(), snapshot, List.of(job));
            return "placed";
        } catch (AssertionError | RuntimeException error) {
            String picture =
                    GridPicture.of(snapshot, plan, List.of(job), Map.<JobId, String>of(job.job(), small.job()));
            throw new AssertionError(
                    "seed " + seed + "\n" + String.join("\n", small.fleet()) + "\n" + small.job() + "\n" + picture
                            + error.getMessage(),
                    error);
        }
    }

    private static boolean namesUnknownLevel(Snapshot snapshot, WaitingJob job) {
        return namesUnknownLevel(snapshot, job.topology())
                || job.podSets().stream()
                        .anyMatch(set -> namesUnknownLevel(snapshot, set.topology())
                                || set.affinity().stream().anyMatch(one -> isUnknown(snapshot, one.level()))
                                || set.segment() != null
                                        && isUnknown(snapshot, set.segment().level()));
    }

    private static boolean namesUnknownLevel(Snapshot snapshot, TopologyWish wish) {
        return isUnknown(snapshot, wish.required()) || isUnknown(snapshot, wish.preferred());
    }

    private static boolean isUnknown(Snapshot snapshot, @Nullable String level) {
        return level != null
                && !level.equals("hostname")
                && !level.equals("cluster")
                && !snapshot.names().levels().contains(level);
    }

    /** What trying everything says of one job. */
    static final class Expected {
        private final List<TestNode> nodes;
        private final BruteForce now;
        final List<PodSet> sets;
        private final TopologyWish wish;
        private final int boundary;

        Expected(List<TestNode> nodes, WaitingJob job) {
            this(nodes, new BruteForce(nodes, false), job.podSets(), job.topology(), -1);
        }

        private Expected(List<TestNode> nodes, BruteForce now, List<PodSet> sets, TopologyWish wish, int boundary) {
            this.boundary = boundary < 0 ? now.zone() : boundary;
            this.nodes = nodes;
            this.now = now;
            this.sets = sets;
            this.wish = wish;
        }

        void check(Plan.Placement placement, Snapshot snapshot) {
            assertThat(exists(now, least(), widest())).as("a placement exists").isTrue();
            if (!Arrays.equals(least(), most()) || most().length == 1 && most()[0] == 1) {
                return;
            }
            List<String> flavors = sets.stream()
                    .map(set -> placement.members().stream()
                            .filter(pod -> pod.podSet().equals(set.name()))
                            .findFirst()
                            .orElseThrow()
                            .flavor())
                    .toList();
            Set<Integer> used = placement.members().stream()
                    .map(pod -> Arrays.binarySearch(
                            snapshot.fleet().nodeId(), pod.node().value()))
                    .collect(Collectors.toSet());
            isSmallest(flavors, used);
        }

        /** The first round of flavors with a placement, in it the narrowest depth, in it the least whole GPUs free. */
        private void isSmallest(List<String> flavors, Set<Integer> used) {
            for (List<List<String>> round : rounds()) {
                for (int depth = narrowest(); depth >= widest(); depth--) {
                    long best = smallest(round, depth);
                    if (best >= 0) {
                        assertThat(round)
                                .as("flavors of the first round that has a placement")
                                .contains(flavors);
                        assertThat(sizeOfDomainAround(used, flavors, depth))
                                .as("whole GPUs free at depth " + depth)
                                .isEqualTo(best);
                        return;
                    }
                }
            }
        }

        private long smallest(List<List<String>> round, int depth) {
            long best = -1;
            for (List<String> flavors : round) {
                for (List<Integer> domain : now.domains(depth)) {
                    if (now.holds(sets, least(), flavors, domain, unasked())) {
                        long size = now.wholeFree(domain, flavors);
                        best = best < 0 ? size : Math.min(best, size);
                    }
                }
            }
            return best;
        }

        private long sizeOfDomainAround(Set<Integer> used, List<String> flavors, int depth) {
            return now.domains(depth).stream()
                    .filter(domain -> new HashSet<>(domain).containsAll(used))
                    .mapToLong(domain -> now.wholeFree(domain, flavors))
                    .findFirst()
                    .orElse(-1);
        }

        ReasonCode reason() {
            assertThat(exists(now, least(), widest())).as("a placement exists").isFalse();
            if (rounds().isEmpty()) {
                return ReasonCode.NO_MATCHING_FLAVOR;
            }
            if (!exists(new BruteForce(nodes, true), least(), widest())) {
                return ReasonCode.EXCEEDS_LIMIT;
            }
            if (lessIsFree()) {
                return ReasonCode.WAITING_FOR_CAPACITY;
            }
            return withoutWishes().exists(now, least(), 0) ? ReasonCode.TOPOLOGY : ReasonCode.FRAGMENTED;
        }

        Expected withoutWishes() {
            return new Expected(
                    nodes,
                    now,
                    sets.stream()
                            .map(set -> alone(set, set.count(), set.minCount()))
                            .toList(),
                    TopologyWish.NONE,
                    0);
        }

        private static PodSet alone(PodSet set, int count, int minCount) {
            return new PodSet(
                    set.name(),
                    count,
                    minCount,
                    set.gpus(),
                    set.flavors(),
                    set.cpuMilli(),
                    set.memoryMib(),
                    set.template(),
                    TopologyWish.NONE,
                    null,
                    set.nodes(),
                    List.of(),
                    set.nics());
        }

        private boolean lessIsFree() {
            boolean less = lessIsFree(IntStream.range(0, sets.size()).boxed().toList());
            for (int s = 0; s < sets.size(); s++) {
                less |= lessIsFree(List.of(s));
            }
            return less;
        }

        private boolean lessIsFree(List<Integer> some) {
            long[][] sums = sums(some);
            return IntStream.range(0, 5).anyMatch(r -> sums[0][r] > sums[1][r]);
        }

        /** What these sets want and what is free for them: milli-GPU, CPU, memory, pods, NICs. */
        long[][] sums(List<Integer> some) {
            long[] wanted = new long[5];
            some.forEach(s -> {
                wanted[0] += least()[s] * leastMilli(sets.get(s));
                wanted[1] += least()[s] * sets.get(s).cpuMilli();
                wanted[2] += least()[s] * sets.get(s).memoryMib();
                wanted[3] += least()[s];
                wanted[4] += least()[s] * sets.get(s).nics().nics();
            });
            long[] free = new long[5];
            for (TestNode node : nodes) {
                boolean counts = some.stream()
                        .anyMatch(s -> TestRules.mayUse(sets.get(s).nodes(), node.traits())
                                && flavorsOf(sets.get(s)).stream()
                                        .anyMatch(flavors -> flavors.contains(node.flavor())));
                if (node.open() && counts) {
                    free[0] += node.used().stream()
                            .mapToInt(used -> Math.max(0, 1_000 - used))
                            .sum();
                    free[1] += Math.max(0, node.cpuMilli() - node.cpuUsed());
                    free[2] += Math.max(0, node.memoryMib() - node.memoryUsed());
                    free[3] += node.pods();
                    free[4] += node.nics().stream()
                            .filter(nics -> some.stream()
                                    .anyMatch(s -> isAsked(sets.get(s).nics(), nics)))
                            .mapToInt(TestNics::free)
                            .sum();
                }
            }
            return new long[][] {wanted, free};
        }

        private static boolean isAsked(NicRequest wanted, TestNics nics) {
            return wanted.nics() > 0
                    && (wanted.resource().isEmpty() || wanted.resource().equals(nics.resource()));
        }

        /** A MIG instance takes more of some GPUs than of others. */
        long leastMilli(PodSet set) {
            if (!(set.gpus() instanceof GpuRequest.Mig mig)) {
                return set.gpus().milli();
            }
            return nodes.stream()
                    .filter(node -> flavorsOf(set).stream().anyMatch(round -> round.contains(node.flavor())))
                    .map(node -> BruteForce.profile(node, mig.profile()))
                    .filter(Objects::nonNull)
                    .mapToLong(MigProfile::milli)
                    .min()
                    .orElseThrow();
        }

        boolean exists(BruteForce force, int[] pods, int depth) {
            return exists(force, sets, pods, depth);
        }

        /** The same for other pods, on the flavors of these. */
        boolean exists(BruteForce force, List<PodSet> others, int[] pods, int depth) {
            return rounds().stream()
                    .flatMap(List::stream)
                    .anyMatch(flavors -> force.domains(depth).stream()
                            .anyMatch(domain -> force.holds(others, pods, flavors, domain, unasked())));
        }

        /** Rounds of flavor choices, as documented: the first set's wish weighs most. */
        private List<List<List<String>>> rounds() {
            List<List<List<String>>> rounds = List.of(List.of(List.of()));
            for (PodSet set : sets) {
                List<List<List<String>>> longer = new ArrayList<>();
                for (List<List<String>> round : rounds) {
                    for (List<String> equals : flavorsOf(set)) {
                        longer.add(round.stream()
                                .flatMap(choice -> equals.stream().map(flavor -> append(choice, flavor)))
                                .toList());
                    }
                }
                rounds = longer;
            }
            return rounds;
        }

        private static List<String> append(List<String> choice, String flavor) {
            List<String> longer = new ArrayList<>(choice);
            longer.add(flavor);
            return longer;
        }

        List<List<String>> flavorsOf(PodSet set) {
            List<String> gpuFlavors = nodes.stream()
                    .filter(node -> !node.used().isEmpty())
                    .map(TestNode::flavor)
                    .distinct()
                    .toList();
            List<String> asked = nodes.stream()
                    .filter(node -> TestRules.mayUse(set.nodes(), node.traits()))
                    .filter(node -> set.gpus().devices() == 0 || !node.used().isEmpty())
                    .filter(node -> !(set.gpus() instanceof GpuRequest.Mig mig)
                            || BruteForce.profile(node, mig.profile()) != null)
                    .map(TestNode::flavor)
                    .filter(flavor -> set.flavors().isEmpty() || set.flavors().contains(flavor))
                    .distinct()
                    .toList();
            List<String> holding =
                    asked.stream().filter(flavor -> holdsOne(flavor, set)).toList();
            List<String> eligible = holding.isEmpty() ? asked : holding;
            List<String> withGpus =
                    eligible.stream().filter(gpuFlavors::contains).toList();
            List<String> without = eligible.stream()
                    .filter(flavor -> !gpuFlavors.contains(flavor))
                    .toList();
            if (!set.flavors().isEmpty()) {
                return set.flavors().stream()
                        .filter(f -> withGpus.contains(f) || set.gpus().devices() == 0 && without.contains(f))
                        .map(List::of)
                        .toList();
            }
            List<List<String>> any = set.gpus().devices() == 0 ? List.of(without, withGpus) : List.of(withGpus);
            return any.stream().filter(flavors -> !flavors.isEmpty()).toList();
        }

        /** Whether one pod fits on an empty node of the flavor. */
        private boolean holdsOne(String flavor, PodSet set) {
            BruteForce empty = new BruteForce(nodes, true);
            return IntStream.range(0, nodes.size())
                    .anyMatch(
                            n -> empty.holds(List.of(alone(set, 1, 1)), new int[] {1}, List.of(flavor), List.of(n), 0));
        }

        int[] least() {
            return sets.stream().mapToInt(PodSet::minCount).toArray();
        }

        private int[] most() {
            return sets.stream().mapToInt(PodSet::count).toArray();
        }

        int widest() {
            int required = depth(TopologyWish::required);
            if (required >= 0) {
                return required;
            }
            return sets.stream()
                    .map(set -> set.topology().required())
                    .filter(Objects::nonNull)
                    .mapToInt(now::depth)
                    .reduce(boundary, Math::min);
        }

        /** Depth of the domain of a set that requires nothing, where the job requires nothing either. */
        private int unasked() {
            return wish.required() == null && sets.size() > 1 ? boundary : 0;
        }

        private int narrowest() {
            int preferred = depth(TopologyWish::preferred);
            if (preferred >= widest()) {
                return preferred;
            }
            return depth(TopologyWish::required) > 0 ? now.depth("hostname") : Math.max(widest(), implied());
        }

        /** The depth wished for all pods; what the only set wishes it wishes for all. -1 for none. */
        private int depth(Function<TopologyWish, @Nullable String> part) {
            String ofJob = part.apply(wish);
            String ofSet = sets.size() == 1 ? part.apply(sets.get(0).topology()) : null;
            return Math.max(ofJob == null ? -1 : now.depth(ofJob), ofSet == null ? -1 : now.depth(ofSet));
        }

        /** Without a wish: pods that take whole nodes stay near, because that costs nothing. */
        private int implied() {
            boolean wholeNodes = sets.stream()
                    .allMatch(set -> set.gpus() instanceof GpuRequest.Whole
                            && flavorsOf(set).stream()
                                    .flatMap(List::stream)
                                    .flatMap(flavor -> nodes.stream()
                                            .filter(node -> node.flavor().equals(flavor)))
                                    .allMatch(node ->
                                            node.used().size() <= set.gpus().devices()));
            return wholeNodes ? now.depth("hostname") - 1 : 0;
        }
    }
}
