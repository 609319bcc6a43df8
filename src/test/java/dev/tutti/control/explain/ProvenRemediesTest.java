package dev.tutti.control.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Finding;
import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.contract.NoJobs;
import dev.tutti.control.intake.Present;
import dev.tutti.control.intake.Present.State;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.Reason;
import dev.tutti.testkit.scenario.AppliedPlan;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever is said to help, an engine that knows nothing of the question does start. */
class ProvenRemediesTest {

    private static final int SEEDS = 300;
    /** In which a try left the engine a time kept for a job, and another try started because of it. */
    private static final List<Integer> OTHER_SEEDS = List.of(1_304, 3_072, 4_017, 5_180, 5_457);

    private static final ChangeFeed NO_FEED = cursor -> {
        throw new AssertionError("nobody reads");
    };

    private static final List<String> FLAVORS = List.of("", " flavors=a", " flavors=b");
    private static final List<String> IN_ORDER = List.of(
            "",
            " flavors=b",
            " flavors=a,b fallback=60",
            " flavors=b,a fallback=60",
            " flavors=b,a fallback=60 since=-90");

    private final Explainer explainer =
            new Explainer(new Present(NO_FEED, new TopologyLevels(List.of())), NoJobs.INSTANCE, new GangAllocator());
    private final Map<Remedy.Kind, Integer> found = new EnumMap<>(Remedy.Kind.class);

    @Test
    void aFreshEngineAgrees() {
        int starts = 0;
        for (int seed : IntStream.concat(
                        IntStream.range(0, SEEDS), OTHER_SEEDS.stream().mapToInt(one -> one))
                .toArray()) {
            State state = state(new Random(seed), FLAVORS, true);
            Plan fresh = decide(state, null);
            for (WaitingJob job : state.waiting()) {
                String what = "seed " + seed + " " + job;
                Explanation explanation =
                        explainer.of(state, subject(job), () -> true).orElseThrow();
                boolean isPlaced =
                        fresh.placements().stream().anyMatch(one -> one.job().equals(job.job()));
                assertThat(explanation.startsNow()).as(what).isEqualTo(isPlaced);
                assertThat(Optional.ofNullable(explanation.verdict()).map(Reason::detail))
                        .as(what)
                        .isEqualTo(fresh.waits().stream()
                                .filter(wait -> wait.job().equals(job.job()))
                                .map(wait -> wait.reason().detail())
                                .findFirst());
                starts += isPlaced ? 1 : 0;
                assertThat(blocking(explanation)).as(what).isEqualTo(decider(explanation));
                explanation.remedies().forEach(remedy -> check(state, job, remedy, what));
            }
        }
        assertThat(starts).isGreaterThan(SEEDS / 2);
        assertThat(found.keySet())
                .contains(
                        Remedy.Kind.LATER,
                        Remedy.Kind.NO_TOPOLOGY,
                        Remedy.Kind.OTHER_FLAVOR,
                        Remedy.Kind.OTHER_LANE,
                        Remedy.Kind.SHORTER,
                        Remedy.Kind.FEWER_PODS);
        assertThat(found.values().stream().mapToInt(Integer::intValue).sum()).isGreaterThan(SEEDS);
    }

    /** Where nothing is kept for a time, so that no engine remembers one. */
    @Test
    void aFreshEngineAgreesAboutFlavorsThatAreNotOpenYet() {
        int told = 0;
        for (int seed = 0; seed < SEEDS / 2; seed++) {
            State state = state(new Random(seed), IN_ORDER, false);
            for (WaitingJob job : state.waiting()) {
                String what = "seed " + seed + " " + job;
                Explanation explanation =
                        explainer.of(state, subject(job), () -> true).orElseThrow();
                Set<Long> opens = explanation.deciders().stream()
                        .map(Finding::opensMicros)
                        .filter(Objects::nonNull)
                        .collect(Collectors.toSet());
                boolean mayBeClosed = job.podSets().get(0).flavors().size() > 1
                        && job.fallback().sinceMicros() == TestJobs.NOW_MICROS;
                assertThat(opens)
                        .as(what)
                        .isSubsetOf(mayBeClosed ? Set.of(TestJobs.NOW_MICROS + 60_000_000) : Set.of());
                told += opens.size();
                explanation.remedies().forEach(remedy -> check(state, job, remedy, what));
            }
        }
        assertThat(told).isGreaterThan(SEEDS / 10);
        assertThat(found).containsKey(Remedy.Kind.ALL_FLAVORS);
        assertThat(found.get(Remedy.Kind.ALL_FLAVORS)).isGreaterThan(SEEDS / 60);
    }

