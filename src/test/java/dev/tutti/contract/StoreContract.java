package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Plan.Placement;
import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.allocator.Plan.Wait;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.Actor;
import dev.tutti.control.JobBook.Submission;
import dev.tutti.control.JobBook.Submitted;
import dev.tutti.control.Ledger.Change;
import dev.tutti.control.PlanId;
import dev.tutti.control.Receipt;
import dev.tutti.control.view.ChangeFeed.Changes;
import dev.tutti.control.view.ChangeFeed.DeviceRow;
import dev.tutti.control.view.ChangeFeed.NicRow;
import dev.tutti.control.view.ChangeFeed.NodeRow;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.MigLayout;
import dev.tutti.model.fleet.MigLayouts;
import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.Taint;
import dev.tutti.model.fleet.TaintEffect;
import dev.tutti.model.fleet.Toleration;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.Preemption;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.job.TopologySegment;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.MemberFact;
import dev.tutti.model.life.MemberPhase;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The common ground of the store's contracts: a small fleet, jobs and plans in a line each. Everything is done and seen
 * through the ports, so that it holds for every adapter.
 */
public abstract class StoreContract {

    static final Actor.Caller ANNA = new Actor.Caller("anna");
    static final int GPUS_PER_NODE = 8;
    /** Two beside each two GPUs. */
    static final List<NicGroup> NICS = IntStream.range(0, 4)
            .mapToObj(i -> new NicGroup("rdma/hca", "pcie-" + i, 2))
            .toList();

    StoreUnderTest store;
    Actor.Leader leader;
    ClusterId cluster;

    /** A new, empty store. */
    protected abstract StoreUnderTest open();

    @BeforeEach
    final void openStore() {
        store = open();
        leader = new Actor.Leader(store.leadership().lead("first").orElseThrow());
        cluster = store.fleet().register("berlin", "simulated");
    }

    @AfterEach
    final void closeStore() {
        store.close();
    }

    /** Nodes n0, n1 … with eight healthy GPUs each, 64 CPUs, 512 GiB, 32 pod slots. */
    final void nodes(int count) {
        observe(IntStream.range(0, count).mapToObj(i -> sighting("n" + i)).toArray(NodeSighting[]::new));
    }

    final void observe(NodeSighting... sightings) {
        store.fleet()
                .observe(
                        cluster,
                        List.of(sightings),
                        Stream.of(sightings)
                                .map(one -> List.of("zone-a", "rack-1"))
                                .toList(),
                        leader);
    }

    static final List<Taint> TAINTS = List.of(
            new Taint("dedicated", "t\"1\\", TaintEffect.NO_EXECUTE), new Taint("b", "", TaintEffect.NO_SCHEDULE));

    static final NodeRules RULES = new NodeRules(
            Map.of("rack", "r-1", "pool", ""),
            List.of(
                    new Toleration("dedicated", Toleration.Operator.EQUAL, "training", TaintEffect.NO_EXECUTE),
                    new Toleration(null, Toleration.Operator.EXISTS, "", null)));

    static NodeSighting sighting(String name) {
        return sighting(name, "uid-" + name, "boot-1", true, true, GPUS_PER_NODE);
    }

    static NodeSighting sighting(String name, String uid, String bootId, boolean ready, boolean schedulable, int gpus) {
        return new NodeSighting(
                name,
                uid,
                bootId,
                ready,
                schedulable,
                false,
                "h100",
                "H100",
                81_920,
                64_000,
                524_288,
                32,
                NICS,
                Map.of("rack", "r\"1\\"),
                TAINTS,
                IntStream.range(0, gpus)
                        .mapToObj(i -> new NodeSighting.Device(
                                i, name + "-gpu" + i, i / 4, true, "h100-80gb", "pcie-" + i / 2))
                        .toList(),
                List.of());
    }

