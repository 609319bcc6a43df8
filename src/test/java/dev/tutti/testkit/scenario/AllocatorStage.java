package dev.tutti.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.LanesNow;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.RunningBook;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.StandingAllocator;
import dev.tutti.allocator.WaitingBook;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.model.JobId;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.QueueLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Many decisions of one standing allocator, under a virtual clock, over jobs that wait, run, leave, end and come back. What
 * a plan says is done. Each decision is compared with one made from nothing but what was promised before, and checked:
 * nothing is taken twice, evictions help the one they are for, and none of them too many.
 */
public final class AllocatorStage {

    private static final long MICROS = 1_000_000;

    private final List<TestNode> nodes = new ArrayList<>();
    private final TestQueues queues = new TestQueues();
    private final Map<JobId, String> names = new LinkedHashMap<>();
    private final Map<String, JobId> ids = new HashMap<>();
    private final Map<JobId, WaitingJob> jobs = new LinkedHashMap<>();
    private final Map<JobId, StageRun> runs = new LinkedHashMap<>();
    private final Set<JobId> waiting = new TreeSet<>();
    /** For whom each was asked to leave, of those who wait still. */
    private final Map<JobId, Set<JobId>> asked = new HashMap<>();

    private final Map<String, Long> started = new HashMap<>();
    private final StandingAllocator standing = new GangAllocator().standing();
    private final WaitingBook waitingBook = new WaitingBook();
    private final RunningBook runningBook = new RunningBook();
    private final List<String> evictions = new ArrayList<>();
    private List<Plan.Reservation> reservations = List.of();
    private @Nullable Snapshot empty;
    private LanesNow lanes = LanesNow.FREE;
    private long nowMicros = TestJobs.NOW_MICROS;
    private long protectedForMicros;
    private long checkpointMicros;
    private long decisions;
    private int comparedEvery = 1;
    private boolean maySwapTimes;
    private int swappedTimes;

    /** @param fleet nodes, see {@link TestNode#of}; {@code queues} parents first, see {@link TestQueues#add} */
    public static AllocatorStage of(List<String> fleet, List<String> queues) {
        return new AllocatorStage().fleet(fleet.toArray(String[]::new)).queues(queues.toArray(String[]::new));
    }

    /** Adds nodes, see {@link TestNode#of}. */
    public AllocatorStage fleet(String... lines) {
        Arrays.stream(lines).map(TestNode::of).forEach(nodes::add);
        return this;
    }

    /** Adds queues, parents first, see {@link TestQueues#add}. */
    public AllocatorStage queues(String... lines) {
        Arrays.stream(lines).forEach(queues::add);
        return this;
    }

    /** Jobs that start one after the other, each alone, wherever they fit; see {@link TestJobs#of}. */
    public AllocatorStage running(String... lines) {
        for (String line : lines) {
            WaitingJob job = add(line);
            Plan plan = new GangAllocator().decide(snapshot(), List.of(job), nowMicros);
            assertThat(plan.placements()).as(line).hasSize(1);
            start(plan.placements().get(0));
            nowMicros += 1_000;
        }
        return this;
    }

    /** Submits jobs; one that starts runs for as long as it may. See {@link TestJobs#of}. */
    public AllocatorStage submit(String... lines) {
        for (String line : lines) {
            waiting.add(add(line).job());
        }
        return this;
    }

    /** Jobs that start from now on are no victims for so long. */
    public AllocatorStage protect(long micros) {
        protectedForMicros = micros;
        return this;
    }

    /** Jobs write a checkpoint whenever they have run for so long. */
    public AllocatorStage saveEvery(long micros) {
        checkpointMicros = micros;
        return this;
    }

    /** Nobody gives way: what waits waits for ends. */
    public AllocatorStage protectAll() {
        return protect(Long.MAX_VALUE / 2);
    }

    /** Compares and checks only one of so many decisions, for long stories. */
    public AllocatorStage checkOneIn(int many) {
        comparedEvery = many;
        return this;
    }

    private WaitingJob add(String line) {
        WaitingJob job = TestJobs.of(line, jobs.size(), queues);
        String name = line.trim().split("\\s+")[0];
        jobs.put(job.job(), job);
        names.put(job.job(), name);
        ids.put(name, job.job());
        return job;
    }

    /** From now on other limits of jobs that run in a queue. */
    public AllocatorStage limit(String queue, QueueLimits limits) {
        queues.limit(queue, limits);
        empty = null;
        return this;
    }

    /** From now on other rules of the lanes. */
    public AllocatorStage lanes(LanesNow next) {
        lanes = next;
        return this;
    }

    /** Lets time pass without a decision. */
    public AllocatorStage pass(long micros) {
        nowMicros += micros;
        return this;
    }

