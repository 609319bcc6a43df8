package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.tutti.allocator.Finding;
import dev.tutti.allocator.Finding.Decider;
import dev.tutti.allocator.Finding.Outcome;
import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.QueueBook.Changed;
import dev.tutti.control.explain.Blocker;
import dev.tutti.control.explain.Blocker.Kind;
import dev.tutti.control.explain.Explainer;
import dev.tutti.control.explain.Explanation;
import dev.tutti.control.explain.Remedy;
import dev.tutti.control.intake.Present;
import dev.tutti.control.read.JobView;
import dev.tutti.control.view.ChangeFeed.Changes;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.Toleration;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.QueueLimits;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whoever waits is told why, who is in the way, and what the engine found to help. */
abstract class ExplanationContract extends StoreContract {

    static final TopologyLevels LEVELS = new TopologyLevels(List.of(
            new TopologyLevels.Level("zone", List.of("zone")), new TopologyLevels.Level("rack", List.of("rack"))));

    private static final NodeRules ANYWHERE =
            new NodeRules(Map.of(), List.of(new Toleration(null, Toleration.Operator.EXISTS, "", null)));

    private final Map<JobId, JobSpec> specs = new HashMap<>();

    @Test
    @DisplayName("B21 each pending job shows who blocks it, and what would start")
    final void eachShowsWhoBlocksIt() {
        observe(sighting("n0"), a100("n1"));
        QueueId queue = strict("q");
        JobId busy = running(gpus("default", 1, 8, "h100"), "n0");
        JobId j1 = add(gpus("q", 1, 8, "h100"));
        JobId j2 = add(gpus("q", 1, 8, "a100"));
        JobId j3 = add(gpus("q", 1, 1, "h100"));
        JobId j4 = add(gpus("q", 1, 2));

        Explanation second = explain(j2);
        assertThat(second.startsNow()).as("J2 runs").isTrue();
        assertThat(second.verdict()).isNull();
        assertThat(second.blockers()).isEmpty();
        assertThat(second.deciders()).hasSize(8).allMatch(one -> one.outcome() == Outcome.PASSES);

        Explanation head = explain(j1);
        assertThat(head.verdict()).isNotNull().satisfies(verdict -> {
            assertThat(verdict.code()).isEqualTo(ReasonCode.WAITING_FOR_CAPACITY);
            assertThat(List.of(verdict.wanted(), verdict.available())).containsExactly(8_000L, 0L);
        });
        assertThat(head.blockers()).containsExactly(new Blocker(Kind.HOLDS, busy, defaultQueue(), 8_000, null));
        assertThat(head.positionInLane()).isEqualTo(1);
        assertThat(head.remedies())
                .as("a100 is taken by J2, but the turn of J1 comes first")
                .extracting(Remedy::kind, Remedy::flavor)
                .containsExactly(tuple(Remedy.Kind.OTHER_FLAVOR, "a100"));

        Explanation third = explain(j3);
        assertThat(third.startsNow()).as("J3 does not pass J1").isFalse();
        assertThat(third.blockers())
                .containsExactly(
                        new Blocker(Kind.BEFORE, j1, queue, 8_000, null),
                        new Blocker(Kind.HOLDS, busy, defaultQueue(), 8_000, null));
        assertThat(third.positionInLane()).isEqualTo(3);
        assertThat(third.remedies()).as("J2 takes all of the other flavor").isEmpty();

        commit(place(j2, "n1", 0, 1, 2, 3, 4, 5, 6, 7));
        see(j2, MemberPhase.RUNNING, null);
        Explanation fourth = explain(j4);
        assertThat(fourth.startsNow()).as("J4 is after J2 and waits").isFalse();
        assertThat(fourth.blockers())
                .extracting(Blocker::kind, Blocker::job)
                .containsExactlyInAnyOrder(
                        tuple(Kind.BEFORE, j1), tuple(Kind.BEFORE, j3), tuple(Kind.HOLDS, busy), tuple(Kind.HOLDS, j2));
    }

