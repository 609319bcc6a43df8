package dev.tutti.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Allocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.fleet.FleetNics;
import dev.tutti.model.QueueId;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.MigLayout;
import dev.tutti.model.fleet.MigLayouts;
import dev.tutti.model.fleet.MigProfile;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.SetAffinity;
import dev.tutti.model.job.TopologySegment;
import dev.tutti.model.life.Reason;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Use;
import dev.tutti.testkit.QuotaOracle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What holds of every plan, whatever the fleet and the jobs. */
public final class Invariants {

    private Invariants() {}

    /** Checks the plan that {@code allocator} makes of this state; returns it. */
    public static Plan check(Allocator allocator, Snapshot snapshot, List<WaitingJob> jobs) {
        Plan plan = allocator.decide(snapshot, jobs, TestJobs.NOW_MICROS);
        nothingIsTakenTwice(snapshot, AppliedPlan.apply(snapshot, plan, jobs));
        for (Plan.Placement placement : plan.placements()) {
            WaitingJob job = find(jobs, placement);
            gangIsWhole(job, placement);
            membersAreWhatWasAsked(snapshot, job, placement);
            wishIsKept(snapshot, job, placement);
        }
        everyJobIsAnswered(jobs, plan);
        orderOfJobsIsNothing(allocator, snapshot, jobs, plan);
        nothingIsLeftToPlace(allocator, snapshot, jobs, plan);
        return plan;
    }

    private static void nothingIsTakenTwice(Snapshot before, Snapshot after) {
        for (int free : after.fleet().deviceFreeMilli()) {
            assertThat(free).as("milli-GPU left of a device").isBetween(0, 1_000);
        }
        for (int d = 0; d < after.fleet().devices(); d++) {
            int units = after.fleet().deviceUnits()[d];
            if (units != 0) {
                assertThat(after.fleet().deviceFreeMilli()[d])
                        .as("a device that is cut serves MIG instances alone")
                        .isEqualTo(1_000 - Integer.bitCount(units) * MigLayout.UNIT_MILLI);
            }
        }
        for (int free : after.fleet().nics().free()) {
            assertThat(free).as("NICs left of a group").isGreaterThanOrEqualTo(0);
        }
        for (int n = 0; n < after.fleet().nodes(); n++) {
            String node = after.names().nodes().get(n);
            grewOnlyInto(before.fleet().cpuFreeMilli()[n], after.fleet().cpuFreeMilli()[n], "CPU of " + node);
            grewOnlyInto(before.fleet().memoryFreeMib()[n], after.fleet().memoryFreeMib()[n], "memory of " + node);
            grewOnlyInto(before.fleet().podsFree()[n], after.fleet().podsFree()[n], "pods of " + node);
        }
        for (QuotaResource resource : QuotaResource.values()) {
            after.names()
                    .flavors()
                    .forEach(flavor -> quotaIsKept(before.queues(), after.queues(), new QuotaKey(flavor, resource)));
        }
    }

    private static void grewOnlyInto(long before, long after, String what) {
        assertThat(after == before || after >= 0)
                .as(what + ": " + before + " -> " + after)
                .isTrue();
    }

    private static void quotaIsKept(QueueShares before, QueueShares after, QuotaKey key) {
        assertThat(oracle(after, key).brokenSince(oracle(before, key)))
                .as("quotas of " + key)
                .isEmpty();
    }

    private static QuotaOracle oracle(QueueShares queues, QuotaKey key) {
        Map<String, Quota> quotas = new HashMap<>();
        Map<String, Use> use = new HashMap<>();
        queues.queues().forEach((id, share) -> {
            Quota quota = share.quotas().get(key);
            if (quota != null) {
                quotas.put(path(queues, id), quota);
            }
            use.put(path(queues, id), share.used().getOrDefault(key, Use.NONE));
        });
        return new QuotaOracle(List.copyOf(use.keySet()), quotas, use);
    }

    private static String path(QueueShares queues, QueueId id) {
        QueueId parent = queues.queues().get(id).parent();
        return parent == null ? id.toString() : path(queues, parent) + "/" + id;
    }

    private static void nicsAreWhatWasAsked(FleetNics nics, int n, NicRequest wanted, Plan.PodPlacement pod) {
        assertThat(pod.nics()).hasSize(wanted.nics()).isSorted();
        List<Integer> groups = pod.nics().stream()
                .map(id -> AppliedPlan.indexOf(nics.groupId(), id))
                .toList();
        assertThat(groups)
                .as("the NICs are the node's")
                .allMatch(g -> g >= nics.firstGroup()[n] && g < nics.firstGroup()[n + 1]);
        List<String> resources =
                groups.stream().map(g -> nics.resource()[g]).distinct().toList();
        assertThat(resources).as("NICs of one resource").hasSizeLessThanOrEqualTo(1);
        if (!wanted.resource().isEmpty()) {
            assertThat(resources).containsExactly(wanted.resource());
        }
    }

