package dev.tutti.simulator.experiment;

import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.model.Limits;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.TopologyWish;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Pods that start together, of one flavor. Depths as in {@link Request}: 0 is the cluster, then the levels, then the node.
 *
 * @param kind what is special about it
 * @param sets pods, the largest first; the GPUs of each are a multiple of those of the next
 * @param required depth of the widest domain allowed; 0 for anywhere
 * @param preferred depth of the domain wished for; -1 for the narrowest there is, if something is required
 */
public record Gang(Kind kind, String flavor, List<Pods> sets, int required, int preferred) {

    /** CPU and memory that come with each GPU: little enough for any machine, so that GPUs alone decide what fits. */
    private static final long CPU_MILLI = 8_000;

    private static final long MEMORY_MIB = 32_768;
    private static final PodTemplate TEMPLATE = new PodTemplate("gang", List.of(), List.of(), Map.of());

    public Gang {
        sets = List.copyOf(sets);
    }

    /** What is special about a gang. */
    public enum Kind {
        /** One pod set that must be within a level. */
        REQUIRED,
        /** One pod set that had better be within a level. */
        PREFERRED,
        /** One pod set that may start with half its pods; must be within one level, had better be in a narrower one. */
        ELASTIC,
        /** Two pod sets of different pods that had better be within a level together. */
        TWO_SETS
    }

    /**
     * Equal pods.
     *
     * @param gpus GPUs of each
     * @param count pods wanted
     * @param min pods that must start
     */
    public record Pods(int gpus, int count, int min) {}

    /** What a pod of so many GPUs takes of a node. */
    static PodShape shape(int gpus) {
        return new PodShape(gpus, Limits.DEVICE_MILLI, gpus * CPU_MILLI, gpus * MEMORY_MIB);
    }

    /** GPUs of all pods. */
    public int gpus() {
        return sets.stream().mapToInt(set -> set.gpus * set.count).sum();
    }

    boolean isElastic() {
        return sets.stream().anyMatch(set -> set.min < set.count);
    }

    /** Depth at which a domain is tried first: what was wished for; the node where a level is merely the widest allowed. */
    int narrowest(int nodeDepth) {
        return preferred < 0 ? nodeDepth : preferred;
    }

    /** The gang as the allocator wants to hear it. */
    Request request(Layout layout, FleetNames names) {
        List<PodSet> podSets = new ArrayList<>();
        for (Pods set : sets) {
            podSets.add(new PodSet(
                    "set-" + podSets.size(),
                    set.count,
                    set.min,
                    new GpuRequest.Whole(set.gpus),
                    List.of(flavor),
                    set.gpus * CPU_MILLI,
                    set.gpus * MEMORY_MIB,
                    TEMPLATE));
        }
        TopologyWish wish = new TopologyWish(
                required == 0 ? null : level(required, names), preferred < 0 ? null : level(preferred, names));
        return Objects.requireNonNull(Request.of(layout, names, podSets, wish), "levels of the fleet are known to it");
    }

    private static String level(int depth, FleetNames names) {
        if (depth == 0) {
            return TopologyLevels.CLUSTER_LEVEL;
        }
        return depth > names.levels().size()
                ? TopologyLevels.NODE_LEVEL
                : names.levels().get(depth - 1);
    }
}
