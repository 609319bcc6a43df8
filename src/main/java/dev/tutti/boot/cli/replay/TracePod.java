package dev.tutti.boot.cli.replay;

import java.util.List;

/**
 * One pod of a trace.
 *
 * @param gpus devices it uses, 0 to 8
 * @param gpuMilli milli-GPU of each device
 * @param models models it accepts, in the trace's words; empty means any
 */
record TracePod(String name, long cpuMilli, long memoryMib, int gpus, int gpuMilli, List<String> models) {

    /** Milli-GPU in all. */
    long milli() {
        return (long) gpus * gpuMilli;
    }
}