    @Test
    @DisplayName("B21 a GPU that is free, and that a job before it waits for, is said to be kept for that one")
    final void whoIsKeptBackIsToldOfTheJobBefore() {
        observe(sighting("n0"), a100("n1"));
        QueueId queue = strict("q");
        running(gpus("default", 1, 7, "h100"), "n0");
        JobId j1 = add(gpus("q", 1, 8, "h100"));
        JobId j3 = add(gpus("q", 1, 1, "h100"));

        Explanation third = explain(j3);

        assertThat(code(third)).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
        assertThat(third.blockers()).containsExactly(new Blocker(Kind.BEFORE, j1, queue, 8_000, null));
        assertThat(outcome(third, Decider.CAPACITY)).isEqualTo(Outcome.PASSES);
        assertThat(outcome(third, Decider.RESERVATION)).isEqualTo(Outcome.BLOCKS);
        assertThat(third.remedies()).singleElement().satisfies(remedy -> {
            assertThat(remedy.kind()).isEqualTo(Remedy.Kind.OTHER_FLAVOR);
            assertThat(remedy.flavor()).isEqualTo("a100");
            assertThat(remedy.detail()).isEqualTo("It starts now on a100.");
        });
    }

    @Test
    @DisplayName("B20 the plan is visible: when the large job starts and after whom, and what the small ones wait for")
    final void thePlanIsVisible() {
        nodes(2);
        JobId first = running(limited(gpus("default", 1, 8, "h100"), 3_600), "n0");
        JobId large = add(gpus("default", 2, 8, "h100"));
        JobId endless = add(gpus("default", 1, 8, "h100"));
        Instant ends = ends(first);

        Explanation big = explain(large);
        assertThat(big.startAt()).isEqualTo(ends);
        assertThat(big.blockers()).containsExactly(new Blocker(Kind.HOLDS, first, defaultQueue(), 8_000, ends));
        assertThat(big.remedies())
                .extracting(Remedy::kind, Remedy::startAt, Remedy::after, Remedy::gpuMilli)
                .containsExactly(
                        tuple(Remedy.Kind.LATER, ends, first, 16_000L),
                        tuple(Remedy.Kind.FEWER_PODS, null, null, 8_000L));

        Explanation small = explain(endless);
        assertThat(code(small)).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
        assertThat(small.blockers()).containsExactly(new Blocker(Kind.RESERVED, large, defaultQueue(), 16_000, ends));
        Remedy shorter = small.remedies().get(0);
        assertThat(shorter.kind()).isEqualTo(Remedy.Kind.SHORTER);
        assertThat(shorter.maxRuntimeSeconds()).isBetween(2_700, 3_600);
        JobId limited = add(limited(gpus("default", 1, 8, "h100"), shorter.maxRuntimeSeconds()));
        assertThat(explain(limited).startsNow()).as("it does as was said").isTrue();
    }

    @Test
    final void whoRunsBesideALimitOfJobsIsNamed() {
        nodes(1);
        QueueId top = new QueueId(create("top", 8_000, running(2, null, null)));
        QueueId one = new QueueId(create("top/one", 4_000, QueueRules.PLAIN));
        create("top/two", 4_000, running(null, 1, null));
        JobId small = running(gpus("top/one", 1, 1), "n0");
        running(gpus("default", 1, 1), "n0", 1);
        JobId waits = add(gpus("top/one", 1, 1));
        assertThat(explain(waits).startsNow()).as("one of two runs").isTrue();
        JobId large = running(gpus("top/one", 1, 2), "n0", 2);

        Explanation ofQueue = explain(waits);
        assertThat(code(ofQueue)).isEqualTo(ReasonCode.RUNNING_JOBS_LIMIT);
        assertThat(ofQueue.blockers())
                .containsExactly(
                        new Blocker(Kind.HOLDS, large, one, 2_000, null),
                        new Blocker(Kind.HOLDS, small, one, 1_000, null));
        assertThat(outcome(ofQueue, Decider.ADMISSION)).isEqualTo(Outcome.BLOCKS);
        assertThat(numbers(ofQueue, Decider.ADMISSION)).containsExactly(1L, 0L);
        assertThat(outcome(ofQueue, Decider.QUOTA)).isEqualTo(Outcome.PASSES);
        assertThat(ofQueue.remedies()).isEmpty();

        store.queues().change(top.value(), 0, null, running(null, null, null), ANNA);
        JobId two = running(gpus("top/two", 1, 1), "n0", 4);
        Explanation ofUser = explain(add(gpus("top/two", 1, 1)));
        assertThat(code(ofUser)).isEqualTo(ReasonCode.USER_LIMIT);
        assertThat(ofUser.blockers()).extracting(Blocker::job).containsExactly(two);
    }

