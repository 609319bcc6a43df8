package dev.tutti.simulator.experiment;

import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.fit.NodeChoice;
import java.util.List;

/**
 * A contestant in one run.
 *
 * @param choice how it chooses nodes
 * @param listener told what arrives, before nodes are chosen for it
 */
record Player(NodeChoice choice, Listener listener) {

    /** One that learns nothing from what arrives. */
    static Player deaf(NodeChoice choice) {
        return new Player(choice, (shape, flavors, pods) -> {});
    }

    /** Hears of arrivals. */
    interface Listener {

        /**
         * Equal pods arrive.
         *
         * @param flavors flavors they may run on; empty for any
         * @param pods how many, 1 and up
         */
        void arrived(PodShape shape, List<String> flavors, int pods);
    }
}
