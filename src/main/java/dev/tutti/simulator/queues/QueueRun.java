package dev.tutti.simulator.queues;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningBook;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.StandingAllocator;
import dev.tutti.allocator.WaitingBook;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.allocator.quota.PastShares;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntConsumer;

/**
 * The real scheduler over jobs that come and end in virtual time. Nothing fails; who is asked to leave is gone after its grace,
 * has lost all it did, and waits again with its place.
 */
public final class QueueRun {

    /** What most jobs are given between the signal to stop and the kill. */
    static final long GRACE_SECONDS = 30;

    private static final int MOST_ROUNDS = 10_000;

    private final List<JobStory> stories = new ArrayList<>();
    private final RunRules rules;
    private final RunWatcher watcher;
    private final Machines machines;
    private final Books books;
    private final Rows rows;
    private final Events events;
    private final WaitingBook waiting = new WaitingBook();
    private final RunningBook running = new RunningBook();
    private final StandingAllocator scheduler = new GangAllocator().standing();
    private final Set<Integer> leaving = new HashSet<>();
    private int arrived;
    private int done;
    private long decisions;
    private long now;

    private QueueRun(List<QueueNode> queues, List<QueuedJob> jobs, RunRules rules, RunWatcher watcher) {
        this.rules = rules;
        this.watcher = watcher;
        jobs.stream()
                .sorted(Comparator.comparingLong(QueuedJob::atSeconds))
                .forEach(job -> stories.add(new JobStory(job)));
        books = new Books(queues, rules);
        machines = new Machines(flavors(queues));
        rows = new Rows(books, rules);
        events = new Events(jobs.size());
    }

    /** Every leaf brings the nodes of its quota. */
    private List<String> flavors(List<QueueNode> queues) {
        Set<Integer> parents = new HashSet<>();
        queues.forEach(queue -> parents.add(queue.parent()));
        List<String> flavors = new ArrayList<>();
        int gpus = 0;
        for (int q = 0; q < queues.size(); q++) {
            gpus += parents.contains(q) ? 0 : queues.get(q).gpus();
            while (gpus >= Machines.NODE_GPUS) {
                flavors.add(books.flavor(q));
                gpus -= Machines.NODE_GPUS;
            }
        }
        return flavors;
    }

    /**
     * Plays it.
     *
     * @param queues the tree; the quotas of the leaves together are the fleet, in nodes of 8 GPUs
     * @param jobs each of a leaf in which it fits
     * @param afterEnd told how many jobs have ended
     * @throws IllegalStateException when a job waits for ever, or the scheduler gives away what there is not
     */
    public static QueueOutcome play(
            List<QueueNode> queues, List<QueuedJob> jobs, RunRules rules, IntConsumer afterEnd) {
        return play(queues, jobs, rules, RunWatcher.NONE, afterEnd);
    }

    static QueueOutcome play(
            List<QueueNode> queues, List<QueuedJob> jobs, RunRules rules, RunWatcher watcher, IntConsumer afterEnd) {
        return new QueueRun(queues, jobs, rules, watcher).play(afterEnd);
    }

    private QueueOutcome play(IntConsumer afterEnd) {
        while (done < stories.size()) {
            long arrival = arrived < stories.size() ? stories.get(arrived).job().atSeconds() : Long.MAX_VALUE;
            long before = now;
            now = Math.min(Math.min(arrival, events.next()), wakes(before));
            if (now == Long.MAX_VALUE) {
                throw new IllegalStateException(waiting.size() + " jobs wait for ever, such as "
                        + waiting.jobs().iterator().next());
            }
            remember(before);
            while (events.next() <= now) {
                end(events.poll());
            }
            while (arrived < stories.size() && stories.get(arrived).job().atSeconds() <= now) {
                enqueue(arrived++, 0);
            }
            for (int job : rows.grownImpatient(now)) {
                waiting.put(rows.waiting(job, stories.get(job).job(), now));
            }
            decide();
            watcher.settled(this);
            afterEnd.accept(done);
        }
        return new QueueOutcome(stories, decisions);
    }

    /** When the next that rests is tried again; never when none rests. */
    private long wakes(long since) {
        return waiting.nextWakeMicros() == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : Math.max(since, Rows.seconds(waiting.nextWakeMicros()));
    }

