package dev.tutti.control.read;

import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Reason;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job as its owner sees it.
 *
 * @param version row version, the ETag
 * @param queuePath path of its queue
 * @param head what its row says of it, as the scheduler reads it
 * @param spec what was asked for; null when what is stored can no longer be read
 * @param suspend whether its user wants it suspended: it is, or will be when it has stopped
 * @param reason why it waits; null unless it waits
 * @param reasonSince since when that is the reason
 * @param cause why it stops or ended; null before
 * @param stoppingFor the job for which it is stopping; null when it stops for nobody or does not stop
 * @param attempt number of the live or last attempt; 0 before the first
 * @param failures attempts that failed by its own fault
 * @param position place in the order of consideration of its queue, from 1; null unless it waits
 * @param reservation when and where it is planned to start; null unless it waits and a time is known
 * @param startedAt when the last attempt had all members running
 */
public record JobView(
        JobId id,
        long version,
        QueueId queue,
        String queuePath,
        Head head,
        @Nullable JobSpec spec,
        JobState state,
        boolean suspend,
        @Nullable Reason reason,
        @Nullable Instant reasonSince,
        @Nullable EndCause cause,
        @Nullable JobId stoppingFor,
        int attempt,
        int failures,
        @Nullable Long position,
        @Nullable Reservation reservation,
        String submittedBy,
        Instant submittedAt,
        @Nullable Instant allocatedAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt) {

    /** What is known of a job whatever became of its spec. */
    public record Head(String name, Lane lane, int priority, int maxFailures) {}

    /**
     * A plan, and no promise: capacity is kept until then.
     *
     * @param startAt when it starts at the latest
     * @param nodes names of the nodes
     * @param gpuMilli what it will take of them, in milli-GPU
     */
    public record Reservation(Instant startAt, List<String> nodes, long gpuMilli) {
        public Reservation {
            nodes = List.copyOf(nodes);
        }
    }
}
