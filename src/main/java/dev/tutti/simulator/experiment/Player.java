package dev.tutti.simulator.experiment;

import dev.tutti.allocator.fit.NodeChoice;
import dev.tutti.allocator.policy.Mix;
import java.util.function.Consumer;

/**
 * A contestant in one run.
 *
 * @param choice how it chooses nodes
 * @param arrived told what each pod asks for, before a node is chosen for it
 */
record Player(NodeChoice choice, Consumer<Mix.Ask> arrived) {

    /** One that learns nothing from what arrives. */
    static Player unmoved(NodeChoice choice) {
        return new Player(choice, ask -> {});
    }
}