    @Test
    final void aLimitOfGpusOfItsUserNamesWhatTheUserHoldsAndWhatStillFits() {
        nodes(1);
        QueueId queue = new QueueId(create("team", 8_000, running(null, null, 4_000L)));
        JobId holds = running(gpus("team", 1, 2), "n0");
        JobId gang = add(gpus("team", 3, 1));

        Explanation explanation = explain(gang);

        assertThat(code(explanation)).isEqualTo(ReasonCode.USER_LIMIT);
        assertThat(numbers(explanation, Decider.ADMISSION)).containsExactly(3_000L, 2_000L);
        assertThat(outcome(explanation, Decider.QUOTA)).isEqualTo(Outcome.PASSES);
        assertThat(outcome(explanation, Decider.CAPACITY)).isEqualTo(Outcome.PASSES);
        assertThat(explanation.blockers()).containsExactly(new Blocker(Kind.HOLDS, holds, queue, 2_000, null));
        assertThat(explanation.remedies()).singleElement().satisfies(remedy -> {
            assertThat(remedy.kind()).isEqualTo(Remedy.Kind.FEWER_PODS);
            assertThat(remedy.pods()).isEqualTo(Map.of("worker", 2));
        });
        Explanation never = explain(add(gpus("team", 5, 1)));
        assertThat(code(never)).isEqualTo(ReasonCode.EXCEEDS_LIMIT);
        assertThat(Objects.requireNonNull(never.verdict()).detail()).contains("Each user may hold 4 GPUs", "\"team\"");
    }

    @Test
    final void aLimitOfWholeNodesNamesWhoHoldsThemAndWhatStillFits() {
        nodes(5);
        Map<String, Integer> limit = Map.of("h100", 3);
        QueueId queue = new QueueId(create(
                "team", 40_000, QueueRules.PLAIN.withLimits(new QueueLimits(null, null, null, null, null, limit))));
        JobId holds = running(gpus("team", 1, 8, "h100"), "n0");
        running(gpus("team", 1, 4, "h100"), "n1");
        JobId gang = add(gpus("team", 3, 8, "h100"));

        Explanation explanation = explain(gang);

        assertThat(code(explanation)).isEqualTo(ReasonCode.WHOLE_NODES_LIMIT);
        assertThat(numbers(explanation, Decider.ADMISSION)).containsExactly(3L, 2L);
        assertThat(outcome(explanation, Decider.QUOTA)).isEqualTo(Outcome.PASSES);
        assertThat(outcome(explanation, Decider.CAPACITY)).isEqualTo(Outcome.PASSES);
        assertThat(explanation.blockers())
                .as("half a node counts for nothing")
                .containsExactly(new Blocker(Kind.HOLDS, holds, queue, 8_000, null));
        assertThat(explanation.remedies()).singleElement().satisfies(remedy -> {
            assertThat(remedy.kind()).isEqualTo(Remedy.Kind.FEWER_PODS);
            assertThat(remedy.pods()).isEqualTo(Map.of("worker", 2));
        });
        Explanation never = explain(add(gpus("team", 4, 8, "h100")));
        assertThat(code(never)).isEqualTo(ReasonCode.EXCEEDS_LIMIT);
        assertThat(Objects.requireNonNull(never.verdict()).detail())
                .contains("may hold 3 whole nodes of h100", "\"team\"", "once that limit is raised");
    }

    private static QueueRules running(@Nullable Integer jobs, @Nullable Integer ofUser, @Nullable Long gpusOfUser) {
        return QueueRules.PLAIN.withLimits(new QueueLimits(null, null, jobs, ofUser, gpusOfUser));
    }

