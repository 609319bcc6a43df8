package dev.tutti.allocator;

import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.model.NodeId;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TopologyWish;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * That a job runs already and wants more pods than it has. They start one by one where there is room, on the flavor of their
 * pod set and within the domain that its pods may not leave. A growth takes only what is free: nobody makes way for it,
 * nothing is kept for it, and it keeps nobody from starting.
 *
 * @param firstRank rank of the first of them; no member of this attempt ever had it
 * @param anchor node of a member of the set: the others are as near to it as the job requires
 */
public record Growth(int firstRank, NodeId anchor) {

    /**
     * Whether a set may get pods while the job runs: not one whose places depend on each other by segments or by an affinity.
     *
     * @param all all sets of the job
     */
    public static boolean isPossible(List<PodSet> all, PodSet set) {
        return set.segment() == null
                && all.stream().allMatch(other -> other.affinity().isEmpty());
    }

    /**
     * The wish of a running job for the pods it lacks: those of the first set that lacks some. Null when it lacks none.
     *
     * @param sets what the job asks for
     * @param firstRank rank of the next member
     * @param notBeforeMicros when it may get more again, in microseconds since 1970; 0 for at once
     */
    public static @Nullable WaitingJob of(
            RunningJob job, List<PodSet> sets, TopologyWish topology, int firstRank, long notBeforeMicros) {
        for (PodSet set : sets) {
            List<PodPlacement> staying = job.members().stream()
                    .filter(member -> member.podSet().equals(set.name())
                            && !job.leavingRanks().contains(member.rank()))
                    .toList();
            int missing = set.count() - staying.size();
            if (missing > 0 && !staying.isEmpty() && !job.leaving() && isPossible(sets, set)) {
                PodPlacement first = staying.get(0);
                return new WaitingJob(
                        job.job(),
                        job.version(),
                        job.queue(),
                        job.lane(),
                        job.priority(),
                        job.submittedAtMicros(),
                        notBeforeMicros,
                        0,
                        List.of(more(set, missing, first.flavor())),
                        topology,
                        null,
                        job.user(),
                        new Growth(firstRank, first.node()));
            }
        }
        return null;
    }

    private static PodSet more(PodSet set, int pods, String flavor) {
        return new PodSet(
                set.name(),
                pods,
                1,
                set.gpus(),
                List.of(flavor),
                set.cpuMilli(),
                set.memoryMib(),
                set.template(),
                set.topology(),
                null,
                set.nodes(),
                List.of(),
                set.nics());
    }
}
