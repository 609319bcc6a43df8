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
import dev.tutti.model.job.Lane;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decisions one after the other over jobs that run, wait, leave and come back. Each decision is compared with one made from
 * nothing, and checked: nothing is taken twice, evictions help the one they are for, and none of them too many.
 */
public final class Stage {

    private final Snapshot base;
    private final TestQueues queues = new TestQueues();
    private final Map<JobId, String> names = new LinkedHashMap<>();
    private final Map<JobId, WaitingJob> jobs = new LinkedHashMap<>();
    private final Map<JobId, Run> runs = new LinkedHashMap<>();
    private final Set<JobId> waiting = new TreeSet<>();
    /** By victim. */
    private final Map<JobId, Set<JobId>> asked = new HashMap<>();

    private final StandingAllocator standing = new GangAllocator().standing();
    private final WaitingBook waitingBook = new WaitingBook();
    private final RunningBook runningBook = new RunningBook();
    private final List<String> evictions = new ArrayList<>();
    private long nowMicros = TestJobs.NOW_MICROS;
    private long protectedUntilMicros;
    private long checkpointMicros;
    private Map<Lane, Long> closed = Map.of();
    private final Map<Lane, Integer> rates = new EnumMap<>(Lane.class);
    private final Map<Lane, List<Long>> starts = new EnumMap<>(Lane.class);
    private Set<Lane> askNobody = Set.of();
    private final Map<Lane, Long> fallback = new EnumMap<>(Lane.class);

    /** One attempt. */
    private static final class Run {
        final long startedAtMicros;
        final long protectedUntilMicros;
        List<Plan.PodPlacement> members;
        final Set<Integer> leavingRanks = new HashSet<>();
        boolean leaving;
        final Set<JobId> beneficiaries = new HashSet<>();

        Run(List<Plan.PodPlacement> members, long startedAtMicros, long protectedUntilMicros) {
            this.members = members;
            this.startedAtMicros = startedAtMicros;
            this.protectedUntilMicros = protectedUntilMicros;
        }
    }

    private Stage(List<String> fleet, List<String> queueLines) {
        queueLines.forEach(queues::add);
        base = TestFleet.snapshot(fleet.stream().map(TestNode::of).toList(), queues.shares());
    }

    public static Stage of(List<String> fleet, List<String> queues) {
        return new Stage(fleet, queues);
    }

    /** Jobs that start one after the other, each alone, wherever they fit. */
    public Stage running(String... lines) {
        for (String line : lines) {
            WaitingJob job = add(line);
            Plan plan = new GangAllocator().decide(snapshot(), List.of(job), nowMicros);
            assertThat(plan.placements()).as(line).hasSize(1);
            start(plan.placements().get(0));
            nowMicros += 1_000;
        }
        return this;
    }

    public Stage submit(String... lines) {
        for (String line : lines) {
            waiting.add(add(line).job());
        }
        return this;
    }

    /** Jobs that start from now on are no victims for so long. */
    public Stage protect(long micros) {
        protectedUntilMicros = micros;
        return this;
    }

    /** Jobs write a checkpoint whenever they have run for so long. */
    public Stage saveEvery(long micros) {
        checkpointMicros = micros;
        return this;
    }

    /** From now on nothing of these lanes starts, and of all others something may. */
    public Stage closed(Lane... lanes) {
        closed = Arrays.stream(lanes).collect(Collectors.toMap(lane -> lane, lane -> Long.MAX_VALUE));
        return this;
    }

    /** From now on no more than so many jobs of the lane may start within any minute. */
    public Stage rate(Lane lane, int limit) {
        rates.put(lane, limit);
        return this;
    }

    /** From now on jobs of the lane wait so many seconds for each flavor before the next; for good if it is below 0. */
    public Stage fallback(Lane lane, long seconds) {
        fallback.put(lane, seconds < 0 ? LanesNow.NEVER : seconds * 1_000_000);
        return this;
    }