    @Test
    final void theLargestPartThatStartsIsFound() {
        nodes(4);
        running(gpus("default", 1, 3, "h100"), "n0");
        JobId gang = add(gpus("default", 30, 1, "h100"));

        Explanation explanation = explain(gang);

        assertThat(explanation.remedies()).singleElement().satisfies(remedy -> {
            assertThat(remedy.kind()).isEqualTo(Remedy.Kind.FEWER_PODS);
            assertThat(remedy.pods()).isEqualTo(Map.of("worker", 29));
            assertThat(remedy.detail()).isEqualTo("29 pods with 29 GPUs start now.");
        });
        assertThat(explanation.isComplete()).isTrue();
        assertThat(numbers(explanation, Decider.CAPACITY)).containsExactly(30_000L, 29_000L);
        assertThat(numbers(explanation, Decider.FLAVOR_AND_HEALTH)).containsExactly(30_000L, 32_000L);
        assertThat(outcome(explanation, Decider.ADMISSION)).isEqualTo(Outcome.PASSES);
        assertThat(outcome(explanation, Decider.GANG_SIZE)).isEqualTo(Outcome.PASSES);
    }

    @Test
    final void aQuotaIsNamedWithWhoHoldsItAndAnotherLaneHelps() {
        nodes(2);
        long id = create("team", 8_000, QueueRules.PLAIN);
        JobId holder = running(gpus("team", 1, 6, "h100"), "n0");
        running(gpus("default", 1, 1, "h100"), "n1");
        JobId waits = add(gpus("team", 1, 4, "h100"));

        Explanation explanation = explain(waits);

        assertThat(code(explanation)).isEqualTo(ReasonCode.WAITING_FOR_QUOTA);
        assertThat(numbers(explanation, Decider.QUOTA)).containsExactly(4_000L, 2_000L);
        assertThat(outcome(explanation, Decider.CAPACITY)).isEqualTo(Outcome.PASSES);
        assertThat(explanation.blockers())
                .containsExactly(
                        new Blocker(Kind.QUOTA, null, new QueueId(id), 2_000, null),
                        new Blocker(Kind.HOLDS, holder, new QueueId(id), 6_000, null));
        assertThat(explanation.remedies())
                .extracting(Remedy::kind, Remedy::lane)
                .containsExactly(tuple(Remedy.Kind.OTHER_LANE, Lane.RED));
    }

    @Test
    final void closedNodesAndATopologyThatIsTooNarrowAreTold() {
        observe(sighting("n0"), sighting("n1", "uid-n1", "boot-1", true, false, 8));
        JobId wide = add(gpus("default", 2, 8, "h100"));
        assertThat(numbers(explain(wide), Decider.FLAVOR_AND_HEALTH)).containsExactly(16_000L, 8_000L);
        assertThat(outcome(explain(wide), Decider.FLAVOR_AND_HEALTH)).isEqualTo(Outcome.BLOCKS);

        nodes(2);
        running(gpus("default", 1, 4, "h100"), "n0");
        running(gpus("default", 1, 4, "h100"), "n1");
        JobId together = add(near(gpus("default", 2, 3, "h100"), "hostname"));
        Explanation explanation = explain(together);
        assertThat(code(explanation)).isEqualTo(ReasonCode.TOPOLOGY);
        assertThat(outcome(explanation, Decider.TOPOLOGY)).isEqualTo(Outcome.BLOCKS);
        assertThat(explanation.remedies())
                .extracting(Remedy::kind, Remedy::gpuMilli)
                .containsExactly(tuple(Remedy.Kind.NO_TOPOLOGY, 6_000L), tuple(Remedy.Kind.FEWER_PODS, 3_000L));
    }

    @Test
    final void whatIsSuspendedOrWaitsForOthersIsAskedAboutAsIfItWereNot() {
        nodes(1);
        JobId suspended = add(with(gpus("default", 1, 8, "h100"), TimeLimits.NONE, true));
        Reason reason = new Reason(ReasonCode.SUSPENDED, null, 0, 0, "suspended");

        Explanation explanation =
                explainer().explain(view(suspended, JobState.SUSPENDED, reason)).orElseThrow();

        assertThat(explanation.verdict()).isEqualTo(reason);
        assertThat(outcome(explanation, Decider.ADMISSION)).isEqualTo(Outcome.BLOCKS);
        assertThat(outcome(explanation, Decider.CAPACITY)).isEqualTo(Outcome.PASSES);
        assertThat(explanation.remedies())
                .extracting(Remedy::kind, Remedy::gpuMilli)
                .containsExactly(tuple(Remedy.Kind.RESUME, 8_000L));
        assertThat(explanation.startsNow()).isFalse();
    }

