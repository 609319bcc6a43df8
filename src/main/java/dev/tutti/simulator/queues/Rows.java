package dev.tutti.simulator.queues;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.model.JobId;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.TopologyWish;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.UUID;

/** Jobs as the scheduler sees them. How long one runs is not in it. */
final class Rows {

    private static final int HIGHEST_PRIORITY = 1_000_000;
    private static final PodTemplate TEMPLATE = new PodTemplate("gang", List.of(), List.of(), Map.of());
    /** Times of day are far from 0, as they are in life. */
    private static final long BEGIN_SECONDS = 1_000_000;

    private static final long MICROS = 1_000_000;

    private final Books books;
    private final RunRules rules;
    /** Those that wait. */
    private final Map<Integer, WaitingJob> rows = new HashMap<>();

    private final PriorityQueue<Patience> patient =
            new PriorityQueue<>(Comparator.comparingLong(Patience::untilSeconds).thenComparing(Patience::job));

    Rows(Books books, RunRules rules) {
        this.books = books;
        this.rules = rules;
    }

    /** Until when a job waits patiently. */
    private record Patience(long untilSeconds, int job) {}

    static JobId id(int job) {
        return new JobId(new UUID(0, job + 1L));
    }

    static int numberOf(JobId id) {
        return (int) id.value().getLeastSignificantBits() - 1;
    }

    static long seconds(long micros) {
        return micros / MICROS - BEGIN_SECONDS;
    }

    static long micros(long seconds) {
        return (seconds + BEGIN_SECONDS) * MICROS;
    }

    /** The row of a job that waits, now or again; with the highest priority when it waited longer than anybody should. */
    WaitingJob waiting(int number, QueuedJob job, long now) {
        return waiting(number, job, now, 0);
    }

    /** The same of one that is not tried before a time, in seconds; 0 when it is tried at once. */
    WaitingJob waiting(int number, QueuedJob job, long now, long notBefore) {
        boolean isImpatient = rules.patienceSeconds() > 0 && now - job.atSeconds() >= rules.patienceSeconds();
        WaitingJob row = row(number, job, isImpatient ? HIGHEST_PRIORITY : job.priority(), notBefore);
        rows.put(number, row);
        if (rules.patienceSeconds() > 0 && !isImpatient) {
            patient.add(new Patience(job.atSeconds() + rules.patienceSeconds(), number));
        }
        return row;
    }

    /** Jobs that wait longer than anybody should from now on. */
    List<Integer> grownImpatient(long now) {
        List<Integer> grown = new ArrayList<>();
        while (!patient.isEmpty() && patient.peek().untilSeconds <= now) {
            grown.add(patient.remove().job);
        }
        grown.removeIf(job -> !rows.containsKey(job));
        return grown;
    }

    RunningJob running(int number, QueuedJob job, List<Plan.PodPlacement> members, long now) {
        WaitingJob row = Objects.requireNonNull(rows.remove(number), "a job that did not wait starts");
        Map<String, Integer> all = new HashMap<>();
        row.podSets().forEach(set -> all.put(set.name(), set.count()));
        long endsBy = job.limitSeconds() == 0 ? 0 : micros(now + row.mayRunSeconds());
        long protectedUntil = rules.protectedSeconds() == 0 ? 0 : micros(now + rules.protectedSeconds());
        return new RunningJob(
                row.job(),
                row.version(),
                row.queue(),
                row.lane(),
                row.priority(),
                row.submittedAtMicros(),
                micros(now),
                endsBy,
                protectedUntil,
                false,
                members,
                Set.of(),
                all);
    }

    static RunningJob leaving(RunningJob job, JobId beneficiary, long goneAt) {
        return new RunningJob(
                job.job(),
                job.version(),
                job.queue(),
                job.lane(),
                job.priority(),
                job.submittedAtMicros(),
                job.startedAtMicros(),
                micros(goneAt),
                job.protectedUntilMicros(),
                true,
                Set.of(beneficiary),
                job.members(),
                job.leavingRanks(),
                job.minCounts(),
                Set.of(beneficiary),
                job.user(),
                job.checkpointMicros());
    }

    private WaitingJob row(int number, QueuedJob job, int priority, long notBefore) {
        long limit = job.limitSeconds() == 0 ? 0 : job.limitSeconds() + QueueRun.GRACE_SECONDS;
        return new WaitingJob(
                id(number),
                1,
                books.idOf(job.queue()),
                Lane.YELLOW,
                priority,
                micros(job.atSeconds()),
                notBefore == 0 ? 0 : micros(notBefore),
                limit,
                sets(job.gpus(), books.flavor(job.queue())),
                TopologyWish.NONE,
                null);
    }

    private static List<PodSet> sets(int gpus, String flavor) {
        int full = gpus / Machines.NODE_GPUS;
        int rest = gpus % Machines.NODE_GPUS;
        List<PodSet> sets = new ArrayList<>();
        if (full > 0) {
            sets.add(set("full", full, Machines.NODE_GPUS, flavor));
        }
        if (rest > 0) {
            sets.add(set("rest", 1, rest, flavor));
        }
        return sets;
    }

    private static PodSet set(String name, int count, int gpus, String flavor) {
        GpuRequest asked = new GpuRequest.Whole(gpus);
        return new PodSet(name, count, count, asked, List.of(flavor), gpus * 1_000L, gpus * 1_024L, TEMPLATE);
    }
}
