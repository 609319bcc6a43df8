package dev.tutti.allocator.policy;

import dev.tutti.allocator.board.PodShape;

/** What it costs to give a pod to a node. Not safe for use by two threads. */
public interface Costs {

    /** The node does not hold the pod. */
    long NO_ROOM = Long.MAX_VALUE;

    /** The free capacity of this node changed since it was last asked about. */
    void refresh(int position);

    /**
     * The cost of one more such pod on the node; smaller is better.
     *
     * @param position a node with the CPU, the memory, the slot and, for whole GPUs, the devices for it
     * @return {@link #NO_ROOM} when no device of the node holds the share or the MIG instance
     */
    long of(int position, PodShape shape);

    /** The device a share or a MIG instance should get on that node; only where {@link #of} found room. */
    int device(int position, PodShape shape);
}