    @Test
    final void whoWaitsForAFlavorIsToldWhichIsOpenWhenTheNextIsAndThatAllAtOnceWouldHelp() {
        observe(sighting("n0"), a100("n1"));
        JobId busy = running(gpus("default", 1, 8, "h100"), "n0");
        running(gpus("default", 1, 4, "a100"), "n1");
        JobId job =
                add(with(gpus("default", 1, 4, "h100", "a100"), new TimeLimits(null, null, null, null, 600), false));

        Explanation explanation = explain(job);

        assertThat(code(explanation)).isEqualTo(ReasonCode.WAITING_FOR_CAPACITY);
        Finding flavors = explanation.deciders().stream()
                .filter(one -> one.decider() == Decider.FLAVOR_AND_HEALTH)
                .findFirst()
                .orElseThrow();
        assertThat(flavors.outcome()).isEqualTo(Outcome.PASSES);
        assertThat(flavors.available()).as("of the first flavor alone").isEqualTo(8_000);
        assertThat(flavors.detail()).startsWith("It keeps to h100 until ").endsWith("; then it may use a100 too.");
        assertThat(flavors.opensMicros()).isEqualTo(waiting(job).fallback().sinceMicros() + 600_000_000);
        assertThat(explanation.blockers())
                .as("who holds the other flavor is not in its way")
                .containsExactly(new Blocker(Kind.HOLDS, busy, defaultQueue(), 8_000, null));
        assertThat(explanation.remedies())
                .extracting(Remedy::kind, Remedy::detail)
                .containsExactly(
                        tuple(
                                Remedy.Kind.ALL_FLAVORS,
                                "It starts now, on a100, if it may use all flavors that it names at once: fallbackAfterSeconds: 0."));

        store.advance(Duration.ofSeconds(600));
        assertThat(explain(job).startsNow()).as("the next flavor is open").isTrue();
    }

    @Test
    final void anAnswerWritesNothingAndNamesAtMostTenOfManyBlockers() {
        nodes(2);
        IntStream.range(0, 8).forEach(i -> running(gpus("default", 1, 1, "h100"), "n0", i));
        IntStream.range(0, 8).forEach(i -> running(gpus("default", 1, 1, "h100"), "n1", i));
        JobId waits = add(gpus("default", 1, 8, "h100"));
        Changes before = everything();

        Explanation explanation = explain(waits);

        assertThat(explanation.blockers()).hasSize(Explanation.SHOWN);
        assertThat(explanation.blockersInAll()).isEqualTo(16);
        assertThat(everything().waiting()).isEqualTo(before.waiting());
        assertThat(everything().running()).isEqualTo(before.running());
        assertThat(explainer().explain(view(waits, JobState.RUNNING, null)))
                .as("one that does not wait")
                .isEmpty();
    }

    private Explainer explainer() {
        return new Explainer(new Present(store.changes(), LEVELS), NoJobs.INSTANCE, new GangAllocator());
    }

    private Explanation explain(JobId job) {
        Explanation found = explainer()
                .explain(view(job, JobState.QUEUED, waiting(job).verdict()))
                .orElseThrow();
        assertThat(found.startsNow()).isEqualTo(found.verdict() == null);
        boolean blocked = found.deciders().stream().anyMatch(one -> one.outcome() == Outcome.BLOCKS);
        assertThat(blocked).as("somebody blocks who waits").isEqualTo(!found.startsNow());
        return found;
    }

    private JobView view(JobId id, JobState state, @Nullable Reason reason) {
        JobSpec spec = Objects.requireNonNull(specs.get(id));
        WaitingJob row = waits(id) ? waiting(id) : null;
        return new JobView(
                id,
                0,
                row == null ? defaultQueue() : row.queue(),
                spec.queue(),
                new JobView.Head(spec.name(), spec.lane(), spec.priority(), 0),
                spec,
                state,
                state == JobState.SUSPENDED,
                reason,
                null,
                null,
                null,
                0,
                0,
                null,
                null,
                "anna",
                row == null ? Instant.EPOCH : Instant.EPOCH.plus(row.submittedAtMicros(), ChronoUnit.MICROS),
                null,
                null,
                null);
    }

