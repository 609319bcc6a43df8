package dev.tutti.boot.cli.trace;

import java.util.List;

/**
 * One pod of a trace.
 *
 * @param gpus devices it uses, 0 and up
 * @param gpuMilli milli-GPU of each device: 0 without devices, 1 to 1000 for one, 1000 for several
 * @param flavors flavors it accepts, named as those of a fleet read from a file; empty means any
 */
public record TracePod(String name, long cpuMilli, long memoryMib, int gpus, int gpuMilli, List<String> flavors) {

    public TracePod {
        flavors = List.copyOf(flavors);
    }

    /** Milli-GPU in all. */
    public long milli() {
        return (long) gpus * gpuMilli;
    }
}