    /** Lets time pass, second by second; jobs whose time is up end, and there are decisions until nobody starts. */
    public AllocatorStage until(long atSecond) {
        while (second() < atSecond) {
            endThoseOver();
            settle();
            nowMicros += MICROS;
        }
        endThoseOver();
        return settle();
    }

    /** Jobs whose time is up are gone. */
    public void endThoseOver() {
        runs.values().removeIf(run -> run.endsMicros > 0 && run.endsMicros <= nowMicros);
    }

    /** A job that waits is gone; one that runs begins to leave. */
    public AllocatorStage cancel(String name) {
        forget(name);
        StageRun run = runs.get(id(name));
        if (run != null) {
            run.leaving = true;
            run.isOver = true;
        }
        return this;
    }

    private void forget(String name) {
        waiting.remove(id(name));
        asked.values().forEach(beneficiaries -> beneficiaries.remove(id(name)));
    }

    /** From now on a queue held so much lately, above its quota and of red jobs, in millionths of all there is. */
    public AllocatorStage past(String queue, long millionths) {
        queues.past(queue, millionths, millionths);
        if (empty != null) {
            QueueShares shares = new QueueShares(queues.shares(), lanes);
            empty = new Snapshot(empty.revision() + 1, empty.names(), empty.fleet(), shares, empty.mix());
        }
        return this;
    }

    /** The members of a job end by themselves. */
    public AllocatorStage end(String name) {
        runs.remove(id(name));
        return this;
    }

    /** The job that waits or runs is gone; what it held is free. */
    public AllocatorStage remove(String name) {
        forget(name);
        runs.remove(id(name));
        return settle();
    }

    /** Another limit for a job that runs: it ends at this second, or never by itself for -1. */
    public AllocatorStage limit(String name, long atSecond) {
        StageRun run = runs.get(id(name));
        run.limitMicros = atSecond < 0 ? 0 : micros(atSecond);
        run.endsMicros = run.limitMicros;
        return settle();
    }

    /** A job that runs holds on for so many seconds after its limit. */
    public AllocatorStage overrun(String name, long seconds) {
        StageRun run = runs.get(id(name));
        if (run != null) {
            run.endsMicros = run.limitMicros + seconds * MICROS;
        }
        return this;
    }

    /** All that is leaving has left; jobs that were evicted are submitted again at once. */
    public AllocatorStage leave() {
        List.copyOf(runs.keySet()).forEach(this::leave);
        return this;
    }

    /** What is leaving of one job has left. */
    public AllocatorStage leave(String name) {
        leave(id(name));
        return this;
    }

    private void leave(JobId id) {
        StageRun run = runs.get(id);
        if (run != null && run.leave()) {
            runs.remove(id);
            if (!run.isOver) {
                WaitingJob job = jobs.get(id);
                jobs.put(id, with(job, job.version() + 1, null));
                waiting.add(id);
            }
        }
    }

    /** One decision, in words; what it says is done. */
    public List<String> decide() {
        Snapshot snapshot = snapshot();
        fill();
        if (decisions++ % comparedEvery > 0) {
            return apply(standing.decide(snapshot, waitingBook, runningBook, nowMicros));
        }
        List<WaitingJob> all = waiting.stream().map(jobs::get).toList();
        Map<JobId, RunningJob> running = running();
        // First, while the other remembers only what it decided before.
        Plan fresh =
                standing.afresh().decide(snapshot, WaitingBook.of(all), RunningBook.of(running.values()), nowMicros);
        Plan plan = standing.decide(snapshot, waitingBook, runningBook, nowMicros);
        assertThat(plan.placements()).as("as decided from nothing").isEqualTo(fresh.placements());
        assertThat(plan.evictions()).as("as decided from nothing").isEqualTo(fresh.evictions());
        checkTimes(plan, fresh);
        assertThat(news(plan)).as("as decided from nothing").isEqualTo(news(fresh));
        assertThat(retold(plan)).as("as decided from nothing").isEqualTo(retold(fresh));
        EvictionChecks.check(empty, snapshot, plan, running, jobs);
        LimitChecks.check(snapshot, plan, running, jobs);
        QuotaChecks.check(snapshot, plan, jobs.values());
        return apply(plan);
    }

    /** The same times; or others, where of queues with equal shares one and the other was first, which is told by who is tried. */
    private void checkTimes(Plan plan, Plan fresh) {
        if (!maySwapTimes) {
            assertThat(plan.reservations()).as("as decided from nothing").isEqualTo(fresh.reservations());
        } else if (!plan.reservations().equals(fresh.reservations())) {
            swappedTimes++;
        }
    }

    /** From now on queues with equal shares may get their times in any order. */
    public AllocatorStage swapTimes() {
        maySwapTimes = true;
        return this;
    }

    /** Decisions in which they had another order than decided from nothing. */
    public int swappedTimes() {
        return swappedTimes;
    }