    /** What is held has been held since then. */
    private void remember(long since) {
        if (rules.halfLife().isOn() && now > since) {
            books.remember(PastShares.of(snapshot(), rules.halfLife(), Rows.micros(since), Rows.micros(now)));
        }
    }

    private Snapshot snapshot() {
        return new Snapshot(decisions, machines.names(), machines.arrays(), books.shares(), Mix.UNKNOWN);
    }

    /** @param notBefore when it is tried again, in seconds; 0 for at once */
    private void enqueue(int job, long notBefore) {
        books.queue(stories.get(job).job().queue(), stories.get(job).job().gpus());
        waiting.put(rows.waiting(job, stories.get(job).job(), now, notBefore));
    }

    private void end(int job) {
        JobStory story = stories.get(job);
        RunningJob held = attempt(Rows.id(job));
        machines.give(held.members());
        running.remove(held.job());
        books.hold(story.job().queue(), -story.job().gpus());
        boolean isOver = now >= story.startedAt() + story.job().seconds();
        if (leaving.remove(job) && !isOver) {
            long rests = story.evicted(now);
            enqueue(job, rests == 0 ? 0 : now + rests);
        } else {
            story.end(now);
            done++;
        }
    }

    /** Asks until there is nothing more to do now. */
    private void decide() {
        for (int round = 0; round < MOST_ROUNDS && !waiting.isEmpty(); round++) {
            decisions++;
            Snapshot snapshot = snapshot();
            Plan plan = rules.preemption()
                    ? scheduler.decide(snapshot, waiting, running, Rows.micros(now))
                    : scheduler.decide(snapshot, waiting, Rows.micros(now));
            plan.placements().forEach(this::start);
            if (!plan.evictions().isEmpty()) {
                watcher.evicts(this, plan);
            }
            Map<JobId, List<JobId>> chosen = victims(plan);
            chosen.forEach((beneficiary, victims) -> victims.forEach(victim -> evict(victim, beneficiary)));
            if (plan.placements().isEmpty() && chosen.values().stream().allMatch(List::isEmpty)) {
                return;
            }
        }
        if (!waiting.isEmpty()) {
            throw new IllegalStateException("the scheduler does not come to rest at " + now + " s");
        }
    }

    private void start(Plan.Placement placement) {
        int job = Rows.numberOf(placement.job());
        JobStory story = stories.get(job);
        machines.take(placement.members());
        books.queue(story.job().queue(), -story.job().gpus());
        books.hold(story.job().queue(), story.job().gpus());
        waiting.remove(placement.job());
        running.put(rows.running(job, story.job(), placement.members(), now));
        story.start(now);
        events.set(job, now + story.job().seconds());
    }

    /** By beneficiary. */
    private Map<JobId, List<JobId>> victims(Plan plan) {
        if (plan.evictions().stream().anyMatch(one -> !one.ranks().isEmpty())) {
            throw new IllegalStateException("a gang is asked to give up single members: " + plan.evictions());
        }
        return GreedyVictims.chosen(this, plan, rules.victims());
    }

    private void evict(JobId victim, JobId beneficiary) {
        int job = Rows.numberOf(victim);
        JobStory story = stories.get(job);
        boolean isOwn = story.job().queue() == story(beneficiary).job().queue();
        story.leave(isOwn ? EndCause.PREEMPTED : EndCause.RECLAIMED);
        running.put(Rows.leaving(attempt(victim), beneficiary, now + GRACE_SECONDS));
        leaving.add(job);
        events.set(
                job,
                Math.min(now + GRACE_SECONDS, story.startedAt() + story.job().seconds()));
    }

    private RunningJob attempt(JobId job) {
        return Objects.requireNonNull(running.job(job), "a job that does not run ends");
    }

    long now() {
        return now;
    }

    Books books() {
        return books;
    }

    Machines machines() {
        return machines;
    }

    JobStory story(JobId job) {
        return stories.get(Rows.numberOf(job));
    }

    /** Those that wait, in order of submit. */
    List<QueuedJob> waiting() {
        return stories.subList(0, arrived).stream()
                .filter(JobStory::isWaiting)
                .map(JobStory::job)
                .toList();
    }

    RunningBook running() {
        return running;
    }

    /** Whether somebody is leaving. */
    boolean isAnybodyLeaving() {
        return !leaving.isEmpty();
    }
}