    @Test
    void whatIsNotTriedInTimeIsSaidToBeMissing() {
        State state = state(new Random(7), FLAVORS, true);
        for (WaitingJob job : state.waiting()) {
            Explanation explanation =
                    explainer.of(state, subject(job), () -> false).orElseThrow();
            assertThat(explanation.remedies()).allMatch(remedy -> remedy.kind() == Remedy.Kind.LATER);
            if (!explanation.startsNow() && job.podSets().get(0).minCount() > 1) {
                assertThat(explanation.isComplete()).as("%s", job).isFalse();
            }
        }
    }

    /** The decider of the verdict's code blocks, whoever else does. */
    private static boolean blocking(Explanation explanation) {
        return explanation.deciders().stream().anyMatch(one -> one.outcome() == Finding.Outcome.BLOCKS);
    }

    private static boolean decider(Explanation explanation) {
        if (explanation.verdict() == null) {
            return false;
        }
        Set<Finding.Decider> which = switch (explanation.verdict().code()) {
            case WAITING_FOR_QUOTA -> Set.of(Finding.Decider.QUOTA);
            case EXCEEDS_LIMIT -> Set.of(Finding.Decider.GANG_SIZE);
            case WAITING_FOR_CAPACITY -> Set.of(Finding.Decider.CAPACITY, Finding.Decider.BANDWIDTH);
            case FRAGMENTED, TOPOLOGY -> Set.of(Finding.Decider.TOPOLOGY);
            case RESERVED_FOR_OTHER, WAITING_FOR_VICTIMS -> Set.of(Finding.Decider.RESERVATION);
            case NO_MATCHING_FLAVOR -> Set.of(Finding.Decider.FLAVOR_AND_HEALTH);
            default -> Set.of(Finding.Decider.ADMISSION);
        };
        assertThat(explanation.deciders().stream()
                        .filter(one -> which.contains(one.decider()))
                        .map(Finding::outcome))
                .as("%s", explanation.verdict())
                .contains(Finding.Outcome.BLOCKS);
        return true;
    }

    private void check(State state, WaitingJob job, Remedy remedy, String what) {
        found.merge(remedy.kind(), 1, Integer::sum);
        if (remedy.kind() == Remedy.Kind.LATER) {
            assertThat(decide(state, null).reservations().stream()
                            .filter(one -> one.job().equals(job.job()))
                            .map(one -> Remedies.at(one.startMicros())))
                    .as(what)
                    .contains(remedy.startAt());
            return;
        }
        WaitingJob other = switch (remedy.kind()) {
            case NO_TOPOLOGY -> Variants.anywhere(job);
            case ALL_FLAVORS -> Variants.onAllFlavors(job);
            case OTHER_FLAVOR -> Variants.onFlavor(job, remedy.flavor());
            case OTHER_LANE -> Variants.inLane(job, remedy.lane());
            case SHORTER -> Variants.forSeconds(job, remedy.maxRuntimeSeconds());
            default ->
                IntStream.rangeClosed(1, Variants.whole(job))
                        .mapToObj(part -> Variants.part(job, part))
                        .filter(part -> Variants.pods(part).equals(remedy.pods()))
                        .findFirst()
                        .orElseThrow();
        };
        assertThat(decide(state, other).placements().stream()
                        .filter(one -> one.job().equals(job.job()))
                        .map(Question::gpuMilli))
                .as(what + " " + remedy)
                .containsExactly(remedy.gpuMilli());
    }