    /** Decides until nobody starts any more. */
    public AllocatorStage settle() {
        while (decide().stream().anyMatch(line -> line.endsWith(" starts"))) {
            // each decision may let the next do more
        }
        return this;
    }

    /** Decides until a decision changes nothing; all who leave have left before the next. */
    public List<String> settle(int most) {
        List<String> all = new ArrayList<>();
        for (int round = 0; round < most; round++) {
            List<String> told = decide();
            if (told.isEmpty()) {
                return all;
            }
            all.addAll(told);
            leave();
        }
        throw new AssertionError("no end after " + most + " rounds: " + all);
    }

    /** By trying all sets: how few weaker jobs of its queue must be gone for a job to fit; -1 when not even all suffice. */
    public int fewestVictims(String name) {
        WaitingJob job = jobs.get(id(name));
        List<JobId> weaker = runs.keySet().stream()
                .filter(id ->
                        jobs.get(id).queue().equals(job.queue()) && jobs.get(id).priority() < job.priority())
                .toList();
        int fewest = -1;
        for (int set = 0; set < 1 << weaker.size(); set++) {
            if (fewest < 0 || Integer.bitCount(set) < fewest) {
                List<Plan.Placement> held = new ArrayList<>();
                for (Map.Entry<JobId, StageRun> run : runs.entrySet()) {
                    int bit = weaker.indexOf(run.getKey());
                    if (bit < 0 || (set & 1 << bit) == 0) {
                        held.add(new Plan.Placement(run.getKey(), 1, run.getValue().members));
                    }
                }
                boolean fits = !new GangAllocator()
                        .decide(holding(held), List.of(job), nowMicros)
                        .placements()
                        .isEmpty();
                fewest = fits ? Integer.bitCount(set) : fewest;
            }
        }
        return fewest;
    }

    private void fill() {
        for (JobId id : jobs.keySet()) {
            if (waiting.contains(id)) {
                waitingBook.put(jobs.get(id));
            } else {
                waitingBook.remove(id);
            }
            if (!runs.containsKey(id)) {
                runningBook.remove(id);
            }
        }
        running().values().forEach(runningBook::put);
    }

    private Map<JobId, RunningJob> running() {
        Map<JobId, RunningJob> running = new LinkedHashMap<>();
        runs.forEach((id, run) ->
                running.put(id, run.row(jobs.get(id), asked.getOrDefault(id, Set.of()), checkpointMicros, nowMicros)));
        return running;
    }

    private Snapshot snapshot() {
        List<Plan.Placement> held = new ArrayList<>();
        runs.forEach((id, run) -> held.add(new Plan.Placement(id, 1, run.members)));
        Snapshot full = holding(held);
        for (int free : full.fleet().deviceFreeMilli()) {
            assertThat(free).as("milli-GPU left of a device").isNotNegative();
        }
        for (long free : full.fleet().cpuFreeMilli()) {
            assertThat(free).as("CPU left of a node").isNotNegative();
        }
        return full;
    }

    /** All of this on the empty fleet. */
    private Snapshot holding(List<Plan.Placement> held) {
        if (empty == null) {
            empty = TestFleet.snapshot(nodes, queues.shares());
        }
        if (!empty.queues().lanes().equals(lanes)) {
            QueueShares shares = new QueueShares(empty.queues().queues(), lanes);
            empty = new Snapshot(empty.revision() + 1, empty.names(), empty.fleet(), shares, empty.mix());
        }
        return AppliedPlan.apply(empty, new Plan(1, held, List.of()), jobs.values());
    }

    private void start(Plan.Placement placement) {
        waiting.remove(placement.job());
        asked.values().forEach(beneficiaries -> beneficiaries.remove(placement.job()));
        long until = protectedForMicros == 0 ? 0 : nowMicros + protectedForMicros;
        long seconds = jobs.get(placement.job()).mayRunSeconds();
        long limit = seconds == 0 ? 0 : nowMicros + seconds * MICROS;
        runs.put(placement.job(), new StageRun(placement.members(), nowMicros, until, limit));
        started.put(names.get(placement.job()), second());
    }

    private List<String> apply(Plan plan) {
        List<String> told = new ArrayList<>();
        reservations = plan.reservations();
        for (Plan.Placement placement : plan.placements()) {
            start(placement);
            told.add(names.get(placement.job()) + " starts");
        }
        for (Plan.Eviction eviction : plan.evictions()) {
            runs.get(eviction.victim()).ask(eviction);
            asked.computeIfAbsent(eviction.victim(), first -> new HashSet<>()).add(eviction.beneficiary());
            String text = names.get(eviction.victim()) + " " + eviction.cause() + " for "
                    + names.get(eviction.beneficiary()) + (eviction.ranks().isEmpty() ? "" : " " + eviction.ranks());
            told.add(text);
            evictions.add(text);
        }
        for (Plan.Wait wait : news(plan)) {
            Reason reason = wait.reason();
            told.add(names.get(wait.job()) + " waits " + reason.code()
                    + (reason.resource() == null ? "" : " " + reason.wanted() + " of " + reason.available())
                    + until(reason));
        }
        Stream.concat(plan.waits().stream(), plan.retold().stream())
                .forEach(wait -> jobs.computeIfPresent(wait.job(), (id, job) -> job.told(wait.reason(), nowMicros)));
        return told;
    }

