package dev.tutti.allocator.policy;

import dev.tutti.allocator.board.PodShape;
import java.util.List;

/**
 * What pods asked for lately: the best guess of what the next ones will ask for. Immutable.
 *
 * @param asks kinds of pods, each with how often it came
 */
public record Mix(List<Ask> asks) {

    /** Nothing is known yet. */
    public static final Mix UNKNOWN = new Mix(List.of());

    public Mix {
        asks = List.copyOf(asks);
    }

    /**
     * One kind of pod.
     *
     * @param shape what each takes of a node
     * @param flavors names of the flavors it may run on; empty for any
     * @param pods how many came, 1 and up
     */
    public record Ask(PodShape shape, List<String> flavors, int pods) {
        public Ask {
            flavors = List.copyOf(flavors);
        }
    }
}
