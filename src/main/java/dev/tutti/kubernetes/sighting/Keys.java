package dev.tutti.kubernetes.sighting;

/** What only this door writes, beside {@link dev.tutti.control.PodMarks}, and the names of others that it reads. */
public final class Keys {

    public static final String SCHEDULER = "tutti";

    public static final String MANAGED_BY = "tutti.dev/managed-by";
    public static final String TOUCH = "tutti.dev/touch";
    public static final String EXPECTED_RUNTIME = "tutti.dev/expected-runtime-seconds";

    public static final String GPU = "nvidia.com/gpu";

    /** Before a MIG profile's name: the resource of the device plugin with the strategy {@code mixed}. */
    public static final String MIG_PREFIX = "nvidia.com/mig-";

    public static final String GPU_PRODUCT = "nvidia.com/gpu.product";
    public static final String GPU_MEMORY = "nvidia.com/gpu.memory";
    public static final String GPU_COUNT = "nvidia.com/gpu.count";
    public static final String GPU_REPLICAS = "nvidia.com/gpu.replicas";
    public static final String GPU_SHARING = "nvidia.com/gpu.sharing-strategy";
    public static final String MIG_STRATEGY = "nvidia.com/mig.strategy";

    private Keys() {}
}
