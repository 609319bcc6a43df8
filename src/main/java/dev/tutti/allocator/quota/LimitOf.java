package dev.tutti.allocator.quota;

/** What a limit of what runs is of. */
public enum LimitOf {
    JOBS("runningJobs"),
    GPUS("gpuMilli"),
    NODES("wholeNodes");

    /** Its name where reasons are read. */
    public final String field;

    LimitOf(String field) {
        this.field = field;
    }
}