    /** @param instead a job in place of the one of its id; null for everything as it is */
    private static Plan decide(State state, WaitingJob instead) {
        List<WaitingJob> all = state.waiting().stream()
                .map(job -> instead != null && job.job().equals(instead.job()) ? instead : job)
                .toList();
        return new GangAllocator().decide(state.snapshot(), all, state.running(), state.nowMicros());
    }

    private static Subject subject(WaitingJob job) {
        Integer limit = job.mayRunSeconds() == 0 ? null : (int) job.mayRunSeconds();
        JobSpec plain =
                new JobSpec("x", "q", job.lane(), job.priority(), job.podSets(), job.topology(), null, 0, 0, Map.of());
        return new Subject(
                job.job(),
                job.queue(),
                plain.with(job.lane(), job.priority(), new TimeLimits(limit, null, null, null), Map.of()),
                job.submittedAtMicros(),
                job.user(),
                null);
    }

    /** A few nodes of two flavors in two racks, some jobs that run and some that wait. */
    private static State state(Random random, List<String> flavors, boolean endSome) {
        List<TestNode> nodes = new ArrayList<>();
        for (int n = 0; n < 4 + random.nextInt(4); n++) {
            nodes.add(TestNode.of("n" + n + " gpus=" + (random.nextBoolean() ? 8 : 4) + " rack=r" + n % 2 + " flavor="
                    + (random.nextInt(3) == 0 ? "b" : "a")));
        }
        TestQueues queues = new TestQueues();
        queues.add("x quota=a:" + 4_000 * (1 + random.nextInt(6)) + ",b:8000");
        queues.add("y quota=a:8000,b:4000 borrows=a:" + 4_000 * random.nextInt(3) + ",b:0");
        queues.add("z strict");
        Snapshot empty = TestFleet.snapshot(nodes, queues.shares());
        List<WaitingJob> first = jobs(random, 0, queues, flavors);
        long then = TestJobs.NOW_MICROS - 1_000_000L * random.nextInt(500);
        Plan plan = new GangAllocator().decide(empty, first, then);
        List<RunningJob> running = plan.placements().stream()
                .map(one -> running(one, first, then, random, endSome))
                .toList();
        Snapshot now = AppliedPlan.apply(empty, plan, first);
        return new State(now, jobs(random, first.size(), queues, flavors), running, TestJobs.NOW_MICROS);
    }

    private static RunningJob running(
            Plan.Placement placement, List<WaitingJob> jobs, long then, Random random, boolean endSome) {
        WaitingJob job = jobs.stream()
                .filter(one -> one.job().equals(placement.job()))
                .findFirst()
                .orElseThrow();
        long ends = !endSome || job.mayRunSeconds() == 0 ? 0 : then + (job.mayRunSeconds() + 600) * 1_000_000;
        return new RunningJob(
                job.job(),
                1,
                job.queue(),
                job.lane(),
                job.priority(),
                job.submittedAtMicros(),
                then,
                ends,
                random.nextInt(3) == 0 ? 0 : Long.MAX_VALUE / 2,
                false,
                placement.members(),
                Set.of(),
                job.podSets().stream().collect(Collectors.toMap(PodSet::name, PodSet::minCount)));
    }

    private static List<WaitingJob> jobs(Random random, int age, TestQueues queues, List<String> flavors) {
        List<WaitingJob> jobs = new ArrayList<>();
        for (int i = 0; i < 4 + random.nextInt(4); i++) {
            String line = "j" + i + " gpus=" + (1 << random.nextInt(4)) + " pods=" + (1 + random.nextInt(6))
                    + " queue=" + List.of("default", "x", "y", "z").get(random.nextInt(4))
                    + " lane=" + List.of("green", "yellow", "yellow", "red").get(random.nextInt(4))
                    + flavors.get(random.nextInt(flavors.size()))
                    + List.of("", " required=rack", "").get(random.nextInt(3))
                    + List.of("", " maxRun=600", " maxRun=7200").get(random.nextInt(3));
            jobs.add(TestJobs.of(line, age + i, queues));
        }
        return jobs;
    }
}
