package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.BruteForceTest.Expected;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNics;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import dev.tutti.testkit.scenario.TestRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The numbers and the resource of a reason, against counting and against every way there is. {@code -Dtutti.cases=100000
 * -Dtutti.seed=7} for more and others.
 */
class VerdictNumbersTest {

    private static final int CASES = Integer.getInteger("tutti.cases", 5_000);
    private static final long SEED = Long.getLong("tutti.seed", System.nanoTime() & 0xFFFFFF);
    private static final List<String> ALONE = List.of("rdma", "gpuMilli", "cpuMilli", "memoryMib");

    @ParameterizedTest
    @EnumSource
    void areTrue(SmallCase.Kind kind) {
        Map<String, Integer> seen = new TreeMap<>();
        for (int i = 0; i < CASES; i++) {
            seen.merge(check(SEED * 1_000_000 + i, kind), 1, Integer::sum);
        }
        System.out.println("=== verdicts: " + kind + ", seed " + SEED + ", " + CASES + " cases, " + seen);
        assertThat(seen.keySet()).contains("EXCEEDS_LIMIT gang", "WAITING_FOR_CAPACITY", "FRAGMENTED", "TOPOLOGY gang");
    }

    private static String check(long seed, SmallCase.Kind kind) {
        SmallCase small = SmallCase.of(seed, kind);
        List<TestNode> nodes = small.fleet().stream().map(TestNode::of).toList();
        TestQueues queues = new TestQueues();
        WaitingJob job = TestJobs.of(small.job(), 0, queues);
        Snapshot snapshot = TestFleet.snapshot(nodes, queues.shares());
        Plan plan = new GangAllocator().decide(snapshot, List.of(job), TestJobs.NOW_MICROS);
        if (plan.waits().isEmpty() || plan.waits().get(0).reason().resource() == null) {
            return "no numbers";
        }
        Reason reason = plan.waits().get(0).reason();
        try {
            return check(reason, new Expected(nodes, withoutBonds(small, queues)), nodes, job);
        } catch (AssertionError error) {
            throw new AssertionError(
                    "seed " + seed + "\n" + String.join("\n", small.fleet()) + "\n" + small.job() + "\n" + reason + "\n"
                            + error.getMessage(),
                    error);
        }
    }

    /** Bonds have verdicts of their own, without numbers. */
    private static WaitingJob withoutBonds(SmallCase small, TestQueues queues) {
        return TestJobs.of(small.job().replaceAll(" (together|apart)=\\S+", ""), 0, queues);
    }

    private static String check(Reason reason, Expected expected, List<TestNode> nodes, WaitingJob job) {
        String code = reason.code().name();
        if (reason.resource().equals("domains")) {
            assertThat(reason.wanted()).isGreaterThan(reason.available());
            return code + " apart";
        }
        if (reason.detail().startsWith("One pod of ") || reason.detail().startsWith("No node has ")) {
            onePod(reason, expected, nodes);
            return code + " pod";
        }
        if (reason.code() == ReasonCode.WAITING_FOR_CAPACITY) {
            assertThat(reason.wanted()).isGreaterThan(reason.available());
            assertThat(sums(reason.resource(), expected, job)).contains(List.of(reason.wanted(), reason.available()));
            return code;
        }
        if (reason.code() == ReasonCode.FRAGMENTED && !reason.detail().contains("room for")) {
            assertThat(reason.wanted()).isLessThanOrEqualTo(reason.available());
            assertThat(sums(reason.resource(), expected, job)).contains(List.of(reason.wanted(), reason.available()));
            return code;
        }
        BruteForce force = new BruteForce(nodes, reason.code() == ReasonCode.EXCEEDS_LIMIT);
        Expected anywhere = expected.withoutWishes();
        boolean isTooFar = anywhere.exists(force, anywhere.least(), 0);
        gang(reason, isTooFar ? expected : anywhere, force, isTooFar ? expected.widest() : 0);
        return code + " gang";
    }

    /** Wanted and free, of each set alone and of all together. */
    private static List<List<Long>> sums(String resource, Expected expected, WaitingJob job) {
        int at = List.of("gpuMilli", "cpuMilli", "memoryMib", "pods", "rdma").indexOf(resource);
        List<Integer> all = IntStream.range(0, job.podSets().size()).boxed().toList();
        return Stream.concat(all.stream().map(List::of), Stream.of(all))
                .map(expected::sums)
                .map(sums -> List.of(sums[0][at], sums[1][at]))
                .toList();
    }

