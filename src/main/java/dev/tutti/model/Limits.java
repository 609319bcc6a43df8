package dev.tutti.model;

/** The largest numbers Tutti takes. They bound every loop and column; none is a promise of capacity. */
public final class Limits {

    /** Milli-GPU of one whole device; the smallest share is one milli-GPU. */
    public static final int DEVICE_MILLI = 1_000;

    /** Devices one pod may ask for. */
    public static final int GPUS_PER_POD = 64;

    /** RDMA NICs one pod may ask for. */
    public static final int NICS_PER_POD = 16;

    /** Pods of one pod set. */
    public static final int PODS_PER_SET = 20_000;

    /** Pod sets of one job. */
    public static final int POD_SETS = 16;

    /** CPU of one pod, in milli-cores. */
    public static final long CPU_MILLI = 4_096_000;

    /** Memory of one pod, in MiB. */
    public static final long MEMORY_MIB = 67_108_864;

    /** Absolute value of a priority. */
    public static final int PRIORITY = 1_000_000;

    /** Seconds of any duration: ten years. */
    public static final int SECONDS = 315_360_000;

    /** The longest that a job keeps to the flavors it names first before it may use one more, in seconds: 31 days. */
    public static final int FALLBACK_SECONDS = 2_678_400;

    /** Jobs that one job may depend on. */
    public static final int PARENTS = 64;

    /** Code points of a job's name. */
    public static final int NAME_LENGTH = 128;

    /** Labels of one job. */
    public static final int LABELS = 32;

    /** Milli-GPU of one flavor in a queue's quota: a million GPUs. */
    public static final long QUOTA_MILLI = 1_000_000_000L;

    private Limits() {}
}
