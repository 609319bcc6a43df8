package dev.tutti.testkit;

import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.job.Lane;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.Use;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the rows of a ledger say at one moment, read past all ports, so that a test can compare it with what ran. */
public interface Truth {

    /** Jobs that have a live attempt, with the members of that attempt. */
    List<Job> live();

    /** State of every job there is. */
    Map<JobId, JobState> states();

    /** Jobs that this one depends on. */
    List<JobId> parents(JobId job);

    /** One job in words, for a person who looks for what went wrong. */
    String describe(JobId job);

    /** Milli-GPU held on each device, by {@code cluster/node/index}, where any is. */
    Map<String, Long> heldMilli();

    /** Milli-GPU in use by {@code queue path/flavor} where any is, as the rows of queues have it. */
    Map<String, Use> used();

    /** Quota in milli-GPU by {@code queue path/flavor}. */
    Map<String, Quota> quotas();

    /** Paths of all queues. */
    List<String> queues();

    /** Tasks of the outbox that are not done. */
    int openTasks();

    /** The term that rules. */
    long term();

    /** A job with a live attempt. */
    record Job(JobId id, String queue, Lane lane, JobState state, int attempt, List<Member> members) {}

    /**
     * A member of a live attempt.
     *
     * @param devices indexes on its node
     * @param mig its MIG instance on its one device; null for none
     */
    record Member(
            AllocationId id,
            int rank,
            String cluster,
            String node,
            String flavor,
            List<Integer> devices,
            int milliPerDevice,
            @Nullable MigInstance mig,
            MemberPhase phase,
            @Nullable String podUid) {

        public boolean isHeld() {
            return !phase.isReleased();
        }
    }
}
