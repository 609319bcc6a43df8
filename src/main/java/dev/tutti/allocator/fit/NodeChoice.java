package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Area;
import dev.tutti.allocator.board.PodShape;

/** Chooses the node for one pod. Keeps its last answer; not safe for use by two threads. */
public interface NodeChoice {

    /** Finds a node for the pod in the area; false when there is none. */
    boolean find(PodShape shape, Area area);

    /** Position of the node found. */
    int node();

    /** The device found for a share or a MIG instance; -1 where the islands of the node decide. */
    int device();
}