    /** Of what is too much for a pod of some set, no node has more that has all before it. */
    private static void onePod(Reason reason, Expected expected, List<TestNode> nodes) {
        assertThat(reason.wanted()).isGreaterThan(reason.available());
        List<String> order = List.of("gpuMilli", "cpuMilli", "memoryMib", "rdma", "pods");
        List<String> before = order.subList(0, order.indexOf(reason.resource()));
        assertThat(expected.sets).anyMatch(set -> {
            long most = nodes.stream()
                    .filter(node -> expected.flavorsOf(set).stream().anyMatch(round -> round.contains(node.flavor())))
                    .filter(node -> TestRules.mayUse(set.nodes(), node.traits()))
                    .filter(node ->
                            before.stream().allMatch(each -> has(node, each, set) >= ofOne(each, expected, set)))
                    .mapToLong(node -> has(node, reason.resource(), set))
                    .max()
                    .orElse(0);
            return reason.wanted() == ofOne(reason.resource(), expected, set) && reason.available() == most;
        });
    }

    private static long has(TestNode node, String resource, PodSet set) {
        return switch (resource) {
            case "gpuMilli" -> 1_000L * node.used().size();
            case "cpuMilli" -> node.cpuMilli();
            case "memoryMib" -> node.memoryMib();
            case "rdma" ->
                node.nics().stream()
                        .filter(nics -> set.nics().resource().isEmpty()
                                || set.nics().resource().equals(nics.resource()))
                        .collect(Collectors.groupingBy(TestNics::resource, Collectors.summingInt(TestNics::count)))
                        .values()
                        .stream()
                        .mapToInt(count -> count)
                        .max()
                        .orElse(0);
            default -> node.pods();
        };
    }

    private static void gang(Reason reason, Expected scope, BruteForce force, int depth) {
        List<PodSet> sets = scope.sets;
        assertThat(reason.wanted()).as("wanted of a part").isGreaterThan(reason.available());
        assertThat(reason.wanted()).as("wanted").isEqualTo(amount(reason.resource(), scope, sets, scope.least()));
        List<int[]> parts = parts(scope.least(), sets);
        if (sets.size() > 1) {
            assertThat(parts)
                    .as("there is room for so much")
                    .anyMatch(part -> amount(reason.resource(), scope, sets, part) == reason.available()
                            && scope.exists(force, part, depth));
            return;
        }
        int[] largest = parts.stream()
                .filter(part -> scope.exists(force, part, depth))
                .reduce((a, b) -> b)
                .orElseThrow();
        assertThat(reason.available())
                .as("the largest part that fits")
                .isEqualTo(amount(reason.resource(), scope, sets, largest));
        String named = reason.resource().equals("mig") ? "gpuMilli" : reason.resource();
        List<String> decisive = ALONE.stream()
                .filter(each -> amount(each, scope, sets, scope.least()) > 0)
                .filter(each -> scope.exists(force, List.of(without(sets.get(0), each)), scope.least(), depth))
                .toList();
        if (!decisive.isEmpty()) {
            assertThat(named).as("what is in the way alone").isEqualTo(decisive.get(0));
        }
    }

    private static long amount(String resource, Expected scope, List<PodSet> sets, int[] pods) {
        long amount = 0;
        for (int s = 0; s < pods.length; s++) {
            amount += pods[s] * ofOne(resource, scope, sets.get(s));
        }
        return amount;
    }

    private static long ofOne(String resource, Expected scope, PodSet set) {
        return switch (resource) {
            case "gpuMilli" -> scope.leastMilli(set);
            case "cpuMilli" -> set.cpuMilli();
            case "memoryMib" -> set.memoryMib();
            case "rdma" -> set.nics().nics();
            case "mig" -> set.gpus() instanceof GpuRequest.Mig ? 1 : 0;
            default -> 1;
        };
    }

    /** Every part of the gang in whole segments, the smallest first. */
    private static List<int[]> parts(int[] least, List<PodSet> sets) {
        List<int[]> parts = new ArrayList<>(List.of(new int[least.length]));
        for (int s = 0; s < least.length; s++) {
            int step = sets.get(s).segment() == null ? 1 : sets.get(s).segment().pods();
            for (int[] part : List.copyOf(parts)) {
                for (int pods = step; pods <= least[s]; pods += step) {
                    int[] more = part.clone();
                    more[s] = pods;
                    parts.add(more);
                }
            }
        }
        return parts;
    }

    private static PodSet without(PodSet set, String resource) {
        return new PodSet(
                set.name(),
                set.count(),
                set.minCount(),
                resource.equals("gpuMilli") ? new GpuRequest.None() : set.gpus(),
                set.flavors(),
                resource.equals("cpuMilli") ? 0 : set.cpuMilli(),
                resource.equals("memoryMib") ? 0 : set.memoryMib(),
                set.template(),
                set.topology(),
                set.segment(),
                set.nodes(),
                set.affinity(),
                resource.equals("rdma") ? NicRequest.NONE : set.nics());
    }
}
