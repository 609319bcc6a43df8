package dev.tutti.simulator.queues;

import org.jspecify.annotations.Nullable;

/**
 * A queue of an experiment, with its place in the tree. All amounts are whole GPUs.
 *
 * @param name its name
 * @param parent number of the queue above, which is lower than its own; -1 at the top
 * @param gpus its nominal quota
 * @param weight its fair-share weight, 1 and up
 * @param borrowingLimit how far above its quota it may go; null for as far as others lend
 * @param lendingLimit how much of its quota others may use; null for all
 */
public record QueueNode(
        String name,
        int parent,
        int gpus,
        int weight,
        @Nullable Integer borrowingLimit,
        @Nullable Integer lendingLimit) {

    /** One that borrows and lends without limit. */
    public QueueNode(String name, int parent, int gpus, int weight) {
        this(name, parent, gpus, weight, null, null);
    }

    /** What it may claim at most; the largest number where nothing limits it. */
    long ceiling() {
        return borrowingLimit == null ? Long.MAX_VALUE : (long) gpus + borrowingLimit;
    }

    /** What others never have of it. */
    long kept() {
        return lendingLimit == null ? 0 : Math.max(0, gpus - lendingLimit);
    }
}
