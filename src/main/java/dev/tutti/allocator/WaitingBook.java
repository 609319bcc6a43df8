package dev.tutti.allocator;

import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait, sorted into groups that ask for the same, each in order. It knows which groups and jobs changed
 * since a {@link StandingAllocator} last looked, and decides nothing. Not safe for use by two threads.
 */
public final class WaitingBook {

    private static final Comparator<WaitingJob> BY_WAKING =
            Comparator.comparingLong(WaitingJob::notBeforeMicros).thenComparing(WaitingJob::job);

    private final Map<JobId, WaitingJob> jobs = new HashMap<>();
    private final Map<JobId, Group> groupOfJob = new HashMap<>();
    private final Map<JobClass.Key, Group> groups = new LinkedHashMap<>();
    /** Jobs that back off, by when they may be tried again. */
    private final NavigableSet<WaitingJob> resting = new TreeSet<>(BY_WAKING);

    private final Openings openings = new Openings();

    /** Jobs for which others were asked to leave, by what they were told last. */
    private final Set<JobId> beneficiaries = new LinkedHashSet<>();

    /** Queues in which jobs of different users are never of one group. */
    private Set<QueueId> apart = Set.of();

    private Set<Group> changed = new LinkedHashSet<>();
    /** Groups in which somebody was told other words or numbers, and nothing else changed. */
    private Set<Group> retold = new LinkedHashSet<>();
    /** Queues that a job came into or left. */
    private Set<QueueId> changedQueues = new LinkedHashSet<>();

    /** A book of these jobs. */
    public static WaitingBook of(Collection<WaitingJob> jobs) {
        WaitingBook book = new WaitingBook();
        jobs.forEach(book::put);
        return book;
    }

    /** Takes a job in, or its new row in place of the old one; a row that comes again changes nothing. */
    public void put(WaitingJob job) {
        WaitingJob before = jobs.get(job.job());
        if (job.equals(before)) {
            return;
        }
        if (before != null && job.differsOnlyInWordsFrom(before)) {
            retell(before, job);
            return;
        }
        remove(job.job());
        jobs.put(job.job(), job);
        if (job.verdict() != null && job.verdict().code() == ReasonCode.WAITING_FOR_VICTIMS) {
            beneficiaries.add(job.job());
        }
        Group group = groups.computeIfAbsent(keyOf(job), key -> new Group(key, job));
        groupOfJob.put(job.job(), group);
        group.fresh.add(job.job());
        changed.add(group);
        changedQueues.add(job.queue());
        if (job.notBeforeMicros() > 0) {
            resting.add(job);
            group.resting.add(job);
        } else {
            group.ready.add(job);
        }
        group.addVerdict(job);
    }

    /** Its place stays, and nobody need look at it again. */
    private void retell(WaitingJob before, WaitingJob job) {
        Group group = groupOf(before);
        jobs.put(job.job(), job);
        exchange(resting, before, job);
        exchange(group.resting, before, job);
        exchange(group.ready, before, job);
        group.removeVerdict(before);
        group.addVerdict(job);
        retold.add(group);
    }

    private static void exchange(Set<WaitingJob> set, WaitingJob before, WaitingJob after) {
        if (set.remove(before)) {
            set.add(after);
        }
    }

    /** From now on jobs of different users are of different groups in these queues, and in no others. */
    void tellUsersApart(Set<QueueId> queues) {
        if (queues.equals(apart)) {
            return;
        }
        List<WaitingJob> regrouped = jobs.values().stream()
                .filter(job -> queues.contains(job.queue()) != apart.contains(job.queue()))
                .toList();
        regrouped.forEach(job -> remove(job.job()));
        apart = Set.copyOf(queues);
        regrouped.forEach(this::put);
    }

    /** Forgets a job; one that is not in the book changes nothing. */
    public void remove(JobId id) {
        WaitingJob job = jobs.remove(id);
        if (job == null) {
            return;
        }
        Group group = Objects.requireNonNull(groupOfJob.remove(id), "a job without its group");
        beneficiaries.remove(id);
        openings.remove(id);
        resting.remove(job);
        group.resting.remove(job);
        group.ready.remove(job);
        group.fresh.remove(id);
        group.removeVerdict(job);
        changedQueues.add(job.queue());
        if (group.isEmpty()) {
            groups.remove(group.key);
            changed.remove(group);
            retold.remove(group);
        }
    }

