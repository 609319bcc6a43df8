package dev.tutti.allocator;

import dev.tutti.model.JobId;
import dev.tutti.model.Limits;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.Lane;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A job that holds capacity: one that is bound, runs or is stopping.
 *
 * @param job its id
 * @param version row version; the ledger drops a decision about it when the row has moved on
 * @param queue its leaf queue
 * @param lane its lane
 * @param priority higher first, within the lane
 * @param submittedAtMicros its age, in microseconds since 1970
 * @param startedAtMicros when this attempt got its place, in microseconds since 1970
 * @param endsByMicros when it is stopped at the latest by its own limits, in microseconds since 1970; 0 when it has none
 * @param protectedUntilMicros it is no victim before this time, in microseconds since 1970: what runs may first run for a while;
 *     0 when it always may be one
 * @param leaving whether it is stopping: what its members hold becomes free soon, and it is no victim any more
 * @param beneficiaries for whom it is stopping, or members of it leave while the others run on
 * @param members its living members, in rank order, and what each holds
 * @param leavingRanks ranks of the members that are asked to leave while the others run on: what they hold becomes free
 *     soon, and they are no victims any more. Empty for a job that leaves whole
 * @param minCounts for each pod set how many members must stay for the job to run on; fewer never stay of a job that is
 *     not leaving
 * @param askedFor jobs that wait still and for which, since they wait, it or members of it were asked to leave: those who
 *     leave now, and those who have left
 * @param user who submitted it; empty when nobody knows
 * @param checkpointMicros it writes a checkpoint whenever it has run for so long, in microseconds; 0 when it writes none
 */
public record RunningJob(
        JobId job,
        long version,
        QueueId queue,
        Lane lane,
        int priority,
        long submittedAtMicros,
        long startedAtMicros,
        long endsByMicros,
        long protectedUntilMicros,
        boolean leaving,
        Set<JobId> beneficiaries,
        List<Plan.PodPlacement> members,
        Set<Integer> leavingRanks,
        Map<String, Integer> minCounts,
        Set<JobId> askedFor,
        String user,
        long checkpointMicros) {
    public RunningJob {
        beneficiaries = Set.copyOf(beneficiaries);
        askedFor = Set.copyOf(askedFor);
        members = List.copyOf(members);
        leavingRanks = Set.copyOf(leavingRanks);
        minCounts = Map.copyOf(minCounts);
    }

    /** A job that gives way to nobody, and was not asked to. */
    public RunningJob(
            JobId job,
            long version,
            QueueId queue,
            Lane lane,
            int priority,
            long submittedAtMicros,
            long startedAtMicros,
            long endsByMicros,
            long protectedUntilMicros,
            boolean leaving,
            List<Plan.PodPlacement> members,
            Set<Integer> leavingRanks,
            Map<String, Integer> minCounts) {
        this(
                job,
                version,
                queue,
                lane,
                priority,
                submittedAtMicros,
                startedAtMicros,
                endsByMicros,
                protectedUntilMicros,
                leaving,
                Set.of(),
                members,
                leavingRanks,
                minCounts,
                Set.of(),
                "",
                0);
    }

    /** How long it has run since its last checkpoint, or since this attempt began: what an eviction now throws away. */
    public long unsavedMicros(long nowMicros) {
        long ran = Math.max(0, nowMicros - startedAtMicros);
        return checkpointMicros == 0 ? ran : ran % checkpointMicros;
    }

    /** What all its members hold of GPUs, in milli-GPU. */
    public long gpuMilli() {
        return members.stream()
                .mapToLong(member -> (long) member.devices().size() * member.milliPerDevice())
                .sum();
    }

    /**
     * How many whole nodes of a flavor it holds.
     *
     * @param gpus what one has
     */
    public long wholeNodes(String flavor, int gpus) {
        return members.stream()
                .filter(member -> member.flavor().equals(flavor)
                        && (long) member.devices().size() * member.milliPerDevice()
                                >= gpus * (long) Limits.DEVICE_MILLI)
                .count();
    }

    /** Members of a pod set that could leave one by one, because so many more than its minimum stay until now. */
    public int spare(String podSet) {
        long staying = members.stream()
                .filter(member -> member.podSet().equals(podSet) && !leavingRanks.contains(member.rank()))
                .count();
        return leaving ? 0 : (int) Math.max(0, staying - minCounts.getOrDefault(podSet, Integer.MAX_VALUE));
    }
}
