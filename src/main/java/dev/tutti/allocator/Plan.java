package dev.tutti.allocator;

import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the allocator proposes. Nothing of it is true before the ledger has committed it.
 *
 * @param revision revision of the snapshot it was made from
 * @param placements jobs to start, in order of consideration
 * @param waits verdicts that differ in code from the last one written, in order of consideration
 * @param evictions running jobs that are to give up what they hold, each for one of those that wait
 * @param reservations every job that has a time at which it starts at the latest, in order of turn
 * @param retold verdicts whose code is the one last written and whose words or numbers are not, who was told longest ago first;
 *     a bounded number of those that are due
 */
public record Plan(
        long revision,
        List<Placement> placements,
        List<Wait> waits,
        List<Eviction> evictions,
        List<Reservation> reservations,
        List<Wait> retold) {

    public Plan {
        placements = List.copyOf(placements);
        waits = List.copyOf(waits);
        evictions = List.copyOf(evictions);
        reservations = List.copyOf(reservations);
        retold = List.copyOf(retold);
    }

    /** A plan in which nobody is to start later. */
    public Plan(long revision, List<Placement> placements, List<Wait> waits, List<Eviction> evictions) {
        this(revision, placements, waits, evictions, List.of(), List.of());
    }

    /** A plan that evicts nobody. */
    public Plan(long revision, List<Placement> placements, List<Wait> waits) {
        this(revision, placements, waits, List.of());
    }

    /** Whether nothing is to be done; what is to start later may differ from what it was all the same. */
    public boolean isEmpty() {
        return placements.isEmpty() && waits.isEmpty() && evictions.isEmpty() && retold.isEmpty();
    }

    /**
     * One job, whole: every member that starts now, at least {@code minCount} of each pod set. Or more members of one that
     * runs, at least one.
     *
     * @param job the job
     * @param jobVersion version it was read at
     * @param members in rank order
     * @param grows whether the job runs already, and these are more members of it
     */
    public record Placement(JobId job, long jobVersion, List<PodPlacement> members, boolean grows) {
        public Placement {
            members = List.copyOf(members);
        }

        /** A job that starts. */
        public Placement(JobId job, long jobVersion, List<PodPlacement> members) {
            this(job, jobVersion, members, false);
        }

        /** The lowest rank of its members. */
        public int firstRank() {
            return members.isEmpty() ? 0 : members.get(0).rank();
        }
    }

    /**
     * One member.
     *
     * @param podSet name of its pod set
     * @param rank its place in the job: from 0 without gaps when it starts, then on
     * @param node where
     * @param flavor name of the node's flavor
     * @param devices device ids, ascending; empty for a CPU-only pod
     * @param milliPerDevice milli-GPU of each
     * @param cpuMilli CPU in milli-cores
     * @param memoryMib memory in MiB
     * @param mig its MIG instance on its one device; null for none
     * @param nics for each of its RDMA NICs the id of the group it is of, ascending
     */
    public record PodPlacement(
            String podSet,
            int rank,
            NodeId node,
            String flavor,
            List<Long> devices,
            int milliPerDevice,
            long cpuMilli,
            long memoryMib,
            @Nullable MigInstance mig,
            List<Long> nics) {
        public PodPlacement {
            devices = List.copyOf(devices);
            nics = List.copyOf(nics);
        }
    }

    /**
     * A victim.
     *
     * @param victim the job that gives way
     * @param victimVersion version it was read at
     * @param ranks ranks of the members that leave, ascending; empty for the whole job
     * @param beneficiary the waiting job that gets what becomes free
     * @param cause PREEMPTED or RECLAIMED
     */
    public record Eviction(JobId victim, long victimVersion, List<Integer> ranks, JobId beneficiary, EndCause cause) {
        public Eviction {
            ranks = List.copyOf(ranks);
        }
    }

    /**
     * A job that starts later: capacity is kept for it until then. It may start sooner, when others end before their limits.
     *
     * @param job the job
     * @param startMicros when it starts at the latest, in microseconds since 1970
     * @param nodes where, ascending
     * @param gpuMilli what it takes there, in milli-GPU
     */
    public record Reservation(JobId job, long startMicros, List<NodeId> nodes, long gpuMilli) {
        public Reservation {
            nodes = List.copyOf(nodes);
        }
    }

    /** A job that goes on waiting, and why. */
    public record Wait(JobId job, long jobVersion, Reason reason) {}
}
