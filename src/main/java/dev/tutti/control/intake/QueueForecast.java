package dev.tutti.control.intake;

import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.QuotaKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the next decision would do otherwise if a queue were changed now, by the real engine on the current state. Nothing is
 * written and nothing promised: the state goes on changing.
 *
 * @param evictions who would be asked to leave because of the change, for whom
 * @param starts waiting jobs that would start at once because of the change
 * @param delays jobs that would start now and, with the change, would not
 * @param verdicts jobs that would wait for another reason than without the change
 * @param overUse of each queue that would hold more than its nominal quota, or does so now, by how much
 * @param overLimits of each queue that would be over a limit of jobs that run, or is so now, by how much
 */
public record QueueForecast(
        Some<Eviction> evictions,
        Some<Start> starts,
        Some<Verdict> delays,
        Some<Verdict> verdicts,
        List<OverUse> overUse,
        List<OverLimit> overLimits) {

    /** The most items that one list shows; the totals count all. */
    public static final int SHOWN = 100;

    public QueueForecast {
        overUse = List.copyOf(overUse);
        overLimits = List.copyOf(overLimits);
    }

    /**
     * The first of some jobs, in order of consideration.
     *
     * @param total how many there are
     * @param gpuMilli what all of them hold or ask for at the least, in milli-GPU
     * @param items the first {@link #SHOWN}
     */
    public record Some<T>(int total, long gpuMilli, List<T> items) {
        public Some {
            items = List.copyOf(items);
        }
    }

    /**
     * A running job that would give way.
     *
     * @param members how many of its members would leave
     * @param whole whether it would stop; else it runs on with fewer members
     * @param gpuMilli what would become free, in milli-GPU
     * @param beneficiary the waiting job that gets it
     */
    public record Eviction(
            JobId job, QueueId queue, int members, boolean whole, long gpuMilli, EndCause cause, JobId beneficiary) {}

    /** A waiting job that would start, with what it would take in milli-GPU. */
    public record Start(JobId job, QueueId queue, long gpuMilli) {}

    /**
     * A job that would wait.
     *
     * @param before why it waits without the change; null when it would start
     * @param after why it would wait then; null when the engine says nothing of it
     */
    public record Verdict(
            JobId job,
            QueueId queue,
            long gpuMilli,
            @Nullable ReasonCode before,
            @Nullable Reason after) {}

    /**
     * How far a queue is over a limit.
     *
     * @param limit name of the field that sets it
     * @param used what is held now; of a limit of each user, by the one who holds most
     * @param before how much of it is above the limit as it is; 0 without a limit
     * @param after how much of it would be above the limit after the change
     */
    public record OverLimit(QueueId queue, String limit, long used, long before, long after) {}

    /**
     * What green and yellow jobs of a queue hold above its nominal quota, in the unit of the resource.
     *
     * @param used what they hold now
     * @param before how much of it is above the quota as it is; 0 without a quota
     * @param after how much of it would be above the quota after the change
     */
    public record OverUse(QueueId queue, QuotaKey key, long used, long before, long after) {}
}