    /** New numbers. Times are not compared: who forgets tells of each as if it were the first, as a verdict. */
    private static List<Plan.Wait> retold(Plan plan) {
        return plan.retold().stream()
                .filter(wait -> wait.reason().code() != ReasonCode.RESERVED_FOR_OTHER
                        && wait.reason().code() != ReasonCode.LANE_RATE)
                .toList();
    }

    /** Verdicts with another code than before; a time that is told anew is none. */
    private List<Plan.Wait> news(Plan plan) {
        return plan.waits().stream()
                .filter(wait -> {
                    Reason before = jobs.get(wait.job()).verdict();
                    return before == null
                            || before.code() != wait.reason().code()
                            || before.untilMicros() != wait.reason().untilMicros();
                })
                .toList();
    }

    private static String until(Reason reason) {
        return reason.untilMicros() == 0
                ? ""
                : reason.untilMicros() == LanesNow.NEVER
                        ? " for good"
                        : " until " + (reason.untilMicros() - TestJobs.NOW_MICROS) / 1_000_000;
    }

    private static WaitingJob with(WaitingJob job, long version, @Nullable Reason verdict) {
        return new WaitingJob(
                job.job(),
                version,
                job.queue(),
                job.lane(),
                job.priority(),
                job.submittedAtMicros(),
                job.notBeforeMicros(),
                job.mayRunSeconds(),
                job.podSets(),
                job.topology(),
                verdict,
                job.user(),
                job.growth(),
                job.fallback());
    }

    private static long micros(long atSecond) {
        return TestJobs.NOW_MICROS + atSecond * MICROS;
    }

    /** Since the beginning. */
    public long second() {
        return (nowMicros - TestJobs.NOW_MICROS) / MICROS;
    }

    public JobId id(String name) {
        return ids.get(name);
    }

    public boolean runs(String name) {
        return runs.containsKey(id(name));
    }

    public boolean waits(String name) {
        return waiting.contains(id(name));
    }

    /** Names of the jobs that hold something. */
    public Set<String> runningNow() {
        return runs.keySet().stream().map(names::get).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The same, in the order of their starts. */
    public List<String> inOrderOfStart() {
        return runs.keySet().stream().map(names::get).toList();
    }

    /** Names of the jobs that wait. */
    public Set<String> waitingNow() {
        return waiting.stream().map(names::get).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Names of the jobs that are asked to leave, whole or in part, and have not left. */
    public Set<String> leavingNow() {
        return runs.entrySet().stream()
                .filter(each -> each.getValue().isAsked())
                .map(each -> names.get(each.getKey()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Ranks of the living members of a job. */
    public List<Integer> ranks(String name) {
        return runs.get(id(name)).members.stream().map(Plan.PodPlacement::rank).toList();
    }

    /** Every eviction so far. */
    public List<String> evictions() {
        return evictions;
    }

    /** The last verdict written of a job; null for none. */
    public @Nullable Reason verdict(String name) {
        return jobs.get(id(name)).verdict();
    }

    /** Second of a job's last start; -1 when it has not started. */
    public long startOf(String name) {
        return started.getOrDefault(name, -1L);
    }

    /** Second at which a job is planned to start at the latest; -1 when it has no time. */
    public long plannedStart(String name) {
        return reservations.stream()
                .filter(each -> each.job().equals(id(name)))
                .map(each -> (each.startMicros() - TestJobs.NOW_MICROS) / MICROS)
                .findFirst()
                .orElse(-1L);
    }

    /** Jobs that have a time, in order of turn. */
    public List<String> reserved() {
        return reservations.stream().map(each -> names.get(each.job())).toList();
    }

    /** Names of the nodes planned for a job. */
    public List<String> plannedNodes(String name) {
        return reservations.stream()
                .filter(each -> each.job().equals(id(name)))
                .flatMap(each -> each.nodes().stream())
                .map(node -> nodes.get((int) node.value() - 1).name())
                .toList();
    }

    /** Milli-GPU that jobs hold now. */
    public long heldMilli() {
        return runs.values().stream()
                .flatMap(run -> run.members.stream())
                .mapToLong(pod -> (long) pod.devices().size() * pod.milliPerDevice())
                .sum();
    }
}
