package dev.tutti.model;

import java.util.HashSet;
import java.util.List;

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
 */
public record PodSet(
        String name,
        int count,
        int minCount,
        GpuRequest gpus,
        List<String> flavors,
        long cpuMilli,
        long memoryMib,
        PodTemplate template) {

    private static final int FLAVORS = 32;

    public PodSet {
        flavors = List.copyOf(flavors);
        Check check = new Check()
                .that(Names.isDnsLabel(name), "name", "is \"" + name + "\"; give a DNS label such as worker")
                .range(count, 1, Limits.PODS_PER_SET, "count")
                .that(
                        minCount >= 1 && minCount <= count,
                        "minCount",
                        "is " + minCount + "; give a whole number from 1 to count (" + count + ")")
                .that(flavors.size() <= FLAVORS, "flavors", "names more than " + FLAVORS + " flavors")
                .that(
                        new HashSet<>(flavors).size() == flavors.size(),
                        "flavors",
                        "names a flavor twice; name each once, in order of wish")
                .range(cpuMilli, 0, Limits.CPU_MILLI, "cpuMilli")
                .range(memoryMib, 0, Limits.MEMORY_MIB, "memoryMib");
        check.orThrow();
    }
}
