package dev.tutti.testkit.scenario;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.model.JobId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One attempt of a job of an {@link AllocatorStage}. */
final class StageRun {

    private final long startedAtMicros;
    private final long protectedUntilMicros;
    private final Set<Integer> leavingRanks = new HashSet<>();
    private final Set<JobId> beneficiaries = new HashSet<>();
    List<Plan.PodPlacement> members;
    boolean leaving;
    /** Whether it does not come back. */
    boolean isOver;
    /** When it is stopped at the latest by its limit; 0 for never. */
    long limitMicros;
    /** When it really ends; 0 for never. */
    long endsMicros;

    StageRun(List<Plan.PodPlacement> members, long startedAtMicros, long protectedUntilMicros, long limitMicros) {
        this.members = members;
        this.startedAtMicros = startedAtMicros;
        this.protectedUntilMicros = protectedUntilMicros;
        this.limitMicros = limitMicros;
        this.endsMicros = limitMicros;
    }

    boolean isAsked() {
        return leaving || !leavingRanks.isEmpty();
    }

    void ask(Plan.Eviction eviction) {
        leaving = eviction.ranks().isEmpty();
        leavingRanks.addAll(eviction.ranks());
        beneficiaries.add(eviction.beneficiary());
    }

    /** Whoever is leaving has left; says whether nobody is left. */
    boolean leave() {
        members = members.stream()
                .filter(member -> !leaving && !leavingRanks.contains(member.rank()))
                .toList();
        leavingRanks.clear();
        beneficiaries.clear();
        return members.isEmpty();
    }

    RunningJob row(WaitingJob job, Set<JobId> askedFor, long checkpointMicros, long nowMicros) {
        Map<String, Integer> minCounts = new HashMap<>();
        job.podSets().forEach(set -> minCounts.put(set.name(), set.minCount()));
        // Its time is up, and it has not let go yet.
        boolean isOverdue = limitMicros > 0 && limitMicros <= nowMicros;
        return new RunningJob(
                job.job(),
                job.version(),
                job.queue(),
                job.lane(),
                job.priority(),
                job.submittedAtMicros(),
                startedAtMicros,
                isOverdue ? 0 : limitMicros,
                protectedUntilMicros,
                leaving || isOverdue,
                beneficiaries,
                members,
                leavingRanks,
                minCounts,
                askedFor,
                job.user(),
                checkpointMicros);
    }
}