    static NodeSighting gone(String name) {
        NodeSighting node = sighting(name);
        return new NodeSighting(
                name,
                node.uid(),
                node.bootId(),
                false,
                false,
                true,
                "h100",
                "H100",
                81_920,
                0,
                0,
                0,
                List.of(),
                Map.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** {@code pods} pods of {@code gpus} whole GPUs each, or a share where {@code gpus} is above 64. */
    static JobSpec job(String name, int pods, int gpus) {
        return job(name, "default", pods, gpus, 2);
    }

    /** {@code pods} pods with a MIG instance each. */
    static JobSpec mig(String name, int pods, String profile) {
        return job(name, "default", pods, new GpuRequest.Mig(profile), 2);
    }

    static JobSpec job(String name, String queue, int pods, int gpus, int maxFailures) {
        GpuRequest request =
                gpus == 0 ? new GpuRequest.None() : gpus > 64 ? new GpuRequest.Share(gpus) : new GpuRequest.Whole(gpus);
        return job(name, queue, pods, request, maxFailures);
    }

    private static JobSpec job(String name, String queue, int pods, GpuRequest request, int maxFailures) {
        PodTemplate template = new PodTemplate("busybox:1", List.of("sh", "-c"), List.of("sleep 1"), Map.of("A", "b"));
        PodSet set = new PodSet(
                "worker",
                pods,
                pods,
                request,
                List.of("h100"),
                1_000,
                1_024,
                template,
                new TopologyWish("rack", "hostname"),
                new TopologySegment(1, "rack"),
                RULES,
                List.of(),
                NicRequest.NONE);
        return new JobSpec(
                name,
                queue,
                Lane.YELLOW,
                5,
                List.of(set),
                new TopologyWish("zone", null),
                60,
                30,
                maxFailures,
                Map.of("team", "nlp"));
    }

    static JobSpec with(JobSpec spec, TimeLimits limits) {
        return with(spec, limits, false);
    }

    static JobSpec with(JobSpec spec, Preemption terms) {
        return new JobSpec(
                spec.name(),
                spec.queue(),
                spec.lane(),
                spec.priority(),
                spec.podSets(),
                spec.topology(),
                spec.expectedRuntimeSeconds(),
                spec.graceSeconds(),
                spec.maxFailures(),
                spec.labels(),
                spec.limits(),
                spec.suspended(),
                spec.dependsOn(),
                terms);
    }

    static JobSpec with(JobSpec spec, TimeLimits limits, boolean suspended) {
        return new JobSpec(
                spec.name(),
                spec.queue(),
                spec.lane(),
                spec.priority(),
                spec.podSets(),
                spec.topology(),
                spec.expectedRuntimeSeconds(),
                spec.graceSeconds(),
                spec.maxFailures(),
                spec.labels(),
                limits,
                suspended,
                spec.dependsOn(),
                spec.preemption());
    }

    final JobId submit(JobSpec spec) {
        return submitAll(List.of(spec)).get(0);
    }

    final List<JobId> submitAll(List<JobSpec> specs) {
        List<JobId> ids = new ArrayList<>();
        Submitted submitted = store.jobs().submit(submission(null, "body", specs, ids));
        if (!(submitted instanceof Submitted.Stored)) {
            throw new AssertionError("not stored: " + submitted);
        }
        return ids;
    }

    static Submission submission(@Nullable String key, String body, List<JobSpec> specs, List<JobId> ids) {
        return new Submission(ANNA, key, body, specs, fresh -> {
            ids.clear();
            ids.addAll(fresh);
            return fresh.toString().getBytes(StandardCharsets.UTF_8);
        });
    }

    final Changes everything() {
        return store.changes().since(null);
    }

    final WaitingJob waiting(JobId job) {
        return everything().waiting().stream()
                .filter(one -> one.job().equals(job))
                .findFirst()
                .orElseThrow(() -> new AssertionError(job + " does not wait"));
    }

    final boolean waits(JobId job) {
        return everything().waiting().stream().anyMatch(one -> one.job().equals(job));
    }

    final NodeRow node(String name) {
        return everything().nodes().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    final List<DeviceRow> devices(String node) {
        Changes all = everything();
        NodeRow row = all.nodes().stream()
                .filter(one -> one.name().equals(node))
                .findFirst()
                .orElseThrow();
        return all.devices().getOrDefault(row.id(), List.of());
    }

    /** Milli-GPU held on a node, all devices together. */
    final int heldMilli(String node) {
        return devices(node).stream().mapToInt(DeviceRow::heldMilli).sum();
    }

    /** Nothing is held on n0, and no queue uses anything. */
    final void assertNothingHeld() {
        assertThat(heldMilli("n0")).isZero();
        assertThat(node("n0").heldPods()).isZero();
        assertThat(node("n0").heldCpuMilli()).isZero();
        assertThat(node("n0").heldMemoryMib()).isZero();
        assertThat(everything().queues().values())
                .allMatch(share -> share.used().values().stream().allMatch(use -> use.total() == 0));
    }

    /** A placement of the job's only pod on these devices, by index. */
    final Placement place(JobId job, String node, int... indexes) {
        return place(job, waiting(job).version(), List.of(pod(job, 0, node, indexes)));
    }

    final Placement place(JobId job, long version, List<PodPlacement> pods) {
        return new Placement(job, version, pods);
    }

    final PodPlacement pod(JobId job, int rank, String node, int... indexes) {
        GpuRequest request = waiting(job).podSets().get(0).gpus();
        Map<Integer, Long> ids = devices(node).stream().collect(Collectors.toMap(DeviceRow::index, DeviceRow::id));
        return new PodPlacement(
                "worker",
                rank,
                node(node).id(),
                node(node).flavor(),
                IntStream.of(indexes).mapToObj(ids::get).toList(),
                request.milliPerDevice(),
                1_000,
                1_024,
                null,
                List.of());
    }

    /** A placement of the job's only pod on this device, with NICs of these groups, by place of the group in {@link #NICS}. */
    final Placement place(JobId job, String node, int index, List<Integer> groups) {
        PodPlacement pod = pod(job, 0, node, index);
        List<NicRow> rows = node(node).nics();
        return place(
                job,
                waiting(job).version(),
                List.of(new PodPlacement(
                        pod.podSet(),
                        0,
                        pod.node(),
                        pod.flavor(),
                        pod.devices(),
                        pod.milliPerDevice(),
                        pod.cpuMilli(),
                        pod.memoryMib(),
                        null,
                        groups.stream().map(group -> rows.get(group).id()).toList())));
    }

    /** NICs held of each group of a node, in the order of {@link #NICS}. */
    final List<Integer> heldNics(String node) {
        return node(node).nics().stream().map(NicRow::held).toList();
    }

    /** A placement of the job's only pod, a MIG instance, on this device. */
    final Placement cut(JobId job, String node, int index, int start) {
        return place(job, waiting(job).version(), List.of(instance(job, 0, node, index, start)));
    }

    final PodPlacement instance(JobId job, int rank, String node, int index, int start) {
        String profile = ((GpuRequest.Mig) waiting(job).podSets().get(0).gpus()).profile();
        int units = MigLayouts.ALL
                .get(MigLayouts.layoutNumber("h100-80gb"))
                .profile(profile)
                .orElseThrow()
                .units();
        PodPlacement pod = pod(job, rank, node, index);
        return new PodPlacement(
                pod.podSet(),
                rank,
                pod.node(),
                pod.flavor(),
                pod.devices(),
                units * MigLayout.UNIT_MILLI,
                pod.cpuMilli(),
                pod.memoryMib(),
                new MigInstance(profile, start, units),
                List.of());
    }

    final Receipt commit(Placement... placements) {
        return commit(new PlanId(UUID.randomUUID()), placements);
    }

    final Receipt commit(PlanId id, Placement... placements) {
        return store.ledger().commit(id, new Plan(1, List.of(placements), List.of()), leader);
    }

    final Receipt waitFor(Wait... waits) {
        return store.ledger().commit(new PlanId(UUID.randomUUID()), new Plan(1, List.of(), List.of(waits)), leader);
    }

    final JobRun run(JobId job) {
        return store.ledger().runs(List.of(job)).stream()
                .findFirst()
                .orElseThrow(() -> new AssertionError("no run of " + job));
    }

    /** Says the same of every member of the live attempt, and writes what follows. */
    final JobRun see(JobId job, MemberPhase phase, @Nullable EndCause cause) {
        JobRun before = run(job);
        List<MemberFact> facts = before.members().stream()
                .map(member -> new MemberFact(member.id(), phase, "pod-" + member.id(), cause))
                .toList();
        return apply(before, JobLife.observe(before, facts));
    }

    /** Says it of the member with the lowest rank alone. */
    final JobRun seeFirst(JobId job, MemberPhase phase, @Nullable EndCause cause) {
        JobRun before = run(job);
        MemberFact fact = new MemberFact(before.members().get(0).id(), phase, null, cause);
        return apply(before, JobLife.observe(before, List.of(fact)));
    }

    final JobRun stop(JobId job, EndCause cause) {
        JobRun before = run(job);
        return apply(before, JobLife.stop(before, cause));
    }

    private JobRun apply(JobRun before, JobRun after) {
        Set<JobId> written = store.ledger().apply(List.of(new Change(before, after)), leader);
        if (!written.equals(Set.of(before.job()))) {
            throw new AssertionError("not written: " + after);
        }
        return run(before.job());
    }

    static List<String> names(Collection<NodeRow> nodes) {
        return nodes.stream()
                .map(NodeRow::name)
                .sorted(Comparator.naturalOrder())
                .toList();
    }
}
