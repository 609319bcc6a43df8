package dev.tutti.store.stream;

import dev.tutti.model.JobId;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.Preemption;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.store.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What of a stored spec decides nothing about a place, in the form of {@link JobSpec}. It is read all the same before a job
 * is considered: one of which any part cannot be read would get its place and could never be made into pods.
 */
record StoredSpec(
        String name,
        String queue,
        Lane lane,
        int priority,
        @Nullable Integer expectedRuntimeSeconds,
        int graceSeconds,
        int maxFailures,
        Map<String, String> labels,
        TimeLimits limits,
        boolean suspended,
        List<JobId> dependsOn,
        Preemption preemption) {

    /**
     * The whole of it.
     *
     * @param json the spec without its pod sets and its topology; null where the spec is no object
     * @throws RuntimeException if it is no job together with these
     */
    static JobSpec check(@Nullable String json, List<PodSet> podSets, TopologyWish topology) {
        return Json.read(Objects.requireNonNull(json), StoredSpec.class).with(podSets, topology);
    }

    private JobSpec with(List<PodSet> podSets, TopologyWish topology) {
        return new JobSpec(
                name,
                queue,
                lane,
                priority,
                podSets,
                topology,
                expectedRuntimeSeconds,
                graceSeconds,
                maxFailures,
                labels,
                limits,
                suspended,
                dependsOn,
                preemption);
    }
}
