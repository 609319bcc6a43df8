package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.PodShape;

/** What there can be too little of. MIG instances are GPUs counted in what can be missing of them: positions. */
public enum Resource {
    GPUS("gpuMilli"),
    CPU("cpuMilli"),
    MEMORY("memoryMib"),
    NICS("rdma"),
    PODS("pods"),
    INSTANCES("mig"),
    /** Nodes that a pod has for itself: limited, and never missing. */
    WHOLE_NODES("wholeNodes");

    /** Its name where reasons are read, with the unit last. */
    public final String field;

    Resource(String field) {
        this.field = field;
    }

    /** How much of it one pod takes; of a GPU that is cut the least that it can be. */
    public long of(PodShape shape) {
        return switch (this) {
            case GPUS -> shape.gpuMilli();
            case CPU -> shape.cpuMilli();
            case MEMORY -> shape.memoryMib();
            case NICS -> shape.nics();
            case PODS -> 1;
            case INSTANCES -> shape.isMig() ? 1 : 0;
            case WHOLE_NODES -> 0;
        };
    }

    /** The same pod if it needed nothing of it; a slot it always needs. */
    PodShape without(PodShape shape) {
        return switch (this) {
            case GPUS, INSTANCES -> shape.withoutDevices();
            case CPU -> shape.withHost(0, shape.memoryMib());
            case MEMORY -> shape.withHost(shape.cpuMilli(), 0);
            case NICS -> shape.with(0, PodShape.ANY_RESOURCE);
            case PODS, WHOLE_NODES -> shape;
        };
    }
}
