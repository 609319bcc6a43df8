package dev.tutti.model.queue;

import java.util.Arrays;
import java.util.Optional;

/** What a quota can be of, each counted in whole units. */
public enum QuotaResource {
    /** Thousandths of a GPU. */
    GPU_MILLI("gpuMilli"),
    /** Thousandths of a CPU core. */
    CPU_MILLI("cpuMilli"),
    /** Memory in MiB. */
    MEMORY_MIB("memoryMib");

    private final String word;

    QuotaResource(String word) {
        this.word = word;
    }

    /** Its name on the wire and in SQL. */
    public String word() {
        return word;
    }

    /** The resource of this name; empty for another word. */
    public static Optional<QuotaResource> of(String word) {
        return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
    }
}