    private static void gangIsWhole(WaitingJob job, Plan.Placement placement) {
        Map<String, Integer> started = new HashMap<>();
        int rank = 0;
        int lastSet = 0;
        for (Plan.PodPlacement pod : placement.members()) {
            assertThat(pod.rank()).as("ranks without gaps").isEqualTo(rank++);
            started.merge(pod.podSet(), 1, Integer::sum);
            int set = job.podSets().stream().map(PodSet::name).toList().indexOf(pod.podSet());
            assertThat(set).as("ranks in pod-set order").isGreaterThanOrEqualTo(lastSet);
            lastSet = set;
        }
        for (PodSet set : job.podSets()) {
            assertThat(started.getOrDefault(set.name(), 0)).isBetween(set.minCount(), set.count());
        }
    }

    private static void membersAreWhatWasAsked(Snapshot snapshot, WaitingJob job, Plan.Placement placement) {
        FleetArrays fleet = snapshot.fleet();
        Map<String, String> flavorOfSet = new HashMap<>();
        for (Plan.PodPlacement pod : placement.members()) {
            PodSet set = job.podSets().stream()
                    .filter(s -> s.name().equals(pod.podSet()))
                    .findFirst()
                    .orElseThrow();
            int n = Arrays.binarySearch(fleet.nodeId(), pod.node().value());
            assertThat(fleet.open()[n]).as("the node is open").isTrue();
            assertThat(snapshot.names().traits().get(n))
                    .as("a node the set may use")
                    .matches(node -> TestRules.mayUse(set.nodes(), node));
            assertThat(pod.flavor()).isEqualTo(snapshot.names().flavors().get(fleet.flavor()[n]));
            assertThat(flavorOfSet.putIfAbsent(pod.podSet(), pod.flavor()))
                    .as("one flavor for a pod set")
                    .isIn(null, pod.flavor());
            if (!set.flavors().isEmpty()) {
                assertThat(set.flavors()).contains(pod.flavor());
            }
            assertThat(pod.devices())
                    .doesNotHaveDuplicates()
                    .hasSize(set.gpus().devices())
                    .isSorted();
            isAsAsked(fleet, set, pod);
            nicsAreWhatWasAsked(fleet.nics(), n, set.nics(), pod);
            assertThat(pod.cpuMilli()).isEqualTo(set.cpuMilli());
            assertThat(pod.memoryMib()).isEqualTo(set.memoryMib());
            for (long device : pod.devices()) {
                assertThat(AppliedPlan.indexOf(fleet.deviceId(), device))
                        .as("the device is the node's")
                        .isBetween(fleet.firstDevice()[n], fleet.firstDevice()[n + 1] - 1);
            }
        }
    }

    private static void isAsAsked(FleetArrays fleet, PodSet set, Plan.PodPlacement pod) {
        if (set.gpus() instanceof GpuRequest.Mig mig) {
            int layout = fleet.migLayout()[
                    AppliedPlan.indexOf(fleet.deviceId(), pod.devices().get(0))];
            MigProfile profile =
                    MigLayouts.ALL.get(layout).profile(mig.profile()).orElseThrow();
            MigInstance instance = Objects.requireNonNull(pod.mig());
            assertThat(instance.profile()).isEqualTo(profile.name());
            assertThat(instance.units()).isEqualTo(profile.units());
            assertThat(profile.starts()).as("positions of " + profile.name()).contains(instance.start());
            assertThat(pod.milliPerDevice()).isEqualTo(profile.milli());
        } else {
            assertThat(pod.mig()).isNull();
        }
    }

    private static void wishIsKept(Snapshot snapshot, WaitingJob job, Plan.Placement placement) {
        int[] nodes = placement.members().stream()
                .mapToInt(pod -> Arrays.binarySearch(
                        snapshot.fleet().nodeId(), pod.node().value()))
                .distinct()
                .toArray();
        for (int n : nodes) {
            assertThat(snapshot.fleet().cluster()[n])
                    .as("one cluster")
                    .isEqualTo(snapshot.fleet().cluster()[nodes[0]]);
        }
        isInOneDomain(snapshot, nodes, job.topology().required());
        boolean asks = job.topology().required() != null
                || job.podSets().stream().anyMatch(set -> set.topology().required() != null);
        if (!asks && snapshot.names().boundary() > 0) {
            String boundary = snapshot.names().levels().get(snapshot.names().boundary() - 1);
            isInOneDomain(snapshot, nodes, boundary);
        }
        for (PodSet set : job.podSets()) {
            int[] ofSet = placement.members().stream()
                    .filter(pod -> pod.podSet().equals(set.name()))
                    .mapToInt(pod -> Arrays.binarySearch(
                            snapshot.fleet().nodeId(), pod.node().value()))
                    .toArray();
            isInOneDomain(
                    snapshot,
                    Arrays.stream(ofSet).distinct().toArray(),
                    set.topology().required());
            segmentsAreWhole(snapshot, ofSet, set.segment());
            set.affinity().forEach(one -> affinityIsKept(snapshot, set.name(), one, placement));
        }
    }

