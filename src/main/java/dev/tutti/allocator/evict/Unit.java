package dev.tutti.allocator.evict;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningJob;
import dev.tutti.model.life.EndCause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What can be asked to leave at once: a whole job, or one member that its job can do without.
 *
 * @param job the job
 * @param members those that leave
 * @param isWhole whether the job stops with them
 * @param cause PREEMPTED or RECLAIMED
 * @param straddles whether its queue would claim less than it was promised without it
 * @param unsavedMicros how long it has run for nothing, in microseconds: a whole job since its last checkpoint, or since it
 *     started, a member that is not needed not at all
 * @param lostMilliMicros GPU time that is lost, in milli-GPU times microseconds
 */
record Unit(
        RunningJob job,
        List<Plan.PodPlacement> members,
        boolean isWhole,
        EndCause cause,
        boolean straddles,
        long unsavedMicros,
        long lostMilliMicros) {

    private static final Comparator<Unit> BY_RANK_OF_JOB = Comparator.comparing(
                    (Unit unit) -> unit.job.lane(), Comparator.reverseOrder())
            .thenComparing(Unit::straddles)
            .thenComparing(unit -> unit.cause == EndCause.PREEMPTED)
            .thenComparingInt(unit -> unit.job.priority());

    /**
     * Whom to ask first: the weakest lane; one whose queue keeps what it was promised; of other queues before its own; the
     * lowest priority; the least work lost for each GPU that comes back; the youngest; a member before its job, of members the
     * highest rank. By what is lost for each GPU a set that is put together one by one loses little in all.
     */
    static final Comparator<Unit> PREFERENCE = BY_RANK_OF_JOB
            .thenComparingLong(Unit::unsavedMicros)
            .thenComparing(unit -> unit.job.startedAtMicros(), Comparator.reverseOrder())
            .thenComparing(unit -> unit.job.submittedAtMicros(), Comparator.reverseOrder())
            .thenComparing(unit -> unit.job.job())
            .thenComparing(Unit::isWhole)
            .thenComparing(unit -> unit.members.get(0).rank(), Comparator.reverseOrder());

    /** The job's units: members beyond its minimum one by one, and all that stay now together. */
    static List<Unit> of(RunningJob job, EndCause cause, boolean straddles, long nowMicros) {
        List<Plan.PodPlacement> staying = job.members().stream()
                .filter(member -> !job.leavingRanks().contains(member.rank()))
                .sorted(Comparator.comparingInt(Plan.PodPlacement::rank).reversed())
                .toList();
        Map<String, Integer> spare = new HashMap<>();
        staying.forEach(member -> spare.computeIfAbsent(member.podSet(), job::spare));
        List<Unit> units = new ArrayList<>();
        List<Plan.PodPlacement> needed = new ArrayList<>();
        for (Plan.PodPlacement member : staying) {
            if (spare.merge(member.podSet(), -1, Integer::sum) >= 0) {
                units.add(new Unit(job, List.of(member), false, cause, straddles, 0, 0));
            } else {
                needed.add(member);
            }
        }
        if (!needed.isEmpty()) {
            long unsaved = job.unsavedMicros(nowMicros);
            units.add(new Unit(job, needed, true, cause, straddles, unsaved, milli(staying) * unsaved));
        }
        return units;
    }

    /** Whether the other comes before by all that counts more than the work that is lost. */
    boolean isSparedBefore(Unit other) {
        return BY_RANK_OF_JOB.compare(this, other) > 0;
    }

    private static long milli(List<Plan.PodPlacement> members) {
        return members.stream()
                .mapToLong(member -> (long) member.devices().size() * member.milliPerDevice())
                .sum();
    }
}
