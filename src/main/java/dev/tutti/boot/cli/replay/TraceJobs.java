package dev.tutti.boot.cli.replay;

import dev.tutti.boot.cli.trace.TracePod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns trace pods into jobs of the API. The trace's durations span months; here every {@code shortEvery}-th pod runs
 * for a few seconds and ends during the replay, and the others outlast it.
 */
final class TraceJobs {

    private static final int SHORT_EVERY = 5;
    private static final int SHORTEST_SECONDS = 2;
    private static final int SHORT_SPREAD_SECONDS = 8;
    private static final int LONG_SECONDS = 86_400;

    /** @param index the pod's place among all arrivals; decides how long it runs */
    Map<String, Object> job(TracePod pod, int index) {
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("name", pod.name());
        job.put("expectedRuntimeSeconds", seconds(index));
        job.put("podSets", List.of(podSet(pod)));
        return job;
    }

    private Map<String, Object> podSet(TracePod pod) {
        Map<String, Object> set = new LinkedHashMap<>();
        set.put("count", 1);
        if (pod.gpus() == 1 && pod.gpuMilli() < 1000) {
            set.put("gpuMilli", pod.gpuMilli());
        } else if (pod.gpus() > 0) {
            set.put("gpusPerPod", pod.gpus());
        }
        set.put("cpuMilli", pod.cpuMilli());
        set.put("memoryMib", pod.memoryMib());
        set.put("flavors", pod.flavors());
        set.put("template", Map.of("image", "trace"));
        return set;
    }

    private static int seconds(int index) {
        return index % SHORT_EVERY == 0 ? SHORTEST_SECONDS + index / SHORT_EVERY % SHORT_SPREAD_SECONDS : LONG_SECONDS;
    }
}
