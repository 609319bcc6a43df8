package dev.tutti.control.explain;

import dev.tutti.allocator.Fallback;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TopologyWish;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A waiting job as it might be. */
final class Variants {

    private static final TopologyWish ANYWHERE = new TopologyWish(TopologyLevels.CLUSTER_LEVEL, null);

    private Variants() {}

    /** The most pods that a set of the job starts with: a part of the job is so many of those. */
    static int whole(WaitingJob job) {
        return job.podSets().stream().mapToInt(PodSet::minCount).max().orElse(1);
    }

    /** All its sets smaller alike: a part of its smallest start, at least one pod or segment of each. */
    static WaitingJob part(WaitingJob job, int part) {
        int whole = whole(job);
        return withSets(
                job, job.podSets().stream().map(set -> set.part(part, whole)).toList());
    }

    static Map<String, Integer> pods(WaitingJob job) {
        Map<String, Integer> pods = new LinkedHashMap<>();
        job.podSets().forEach(set -> pods.put(set.name(), set.minCount()));
        return pods;
    }

    /** Its sets that name flavors on this one alone. */
    static WaitingJob onFlavor(WaitingJob job, String flavor) {
        return withSets(
                job,
                job.podSets().stream()
                        .map(set -> set.flavors().isEmpty() ? set : with(set, List.of(flavor), set.topology()))
                        .toList());
    }

    /** Its pods anywhere in one cluster. */
    static WaitingJob anywhere(WaitingJob job) {
        List<PodSet> sets = job.podSets().stream()
                .map(set -> with(set, set.flavors(), TopologyWish.NONE))
                .toList();
        return copy(job, job.lane(), job.mayRunSeconds(), sets, ANYWHERE, job.fallback());
    }

    static WaitingJob inLane(WaitingJob job, Lane lane) {
        return copy(job, lane, job.mayRunSeconds(), job.podSets(), job.topology(), job.fallback());
    }

    /** It may hold what it gets no longer than this. */
    static WaitingJob forSeconds(WaitingJob job, long mayRunSeconds) {
        return copy(job, job.lane(), mayRunSeconds, job.podSets(), job.topology(), job.fallback());
    }

    /** It may use all flavors that it names at once. */
    static WaitingJob onAllFlavors(WaitingJob job) {
        return copy(job, job.lane(), job.mayRunSeconds(), job.podSets(), job.topology(), Fallback.AT_ONCE);
    }

    private static WaitingJob withSets(WaitingJob job, List<PodSet> sets) {
        return copy(job, job.lane(), job.mayRunSeconds(), sets, job.topology(), job.fallback());
    }

    private static WaitingJob copy(
            WaitingJob job,
            Lane lane,
            long mayRunSeconds,
            List<PodSet> sets,
            TopologyWish topology,
            Fallback fallback) {
        return new WaitingJob(
                job.job(),
                job.version(),
                job.queue(),
                lane,
                job.priority(),
                job.submittedAtMicros(),
                job.notBeforeMicros(),
                mayRunSeconds,
                sets,
                topology,
                job.verdict(),
                job.user(),
                null,
                fallback);
    }

    private static PodSet with(PodSet set, List<String> flavors, TopologyWish topology) {
        return new PodSet(
                set.name(),
                set.count(),
                set.minCount(),
                set.gpus(),
                flavors,
                set.cpuMilli(),
                set.memoryMib(),
                set.template(),
                topology,
                set.segment(),
                set.nodes(),
                set.affinity(),
                set.nics(),
                set.maxCount(),
                set.startAfter());
    }
}
