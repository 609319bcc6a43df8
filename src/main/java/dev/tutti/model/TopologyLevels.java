package dev.tutti.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * The levels of the network, widest first, as configured. The node itself is always the narrowest level, and the
 * cluster is always wider than all of them.
 *
 * @param levels the levels between cluster and node, such as zone, block, rack
 */
public record TopologyLevels(List<Level> levels) {

    /** The name under which a job asks for all its pods on one node. */
    public static final String NODE_LEVEL = "hostname";

    public TopologyLevels {
        levels = List.copyOf(levels);
    }

    /**
     * One level.
     *
     * @param name how jobs name it
     * @param labelKeys node labels that may hold its domain; the first one present counts
     */
    public record Level(String name, List<String> labelKeys) {
        public Level {
            labelKeys = List.copyOf(labelKeys);
        }
    }

    /** Names jobs may use, widest first, ending with {@link #NODE_LEVEL}. */
    public List<String> names() {
        return Stream.concat(levels.stream().map(Level::name), Stream.of(NODE_LEVEL))
                .toList();
    }

    /** Position of {@code name} from the widest, 0 first; -1 when there is no such level. */
    public int indexOf(String name) {
        return names().indexOf(name);
    }
}
