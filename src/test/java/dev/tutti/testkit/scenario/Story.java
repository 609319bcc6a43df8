package dev.tutti.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningBook;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.StandingAllocator;
import dev.tutti.allocator.WaitingBook;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.model.JobId;
import dev.tutti.model.life.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Many decisions of one standing allocator under a virtual clock: jobs come, start, and end when their time is up. Seconds are
 * counted from the story's beginning. What jobs hold is counted anew at every decision, by the plans' own words.
 */
public final class Story {

    private static final long MICROS = 1_000_000;

    private final List<TestNode> nodes = new ArrayList<>();
    private final TestQueues queues = new TestQueues();
    private final Map<String, WaitingJob> jobs = new LinkedHashMap<>();
    private final Map<String, WaitingJob> waiting = new LinkedHashMap<>();
    private final Map<String, Run> running = new LinkedHashMap<>();
    private final Map<String, Long> started = new HashMap<>();
    private final Map<String, Reason> verdicts = new HashMap<>();
    private final WaitingBook book = new WaitingBook();
    private final RunningBook runningBook = new RunningBook();
    private final StandingAllocator allocator = new GangAllocator().standing();
    private @Nullable Snapshot empty;
    private List<Plan.Reservation> reservations = List.of();
    private long second;

    /** A job that runs: until when at the latest by its limit, -1 for no limit; and when it really ends. */
    private record Run(Plan.Placement placement, long startedAt, long limit, long end) {}

    /** Adds nodes, see {@link TestNode#of}. */
    public Story fleet(String... lines) {
        Arrays.stream(lines).map(TestNode::of).forEach(nodes::add);
        return this;
    }

    /** Adds queues, parents first, see {@link TestQueues#add}. */
    public Story queues(String... lines) {
        Arrays.stream(lines).forEach(queues::add);
        return this;
    }

    /** Submits a job, see {@link TestJobs#of}; it runs for as long as it may. */
    public Story submit(String line) {
        String name = line.trim().split("\\s+")[0];
        WaitingJob job = TestJobs.of(line, jobs.size(), queues);
        jobs.put(name, job);
        waiting.put(name, job);
        book.put(job);
        return this;
    }

    /** Lets time pass, second by second; jobs whose time is up end, and whenever something happened there is a decision. */
    public Story until(long atSecond) {
        for (; second < atSecond; second++) {
            endThoseOver();
            settle();
        }
        endThoseOver();
        settle();
        return this;
    }

    /** The job that waits or runs is gone; what it held is free. */
    public Story remove(String name) {
        WaitingJob job = jobs.get(name);
        if (waiting.remove(name) != null) {
            book.remove(job.job());
        }
        if (running.remove(name) != null) {
            runningBook.remove(job.job());
        }
        return settle();
    }

    /** Another limit for a job that runs: it ends at this second, or never by itself for -1. */
    public Story limit(String name, long atSecond) {
        Run run = running.get(name);
        running.put(name, new Run(run.placement, run.startedAt, atSecond, atSecond));
        write(name);
        return settle();
    }

    /** A job that runs holds on for so many seconds after its limit. */
    public Story overrun(String name, long seconds) {
        running.computeIfPresent(
                name, (key, run) -> new Run(run.placement, run.startedAt, run.limit, run.limit + seconds));
        return this;
    }

    /** Decides until nothing changes any more. */
    public Story settle() {
        while (decide()) {
            // each decision may let the next do more
        }
        return this;
    }

    private void endThoseOver() {
        for (String name : List.copyOf(running.keySet())) {
            long end = running.get(name).end;
            if (running.get(name).limit == second && end > second) {
                write(name);
            }
            if (end >= 0 && end <= second) {
                running.remove(name);
                runningBook.remove(jobs.get(name).job());
            }
        }
    }

    private boolean decide() {
        Plan plan = allocator.decide(snapshot(), book, runningBook, now());
        reservations = plan.reservations();
        plan.placements().forEach(this::start);
        for (Plan.Wait wait : plan.waits()) {
            String name = name(wait.job());
            verdicts.put(name, wait.reason());
            WaitingJob job = withVerdict(waiting.get(name), wait.reason());
            waiting.put(name, job);
            book.put(job);
        }
        snapshot();
        return !plan.placements().isEmpty();
    }