    /** What the job was told last. */
    public String told(String name) {
        return Objects.requireNonNull(jobs.get(id(name)).verdict()).detail();
    }

    /** Flavors on which the job runs. */
    public Set<String> flavorsOf(String name) {
        return runs.get(id(name)).members.stream()
                .map(Plan.PodPlacement::flavor)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** When the next decision is due though nothing changes, in seconds since the beginning. */
    public long nextWake() {
        fill();
        return (waitingBook.nextWakeMicros() - TestJobs.NOW_MICROS) / 1_000_000;
    }

    /** From now on jobs of these lanes make nobody leave for being weaker. */
    public Stage askNobody(Lane... lanes) {
        askNobody = Set.of(lanes);
        return this;
    }

    public Stage pass(long micros) {
        nowMicros += micros;
        return this;
    }

    private WaitingJob add(String line) {
        WaitingJob job = TestJobs.of(line, jobs.size(), queues);
        jobs.put(job.job(), job);
        names.put(job.job(), line.trim().split("\\s+")[0]);
        return job;
    }

    public Stage cancel(String name) {
        waiting.remove(id(name));
        Run run = runs.get(id(name));
        if (run != null) {
            run.leaving = true;
        }
        return this;
    }

    /** The members of a job end by themselves. */
    public Stage end(String name) {
        runs.remove(id(name));
        return this;
    }

    /** All that is leaving has left; jobs that were evicted are submitted again at once. */
    public Stage leave() {
        for (JobId id : List.copyOf(runs.keySet())) {
            Run run = runs.get(id);
            run.members = run.members.stream()
                    .filter(member -> !run.leaving && !run.leavingRanks.contains(member.rank()))
                    .toList();
            run.leavingRanks.clear();
            if (run.members.isEmpty()) {
                runs.remove(id);
                WaitingJob job = jobs.get(id);
                jobs.put(id, with(job, job.version() + 1, null));
                waiting.add(id);
            } else {
                run.beneficiaries.clear();
            }
        }
        return this;
    }

    /** One decision, in words; what it says is done. */
    public List<String> decide() {
        Snapshot snapshot = snapshot();
        fill();
        Plan plan = standing.decide(snapshot, waitingBook, runningBook, nowMicros);
        List<WaitingJob> all = waiting.stream().map(jobs::get).toList();
        Plan fresh = new GangAllocator()
                .standing()
                .decide(snapshot, WaitingBook.of(all), RunningBook.of(running().values()), nowMicros);
        assertThat(plan.placements()).as("as decided from nothing").isEqualTo(fresh.placements());
        assertThat(plan.evictions()).as("as decided from nothing").isEqualTo(fresh.evictions());
        assertThat(news(plan)).as("as decided from nothing").isEqualTo(news(fresh));
        assertThat(retold(plan)).as("as decided from nothing").isEqualTo(retold(fresh));
        StageChecks.check(base, snapshot, plan, running(), jobs, nowMicros);
        return apply(plan);
    }

    /** Decides until two decisions in a row change nothing; all who leave have left before the next. */
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

    public List<String> evictions() {
        return evictions;
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
                for (Map.Entry<JobId, Run> run : runs.entrySet()) {
                    int bit = weaker.indexOf(run.getKey());
                    if (bit < 0 || (set & 1 << bit) == 0) {
                        held.add(new Plan.Placement(run.getKey(), 1, run.getValue().members));
                    }
                }
                Snapshot without = AppliedPlan.apply(base, new Plan(1, held, List.of()), jobs.values());
                boolean fits = !new GangAllocator()
                        .decide(without, List.of(job), nowMicros)
                        .placements()
                        .isEmpty();
                fewest = fits ? Integer.bitCount(set) : fewest;
            }
        }
        return fewest;
    }

    /** Names of the jobs that hold something. */
    public Set<String> runningNow() {
        return runs.keySet().stream().map(names::get).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Ranks of the living members of a job. */
    public List<Integer> ranks(String name) {
        return runs.get(id(name)).members.stream().map(Plan.PodPlacement::rank).toList();
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
        runs.forEach((id, run) -> {
            WaitingJob job = jobs.get(id);
            Map<String, Integer> minCounts = new HashMap<>();
            job.podSets().forEach(set -> minCounts.put(set.name(), set.minCount()));
            running.put(
                    id,
                    new RunningJob(
                            id,
                            job.version(),
                            job.queue(),
                            job.lane(),
                            job.priority(),
                            job.submittedAtMicros(),
                            run.startedAtMicros,
                            0,
                            run.protectedUntilMicros,
                            run.leaving,
                            run.beneficiaries,
                            run.members,
                            run.leavingRanks,
                            minCounts,
                            askedFor(id),
                            job.user(),
                            checkpointMicros));
        });
        return running;
    }

    /** For whom it was asked to leave of those that wait still. */
    private Set<JobId> askedFor(JobId id) {
        return asked.getOrDefault(id, Set.of()).stream()
                .filter(waiting::contains)
                .collect(Collectors.toSet());
    }

    private Snapshot snapshot() {
        List<Plan.Placement> held = new ArrayList<>();
        runs.forEach((id, run) -> held.add(new Plan.Placement(id, 1, run.members)));
        Snapshot full = AppliedPlan.apply(base, new Plan(1, held, List.of()), jobs.values());
        QueueShares shares = new QueueShares(full.queues().queues(), lanes());
        return new Snapshot(full.revision(), full.names(), full.fleet(), shares, full.mix());
    }

    private LanesNow lanes() {
        Map<Lane, LanesNow.Rate> now = new EnumMap<>(Lane.class);
        rates.forEach((lane, limit) -> {
            List<Long> lately = starts.getOrDefault(lane, List.of()).stream()
                    .filter(at -> at > nowMicros - 60_000_000)
                    .toList();
            long next = lately.isEmpty() ? 0 : lately.get(Math.max(0, lately.size() - limit)) + 60_000_000;
            now.put(lane, new LanesNow.Rate(limit, Math.max(0, limit - lately.size()), next));
        });
        return new LanesNow(closed, now, askNobody, fallback);
    }

    private void start(Plan.Placement placement) {
        starts.computeIfAbsent(jobs.get(placement.job()).lane(), first -> new ArrayList<>())
                .add(nowMicros);
        waiting.remove(placement.job());
        asked.values().forEach(beneficiaries -> beneficiaries.remove(placement.job()));
        long until = protectedUntilMicros == 0 ? 0 : nowMicros + protectedUntilMicros;
        runs.put(placement.job(), new Run(placement.members(), nowMicros, until));
    }

    private List<String> apply(Plan plan) {
        List<String> told = new ArrayList<>();
        for (Plan.Placement placement : plan.placements()) {
            start(placement);
            told.add(names.get(placement.job()) + " starts");
        }
        for (Plan.Eviction eviction : plan.evictions()) {
            Run run = runs.get(eviction.victim());
            run.leaving = eviction.ranks().isEmpty();
            run.leavingRanks.addAll(eviction.ranks());
            run.beneficiaries.add(eviction.beneficiary());
            asked.computeIfAbsent(eviction.victim(), first -> new HashSet<>()).add(eviction.beneficiary());
            String text = names.get(eviction.victim()) + " " + eviction.cause() + " for "
                    + names.get(eviction.beneficiary()) + (eviction.ranks().isEmpty() ? "" : " " + eviction.ranks());
            told.add(text);
            evictions.add(text);
        }
        for (Plan.Wait wait : news(plan)) {
            Reason reason = wait.reason();
            jobs.compute(wait.job(), (id, job) -> job.told(reason, nowMicros));
            told.add(names.get(wait.job()) + " waits " + reason.code()
                    + (reason.resource() == null ? "" : " " + reason.wanted() + " of " + reason.available())
                    + until(reason));
        }
        plan.retold()
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

    private JobId id(String name) {
        return names.entrySet().stream()
                .filter(entry -> entry.getValue().equals(name))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }
}