    private static void affinityIsKept(Snapshot snapshot, String set, SetAffinity affinity, Plan.Placement placement) {
        for (Plan.PodPlacement one : placement.members()) {
            for (Plan.PodPlacement other : placement.members()) {
                boolean ofBoth = one.podSet().equals(set) && other.podSet().equals(affinity.podSet());
                boolean ofOne = one.podSet().equals(other.podSet())
                        && (one.podSet().equals(set) || one.podSet().equals(affinity.podSet()));
                boolean together = affinity.kind() == SetAffinity.Kind.TOGETHER;
                if (ofBoth || together && ofOne) {
                    assertThat(shareDomain(snapshot, one, other, affinity.level()))
                            .as(set + " " + affinity)
                            .isEqualTo(together);
                }
            }
        }
    }

    private static boolean shareDomain(
            Snapshot snapshot, Plan.PodPlacement one, Plan.PodPlacement other, String level) {
        if (one.node().equals(other.node()) || level.equals(TopologyLevels.CLUSTER_LEVEL)) {
            return true;
        }
        int index = snapshot.names().levels().indexOf(level);
        long[] ids = snapshot.fleet().nodeId();
        int a = Arrays.binarySearch(ids, one.node().value());
        int b = Arrays.binarySearch(ids, other.node().value());
        return index >= 0
                && snapshot.fleet().domain()[index][a] >= 0
                && snapshot.fleet().domain()[index][a] == snapshot.fleet().domain()[index][b];
    }

    /** Segments follow one another in rank. */
    private static void segmentsAreWhole(Snapshot snapshot, int[] nodes, @Nullable TopologySegment segment) {
        if (segment == null) {
            return;
        }
        assertThat(nodes.length % segment.pods()).as("whole segments").isZero();
        for (int from = 0; from < nodes.length; from += segment.pods()) {
            int[] ofSegment = Arrays.copyOfRange(nodes, from, from + segment.pods());
            isInOneDomain(snapshot, Arrays.stream(ofSegment).distinct().toArray(), segment.level());
        }
    }

    private static void isInOneDomain(Snapshot snapshot, int[] nodes, @Nullable String required) {
        if (required == null || required.equals(TopologyLevels.CLUSTER_LEVEL) || nodes.length == 1) {
            return;
        }
        int level = snapshot.names().levels().indexOf(required);
        assertThat(level)
                .as("more than one node where one domain is required: " + required)
                .isNotNegative();
        for (int n : nodes) {
            assertThat(snapshot.fleet().domain()[level][n])
                    .as("one domain of level " + required)
                    .isNotNegative()
                    .isEqualTo(snapshot.fleet().domain()[level][nodes[0]]);
        }
    }

    private static void everyJobIsAnswered(List<WaitingJob> jobs, Plan plan) {
        Map<Object, Reason> waits = new HashMap<>();
        plan.waits().forEach(wait -> waits.put(wait.job(), wait.reason()));
        for (WaitingJob job : jobs) {
            boolean placed = plan.placements().stream().anyMatch(p -> p.job().equals(job.job()));
            Reason reason = waits.get(job.job());
            assertThat(placed && reason != null)
                    .as("placed and waiting at once")
                    .isFalse();
            if (!placed && job.verdict() == null) {
                assertThat(reason).as("a job that waits knows why").isNotNull();
            }
            if (reason != null) {
                assertThat(reason.detail()).isNotBlank();
                assertThat(job.verdict() == null || job.verdict().code() != reason.code())
                        .as("a verdict is written when its code changes")
                        .isTrue();
            }
        }
    }

    private static void orderOfJobsIsNothing(Allocator allocator, Snapshot snapshot, List<WaitingJob> jobs, Plan plan) {
        List<WaitingJob> shuffled = new ArrayList<>(jobs);
        Collections.shuffle(shuffled, new Random(7));
        assertThat(allocator.decide(snapshot, shuffled, TestJobs.NOW_MICROS)).isEqualTo(plan);
    }

    private static void nothingIsLeftToPlace(Allocator allocator, Snapshot snapshot, List<WaitingJob> jobs, Plan plan) {
        Snapshot after = AppliedPlan.apply(snapshot, plan, jobs);
        List<WaitingJob> rest = jobs.stream()
                .filter(job -> plan.placements().stream().noneMatch(p -> p.job().equals(job.job())))
                .toList();
        List<RunningJob> placed = plan.placements().stream()
                .map(placement -> LimitChecks.holder(
                        jobs.stream()
                                .filter(job -> job.job().equals(placement.job()))
                                .findFirst()
                                .orElseThrow(),
                        placement.members()))
                .toList();
        Plan again = allocator.decide(after, rest, placed, TestJobs.NOW_MICROS);
        assertThat(again.placements())
                .as("placements that the first decision missed")
                .isEmpty();
        assertThat(again.waits()).as("reasons tell of the state after the plan").isEqualTo(plan.waits());
    }

    private static WaitingJob find(Collection<WaitingJob> jobs, Plan.Placement placement) {
        return jobs.stream()
                .filter(job -> job.job().equals(placement.job()))
                .findFirst()
                .orElseThrow();
    }
}