    private QueueId defaultQueue() {
        return everything().queues().keySet().stream()
                .min(java.util.Comparator.comparingLong(QueueId::value))
                .orElseThrow();
    }

    private Instant ends(JobId job) {
        return everything().running().stream()
                .filter(one -> one.job().equals(job))
                .map(one -> Instant.EPOCH.plus(one.endsByMicros(), ChronoUnit.MICROS))
                .findFirst()
                .orElseThrow();
    }

    private static @Nullable ReasonCode code(Explanation explanation) {
        return explanation.verdict() == null ? null : explanation.verdict().code();
    }

    private static Finding finding(Explanation explanation, Decider decider) {
        return explanation.deciders().stream()
                .filter(one -> one.decider() == decider)
                .findFirst()
                .orElseThrow();
    }

    private static Outcome outcome(Explanation explanation, Decider decider) {
        return finding(explanation, decider).outcome();
    }

    private static List<Long> numbers(Explanation explanation, Decider decider) {
        Finding finding = finding(explanation, decider);
        return List.of(Objects.requireNonNull(finding.wanted()), Objects.requireNonNull(finding.available()));
    }

    private QueueId strict(String path) {
        Changed made = store.queues().create(path, Quotas.NONE, new QueueRules(false, true, 1), ANNA);
        return new QueueId(((Changed.Done) made).id());
    }

    private long create(String path, long milli, QueueRules rules) {
        Quotas quotas = Quotas.ofGpus(Map.of("h100", milli, "a100", milli));
        return ((Changed.Done) store.queues().create(path, quotas, rules, ANNA)).id();
    }

    private JobId add(JobSpec spec) {
        JobId id = submit(spec);
        specs.put(id, spec);
        return id;
    }

    private JobId running(JobSpec spec, String node) {
        return running(spec, node, 0);
    }

    /** One pod on the devices of the node from one on. */
    private JobId running(JobSpec spec, String node, int from) {
        JobId job = add(spec);
        int gpus = spec.podSets().get(0).gpus().devices();
        commit(place(job, node, IntStream.range(from, from + gpus).toArray()));
        see(job, MemberPhase.RUNNING, null);
        return job;
    }

    private static JobSpec limited(JobSpec spec, int seconds) {
        return with(spec, new TimeLimits(seconds, null, null, null));
    }

    private static JobSpec near(JobSpec spec, String level) {
        return new JobSpec(
                spec.name(),
                spec.queue(),
                spec.lane(),
                spec.priority(),
                spec.podSets(),
                new TopologyWish(level, null),
                spec.expectedRuntimeSeconds(),
                spec.graceSeconds(),
                spec.maxFailures(),
                spec.labels());
    }

    private static JobSpec gpus(String queue, int pods, int gpus, String... flavors) {
        PodTemplate template = new PodTemplate("busybox:1", List.of(), List.of(), Map.of());
        PodSet set = new PodSet(
                "worker",
                pods,
                pods,
                new GpuRequest.Whole(gpus),
                List.of(flavors),
                1_000,
                1_024,
                template,
                TopologyWish.NONE,
                null,
                ANYWHERE,
                List.of(),
                NicRequest.NONE);
        return new JobSpec(queue, queue, Lane.YELLOW, 0, List.of(set), TopologyWish.NONE, 60, 30, 0, Map.of());
    }

    private static NodeSighting a100(String name) {
        NodeSighting like = sighting(name);
        return new NodeSighting(
                name,
                like.uid(),
                like.bootId(),
                true,
                true,
                false,
                "a100",
                "A100",
                40_960,
                like.cpuMilli(),
                like.memoryMib(),
                like.podSlots(),
                like.nics(),
                like.labels(),
                like.taints(),
                like.devices().stream()
                        .map(one -> new NodeSighting.Device(one.index(), one.uuid(), one.island(), true))
                        .toList(),
                List.of());
    }
}