    public int size() {
        return jobs.size();
    }

    public boolean isEmpty() {
        return jobs.isEmpty();
    }

    /** All jobs, in no order that matters; true only until the next change. */
    public Collection<WaitingJob> jobs() {
        return Collections.unmodifiableCollection(jobs.values());
    }

    /** When the next job that backs off may be tried again, or may use another flavor, in microseconds since 1970. */
    public long nextWakeMicros() {
        return Math.min(
                openings.nextMicros(),
                resting.isEmpty() ? Long.MAX_VALUE : resting.first().notBeforeMicros());
    }

    @Nullable
    WaitingJob job(JobId id) {
        return jobs.get(id);
    }

    /** A job that waits to start; null for any other, also for one that runs and wants more pods. */
    @Nullable
    WaitingJob toStart(JobId id) {
        WaitingJob job = jobs.get(id);
        return job == null || job.growth() != null ? null : job;
    }

    Group groupOf(WaitingJob job) {
        return Objects.requireNonNull(groupOfJob.get(job.job()), "a job without its group");
    }

    Collection<Group> groups() {
        return groups.values();
    }

    Set<JobId> beneficiaries() {
        return beneficiaries;
    }

    /** Groups with other jobs than when this was last asked. Wakes the jobs whose back-off is over or whose next flavor opens. */
    Collection<Group> changes(LanesNow lanes, long nowMicros) {
        for (JobId id : openings.follow(lanes, nowMicros, jobs.values())) {
            WaitingJob job = Objects.requireNonNull(jobs.get(id), "an opening without its job");
            remove(id);
            put(job);
        }
        wake(nowMicros);
        List<Group> list = new ArrayList<>(changed);
        changed = new LinkedHashSet<>();
        return list;
    }

    /** Groups in which only words or numbers of verdicts changed since this was last asked. */
    Collection<Group> retold() {
        Set<Group> groups = retold;
        retold = new LinkedHashSet<>();
        return groups;
    }

    /** Queues that a job came into or left since this was last asked. */
    Set<QueueId> changedQueues() {
        Set<QueueId> queues = changedQueues;
        changedQueues = new LinkedHashSet<>();
        return queues;
    }

    /** Lets the jobs whose back-off is over be tried. */
    void wake(long nowMicros) {
        while (!resting.isEmpty() && resting.first().notBeforeMicros() <= nowMicros) {
            WaitingJob job = resting.pollFirst();
            Group group = groupOf(job);
            group.resting.remove(job);
            group.ready.add(job);
            group.fresh.add(job.job());
            changed.add(group);
        }
    }

    private JobClass.Key keyOf(WaitingJob job) {
        return JobClass.Key.of(job, apart.contains(job.queue()) ? job.user() : "", openings.add(job));
    }

    /** Jobs that ask for the same. */
    static final class Group {
        final JobClass.Key key;
        /** One of them, for what all of them ask. */
        final WaitingJob like;
        /** Those that may be tried now, in order of consideration. */
        final NavigableSet<WaitingJob> ready = new TreeSet<>(WaitingJob.ORDER);
        /** Those that back off. */
        final Set<WaitingJob> resting = new TreeSet<>(WaitingJob.ORDER);
        /** Those whose verdict was not looked at since their row changed. */
        final Set<JobId> fresh = new LinkedHashSet<>();
        /** Those who were told something, by what; who was told longest ago first. */
        final Map<Reason, NavigableSet<WaitingJob>> byVerdict = new HashMap<>();
        /** What the last {@link Desk} that saw the group made of it. */
        @Nullable
        JobClass kind;

        @Nullable
        Desk desk;

        Group(JobClass.Key key, WaitingJob like) {
            this.key = key;
            this.like = like;
        }

        boolean isEmpty() {
            return ready.isEmpty() && resting.isEmpty();
        }

        private void addVerdict(WaitingJob job) {
            if (job.verdict() != null && job.growth() == null) {
                byVerdict
                        .computeIfAbsent(job.verdict(), fresh -> new TreeSet<>(Retelling.ORDER))
                        .add(job);
            }
        }

        private void removeVerdict(WaitingJob job) {
            if (job.verdict() != null) {
                byVerdict.computeIfPresent(job.verdict(), (verdict, told) -> {
                    told.remove(job);
                    return told.isEmpty() ? null : told;
                });
            }
        }
    }
}
