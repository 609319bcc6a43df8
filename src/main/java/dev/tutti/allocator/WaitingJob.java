package dev.tutti.allocator;

import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.Reason;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that wants to start, or that runs and wants more pods.
 *
 * @param job its id
 * @param version row version; the ledger drops the decision when the row has moved on
 * @param queue its leaf queue
 * @param lane its lane
 * @param priority higher first, within the lane
 * @param submittedAtMicros age: earlier first, within the priority
 * @param notBeforeMicros back-off: not tried before this time, in microseconds since 1970; 0 for none
 * @param mayRunSeconds how long it may hold what it gets: its limit of run time and its grace; 0 when it has no such limit
 * @param podSets what it asks for
 * @param topology how near its pods want to be
 * @param verdict the reason last written for it; null before the first
 * @param toldMicros when its verdict was written last, in words or numbers; 0 when nobody knows
 * @param user who submitted it; empty when nobody knows
 * @param growth that it runs already and asks for more; null for a job that wants to start
 * @param fallback how long it keeps to the flavors that it names first
 */
public record WaitingJob(
        JobId job,
        long version,
        QueueId queue,
        Lane lane,
        int priority,
        long submittedAtMicros,
        long notBeforeMicros,
        long mayRunSeconds,
        List<PodSet> podSets,
        TopologyWish topology,
        @Nullable Reason verdict,
        long toldMicros,
        String user,
        @Nullable Growth growth,
        Fallback fallback) {

    /** Order of consideration: lane, priority, age; the id decides between equals. */
    public static final Comparator<WaitingJob> ORDER = Comparator.comparing(WaitingJob::lane)
            .thenComparing(WaitingJob::priority, Comparator.reverseOrder())
            .thenComparing(WaitingJob::submittedAtMicros)
            .thenComparing(WaitingJob::job);

    /** A job that may use all flavors that it names at once, and of whose verdict nobody knows when it was written. */
    public WaitingJob(
            JobId job,
            long version,
            QueueId queue,
            Lane lane,
            int priority,
            long submittedAtMicros,
            long notBeforeMicros,
            long mayRunSeconds,
            List<PodSet> podSets,
            TopologyWish topology,
            @Nullable Reason verdict,
            String user,
            @Nullable Growth growth) {
        this(
                job,
                version,
                queue,
                lane,
                priority,
                submittedAtMicros,
                notBeforeMicros,
                mayRunSeconds,
                podSets,
                topology,
                verdict,
                0,
                user,
                growth,
                Fallback.AT_ONCE);
    }

    /** A job of whose verdict nobody knows when it was written. */
    public WaitingJob(
            JobId job,
            long version,
            QueueId queue,
            Lane lane,
            int priority,
            long submittedAtMicros,
            long notBeforeMicros,
            long mayRunSeconds,
            List<PodSet> podSets,
            TopologyWish topology,
            @Nullable Reason verdict,
            String user,
            @Nullable Growth growth,
            Fallback fallback) {
        this(
                job,
                version,
                queue,
                lane,
                priority,
                submittedAtMicros,
                notBeforeMicros,
                mayRunSeconds,
                podSets,
                topology,
                verdict,
                0,
                user,
                growth,
                fallback);
    }

    /** A job that wants to start. */
    public WaitingJob(
            JobId job,
            long version,
            QueueId queue,
            Lane lane,
            int priority,
            long submittedAtMicros,
            long notBeforeMicros,
            long mayRunSeconds,
            List<PodSet> podSets,
            TopologyWish topology,
            @Nullable Reason verdict) {
        this(
                job,
                version,
                queue,
                lane,
                priority,
                submittedAtMicros,
                notBeforeMicros,
                mayRunSeconds,
                podSets,
                topology,
                verdict,
                "",
                null);
    }

    /** A job that may hold what it gets for as long as it likes. */
    public WaitingJob(
            JobId job,
            long version,
            QueueId queue,
            Lane lane,
            int priority,
            long submittedAtMicros,
            long notBeforeMicros,
            List<PodSet> podSets,
            TopologyWish topology,
            @Nullable Reason verdict) {
        this(job, version, queue, lane, priority, submittedAtMicros, notBeforeMicros, 0, podSets, topology, verdict);
    }

    /** The same job, told something else: nothing but the verdict's words, numbers and time. */
    public WaitingJob told(Reason reason, long micros) {
        return new WaitingJob(
                job,
                version,
                queue,
                lane,
                priority,
                submittedAtMicros,
                notBeforeMicros,
                mayRunSeconds,
                podSets,
                topology,
                reason,
                micros,
                user,
                growth,
                fallback);
    }

    /** Whether nothing differs but the words and numbers of the verdict, and when it was written. */
    boolean differsOnlyInWordsFrom(WaitingJob other) {
        Reason own = verdict;
        Reason others = other.verdict;
        return own != null && others != null && own.code() == others.code() && equals(other.told(own, toldMicros));
    }
}