    private void start(Plan.Placement placement) {
        String name = name(placement.job());
        WaitingJob job = waiting.remove(name);
        book.remove(job.job());
        long end = job.mayRunSeconds() == 0 ? -1 : second + job.mayRunSeconds();
        running.put(name, new Run(placement, second, end, end));
        started.put(name, second);
        write(name);
    }

    private void write(String name) {
        Run run = running.get(name);
        WaitingJob job = jobs.get(name);
        runningBook.put(new RunningJob(
                job.job(),
                1,
                job.queue(),
                job.lane(),
                job.priority(),
                job.submittedAtMicros(),
                micros(run.startedAt),
                run.limit < 0 || isLeaving(run) ? 0 : micros(run.limit),
                // Nobody gives way here: what waits waits for ends.
                Long.MAX_VALUE,
                isLeaving(run),
                run.placement.members(),
                Set.of(),
                Map.of()));
    }

    /** Its time is up, and it has not let go yet. */
    private boolean isLeaving(Run run) {
        return run.limit >= 0 && run.limit <= second && run.end > second;
    }

    /** Everything that runs, on the empty fleet. */
    private Snapshot snapshot() {
        if (empty == null) {
            empty = TestFleet.snapshot(nodes, queues.shares());
        }
        List<Plan.Placement> all = running.values().stream().map(Run::placement).toList();
        Snapshot full = AppliedPlan.apply(empty, new Plan(1, all, List.of()), jobs.values());
        for (int d = 0; d < full.fleet().devices(); d++) {
            assertThat(full.fleet().deviceFreeMilli()[d]).isNotNegative();
        }
        return full;
    }

    private static WaitingJob withVerdict(WaitingJob job, Reason verdict) {
        return new WaitingJob(
                job.job(),
                job.version(),
                job.queue(),
                job.lane(),
                job.priority(),
                job.submittedAtMicros(),
                job.notBeforeMicros(),
                job.mayRunSeconds(),
                job.podSets(),
                job.topology(),
                verdict);
    }

    private String name(JobId id) {
        return jobs.entrySet().stream()
                .filter(entry -> entry.getValue().job().equals(id))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    private static long micros(long atSecond) {
        return TestJobs.NOW_MICROS + atSecond * MICROS;
    }

    private long now() {
        return micros(second);
    }

    public long second() {
        return second;
    }

    public boolean runs(String name) {
        return running.containsKey(name);
    }

    public boolean waits(String name) {
        return waiting.containsKey(name);
    }

    /** Second of a job's start; -1 when it has not started. */
    public long startOf(String name) {
        return started.getOrDefault(name, -1L);
    }

    /** Second at which a job is planned to start at the latest; -1 when it has no time. */
    public long plannedStart(String name) {
        return reservations.stream()
                .filter(each -> each.job().equals(jobs.get(name).job()))
                .map(each -> (each.startMicros() - TestJobs.NOW_MICROS) / MICROS)
                .findFirst()
                .orElse(-1L);
    }

    /** Jobs that have a time, in order of turn. */
    public List<String> reserved() {
        return reservations.stream().map(each -> name(each.job())).toList();
    }

    /** Names of the nodes planned for a job. */
    public List<String> plannedNodes(String name) {
        return reservations.stream()
                .filter(each -> each.job().equals(jobs.get(name).job()))
                .flatMap(each -> each.nodes().stream())
                .map(node -> nodes.get((int) node.value() - 1).name())
                .toList();
    }

    /** The last verdict written of a job. */
    public Reason verdict(String name) {
        return verdicts.get(name);
    }

    public JobId id(String name) {
        return jobs.get(name).job();
    }

    /** Milli-GPU that jobs hold now. */
    public long heldMilli() {
        return running.values().stream()
                .flatMap(run -> run.placement.members().stream())
                .mapToLong(pod -> (long) pod.devices().size() * pod.milliPerDevice())
                .sum();
    }

    /** Names of the jobs that run. */
    public List<String> running() {
        return List.copyOf(running.keySet());
    }
}
