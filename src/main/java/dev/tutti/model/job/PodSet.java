package dev.tutti.model.job;

import dev.tutti.model.Check;
import dev.tutti.model.InvalidInput;
import dev.tutti.model.Labels;
import dev.tutti.model.Limits;
import dev.tutti.model.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code count} equal pods of a job.
 *
 * @param name a DNS label, unique in the job
 * @param count pods wanted, 1 to {@link Limits#PODS_PER_SET}
 * @param minCount pods that must start together, 1 to {@code count}; the rest start with them where they fit
 * @param gpus what each pod asks of devices
 * @param flavors flavors in order of wish; empty means any. All pods of the set run on one flavor
 * @param cpuMilli CPU of each pod in milli-cores, 0 and up
 * @param memoryMib memory of each pod in MiB, 0 and up
 * @param template what runs in each pod
 * @param topology how near the pods of this set want to be to each other, beside the job's own wish for all pods
 * @param segment the parts of the set that each stay in one domain; {@code count} and {@code minCount} are multiples of
 *     its size. Null for none
 * @param nodes which nodes its pods may use
 * @param affinity where its pods have to be, seen from other sets of the job
 * @param nics RDMA NICs of each pod
 * @param maxCount up to how many pods it may be scaled, {@code count} to {@link Limits#PODS_PER_SET}; null for
 *     {@code count}. Never null once built
 * @param startAfter the sets of the job that must have come so far before a pod of this one is made; none is at once
 */
public record PodSet(
        String name,
        int count,
        int minCount,
        GpuRequest gpus,
        List<String> flavors,
        long cpuMilli,
        long memoryMib,
        PodTemplate template,
        TopologyWish topology,
        @Nullable TopologySegment segment,
        NodeRules nodes,
        List<SetAffinity> affinity,
        NicRequest nics,
        @Nullable Integer maxCount,
        List<StartAfter> startAfter) {

    private static final int FLAVORS = 32;

    public PodSet {
        flavors = List.copyOf(flavors);
        topology = Objects.requireNonNullElse(topology, TopologyWish.NONE); // specs stored without one
        nodes = Objects.requireNonNullElse(nodes, NodeRules.NONE); // the same
        Objects.requireNonNull(gpus); // what is stored may be anything
        Objects.requireNonNull(template);
        affinity = List.copyOf(Objects.requireNonNullElse(affinity, List.of()));
        nics = Objects.requireNonNullElse(nics, NicRequest.NONE);
        startAfter = List.copyOf(Objects.requireNonNullElse(startAfter, List.of())); // the same
        maxCount = maxCount == null ? Integer.valueOf(count) : maxCount;
        Check check = new Check()
                .that(
                        Names.isDnsLabel(name),
                        "name",
                        "is \"" + Labels.shown(name) + "\"; give a DNS label such as worker")
                .range(count, 1, Limits.PODS_PER_SET, "count")
                .atMost(flavors.size(), FLAVORS, "flavors", "flavors")
                .that(
                        new HashSet<>(flavors).size() == flavors.size(),
                        "flavors",
                        "names a flavor twice (" + Labels.shown(twice(flavors)) + "); name each once, in order of wish")
                .range(cpuMilli, 0, Limits.CPU_MILLI, "cpuMilli")
                .range(memoryMib, 0, Limits.MEMORY_MIB, "memoryMib")
                .atMost(affinity.size(), SetAffinity.MOST, "items", "affinity")
                .atMost(startAfter.size(), Limits.POD_SETS, "items", "startAfter");
        checkCounts(check, count, minCount, segment);
        checkMost(check, count, maxCount, segment);
        for (int i = 0; i < affinity.size(); i++) {
            check.that(
                    !affinity.get(i).podSet().equals(name),
                    "affinity[" + i + "].podSet",
                    "is \"" + Labels.shown(name)
                            + "\", the set itself; give another set, or keep its own pods together by topology.required");
        }
        check.orThrow();
    }

    /** A set whose pods are made at once. */
    public PodSet(
            String name,
            int count,
            int minCount,
            GpuRequest gpus,
            List<String> flavors,
            long cpuMilli,
            long memoryMib,
            PodTemplate template,
            TopologyWish topology,
            @Nullable TopologySegment segment,
            NodeRules nodes,
            List<SetAffinity> affinity,
            NicRequest nics,
            @Nullable Integer maxCount) {
        this(
                name, count, minCount, gpus, flavors, cpuMilli, memoryMib, template, topology, segment, nodes, affinity,
                nics, maxCount, List.of());
    }

    /** A set that is never scaled above what it is now. */
    public PodSet(
            String name,
            int count,
            int minCount,
            GpuRequest gpus,
            List<String> flavors,
            long cpuMilli,
            long memoryMib,
            PodTemplate template,
            TopologyWish topology,
            @Nullable TopologySegment segment,
            NodeRules nodes,
            List<SetAffinity> affinity,
            NicRequest nics) {
        this(
                name, count, minCount, gpus, flavors, cpuMilli, memoryMib, template, topology, segment, nodes, affinity,
                nics, null);
    }

    /** A set without a topology wish of its own, on any node without a taint that bars. */
    public PodSet(
            String name,
            int count,
            int minCount,
            GpuRequest gpus,
            List<String> flavors,
            long cpuMilli,
            long memoryMib,
            PodTemplate template) {
        this(
                name,
                count,
                minCount,
                gpus,
                flavors,
                cpuMilli,
                memoryMib,
                template,
                TopologyWish.NONE,
                null,
                NodeRules.NONE,
                List.of(),
                NicRequest.NONE);
    }

    /** The same pods, each with these NICs. */
    public PodSet with(NicRequest others) {
        return new PodSet(
                name,
                count,
                minCount,
                gpus,
                flavors,
                cpuMilli,
                memoryMib,
                template,
                topology,
                segment,
                nodes,
                affinity,
                others,
                maxCount,
                startAfter);
    }

    /** The same pods, made only when these sets have come so far. */
    public PodSet after(List<StartAfter> others) {
        return new PodSet(
                name, count, minCount, gpus, flavors, cpuMilli, memoryMib, template, topology, segment, nodes, affinity,
                nics, maxCount, others);
    }

    /** The same pods, on these flavors. */
    public PodSet on(List<String> others) {
        return new PodSet(
                name,
                count,
                minCount,
                gpus,
                others,
                cpuMilli,
                memoryMib,
                template,
                topology,
                segment,
                nodes,
                affinity,
                nics,
                maxCount,
                startAfter);
    }

    /** The same pods, but exactly so many of them; a multiple of the segment's size. */
    public PodSet ofSize(int pods) {
        return new PodSet(
                name,
                pods,
                pods,
                gpus,
                flavors,
                cpuMilli,
                memoryMib,
                template,
                topology,
                segment,
                nodes,
                affinity,
                nics,
                null,
                startAfter);
    }

    /** The same pods, but only a part of the smallest start: at least one, or one segment, and whole segments. */
    public PodSet part(int part, int whole) {
        long share = (long) minCount * part / whole;
        int step = segment == null ? 1 : segment.pods();
        return ofSize((int) Math.max(step, share / step * step));
    }

    /**
     * The same set with another number of pods wanted.
     *
     * @param pods from {@code minCount} to {@code maxCount}, a multiple of the segment's size
     * @throws InvalidInput naming {@code count} when it is not
     */
    public PodSet scaled(int pods) {
        new Check()
                .that(
                        pods >= minCount && pods <= most(),
                        "count",
                        "is " + pods + "; give a whole number from " + minCount + " (minCount) to " + most()
                                + " (maxCount) of pod set " + name
                                + ", or submit another job: both were said when this one was submitted")
                .that(
                        isWhole(pods, segment),
                        "count",
                        "is " + pods + "; give a multiple of " + (segment == null ? 1 : segment.pods())
                                + ", the size of the segments of pod set " + name)
                .orThrow();
        return new PodSet(
                name,
                pods,
                minCount,
                gpus,
                flavors,
                cpuMilli,
                memoryMib,
                template,
                topology,
                segment,
                nodes,
                affinity,
                nics,
                maxCount,
                startAfter);
    }

    /** Up to how many pods it may be scaled. */
    public int most() {
        return maxCount == null ? count : maxCount;
    }

    /** A count that is out of range says nothing of what depends on it; nor does a minCount that only follows it. */
    private static void checkCounts(Check check, int count, int minCount, @Nullable TopologySegment segment) {
        boolean possible = count >= 1 && count <= Limits.PODS_PER_SET;
        if (possible) {
            check.that(isWhole(count, segment), "topology.segment.pods", uneven("count", count, segment));
        }
        if (minCount != count) {
            int most = possible ? count : Limits.PODS_PER_SET;
            check.that(
                            minCount >= 1 && minCount <= most,
                            "minCount",
                            "is " + minCount + "; give a whole number from 1 to "
                                    + (possible ? "count (" + count + ")" : Integer.toString(most)))
                    .that(isWhole(minCount, segment), "topology.segment.pods", uneven("minCount", minCount, segment));
        }
    }

    private static void checkMost(Check check, int count, int maxCount, @Nullable TopologySegment segment) {
        if (maxCount != count && count >= 1 && count <= Limits.PODS_PER_SET) {
            check.that(
                            maxCount > count && maxCount <= Limits.PODS_PER_SET,
                            "maxCount",
                            "is " + maxCount + "; give a whole number from count (" + count + ") to "
                                    + Limits.PODS_PER_SET)
                    .that(isWhole(maxCount, segment), "topology.segment.pods", uneven("maxCount", maxCount, segment));
        }
    }

    private static String twice(List<String> flavors) {
        return flavors.stream()
                .filter(flavor -> flavors.indexOf(flavor) != flavors.lastIndexOf(flavor))
                .findFirst()
                .orElse("");
    }

    private static boolean isWhole(int pods, @Nullable TopologySegment segment) {
        return segment == null || pods % segment.pods() == 0;
    }

    private static String uneven(String field, int pods, @Nullable TopologySegment segment) {
        return "is " + (segment == null ? 1 : segment.pods()) + ", and " + field + " (" + pods
                + ") is not a multiple of it; give a number that divides " + pods;
    }
}
