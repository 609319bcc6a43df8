package dev.tutti.control.explain;

import dev.tutti.allocator.fit.Resource;
import dev.tutti.allocator.reason.Amounts;
import dev.tutti.model.JobId;
import dev.tutti.model.job.Lane;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that would let a job start: tried with the engine, on the state of now, in the job's own turn.
 *
 * @param kind what would be otherwise
 * @param detail one sentence
 * @param pods pods of each set that would start; empty unless it is about fewer
 * @param flavor on which flavor it would start; null unless it is about one
 * @param lane in which lane; null unless it is about one
 * @param maxRuntimeSeconds with which limit; null unless it is about one
 * @param startAt when it starts at the latest; null for now
 * @param after the job whose end it waits for; null for none
 * @param gpuMilli milli-GPU that would start
 */
public record Remedy(
        Kind kind,
        String detail,
        Map<String, Integer> pods,
        @Nullable String flavor,
        @Nullable Lane lane,
        @Nullable Integer maxRuntimeSeconds,
        @Nullable Instant startAt,
        @Nullable JobId after,
        long gpuMilli) {

    /** What would be otherwise. */
    public enum Kind {
        /** Nothing: it starts when others end. */
        LATER,
        /** Its user resumes it. */
        RESUME,
        /** It may be spread further. */
        NO_TOPOLOGY,
        /** It does not wait for the flavors that it names first. */
        ALL_FLAVORS,
        OTHER_FLAVOR,
        OTHER_LANE,
        /** It may not run for so long. */
        SHORTER,
        FEWER_PODS
    }

    public Remedy {
        pods = Collections.unmodifiableMap(new LinkedHashMap<>(pods));
    }

    static Remedy later(Instant startAt, @Nullable JobId after, long gpuMilli) {
        String when = after == null ? "" : ", when job " + after + " ends";
        String detail = "It starts at " + startAt + " at the latest" + when + ".";
        return new Remedy(Kind.LATER, detail, Map.of(), null, null, null, startAt, after, gpuMilli);
    }

    static Remedy resume(long gpuMilli) {
        return now(Kind.RESUME, "It starts now if it is resumed.", gpuMilli);
    }

    static Remedy noTopology(long gpuMilli) {
        return now(
                Kind.NO_TOPOLOGY,
                "It starts now if its pods may be anywhere in one cluster: topology.required: cluster.",
                gpuMilli);
    }

    /** @param on the flavors that it starts on */
    static Remedy allFlavors(List<String> on, long gpuMilli) {
        return now(
                Kind.ALL_FLAVORS,
                "It starts now, on " + String.join(", ", on)
                        + ", if it may use all flavors that it names at once: fallbackAfterSeconds: 0.",
                gpuMilli);
    }

    static Remedy otherFlavor(String flavor, long gpuMilli) {
        String detail = "It starts now on " + flavor + ".";
        return new Remedy(Kind.OTHER_FLAVOR, detail, Map.of(), flavor, null, null, null, null, gpuMilli);
    }

    static Remedy otherLane(Lane lane, long gpuMilli) {
        String detail = "It starts now in the " + lane.word() + " lane.";
        return new Remedy(Kind.OTHER_LANE, detail, Map.of(), null, lane, null, null, null, gpuMilli);
    }

    static Remedy shorter(int maxRuntimeSeconds, long gpuMilli) {
        String detail = "It starts now if its maxRuntimeSeconds is " + maxRuntimeSeconds + " or less.";
        return new Remedy(Kind.SHORTER, detail, Map.of(), null, null, maxRuntimeSeconds, null, null, gpuMilli);
    }

    /** @param pods by set, in the order of the sets */
    static Remedy fewer(Map<String, Integer> pods, long gpuMilli) {
        int count = pods.values().stream().mapToInt(Integer::intValue).sum();
        String gpus = gpuMilli == 0 ? "" : " with " + Amounts.of(Resource.GPUS, gpuMilli);
        String detail = count + (count == 1 ? " pod" : " pods") + gpus + (count == 1 ? " starts" : " start") + " now.";
        return new Remedy(Kind.FEWER_PODS, detail, pods, null, null, null, null, null, gpuMilli);
    }

    private static Remedy now(Kind kind, String detail, long gpuMilli) {
        return new Remedy(kind, detail, Map.of(), null, null, null, null, null, gpuMilli);
    }
}
