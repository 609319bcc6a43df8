package dev.tutti.model.fleet;

import java.util.List;
import java.util.Map;
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

    /** The name under which a job says that its pods may be anywhere in one cluster, in several data centres too. */
    public static final String CLUSTER_LEVEL = "cluster";

    public TopologyLevels {
        levels = List.copyOf(levels);
    }

    /**
     * One level.
     *
     * @param name how jobs name it
     * @param labelKeys node labels that may hold its domain; the first one with a value counts
     * @param crossing when a gang may be spread over several of its domains
     */
    public record Level(String name, List<String> labelKeys, Crossing crossing) {
        public Level {
            labelKeys = List.copyOf(labelKeys);
        }

        /** A level that gangs may cross. */
        public Level(String name, List<String> labelKeys) {
            this(name, labelKeys, Crossing.FREE);
        }
    }

    /** When a gang may be spread over several domains of a level. */
    public enum Crossing {
        /** Whenever its own wish does not forbid it. */
        FREE,
        /**
         * Only when it asks for a wider level. For levels such as the data centre. Nodes of one parent that have no label
         * for such a level count as one domain of it.
         */
        ASKED
    }

    /** The domain at each level that these labels of a node name, widest first; empty where none does. */
    public List<String> domainsOf(Map<String, String> labels) {
        return levels.stream()
                .map(level -> level.labelKeys().stream()
                        .map(key -> labels.getOrDefault(key, ""))
                        .filter(domain -> !domain.isEmpty())
                        .findFirst()
                        .orElse(""))
                .toList();
    }

    /** Names jobs may use, widest first: from {@link #CLUSTER_LEVEL} to {@link #NODE_LEVEL}. */
    public List<String> names() {
        return Stream.of(Stream.of(CLUSTER_LEVEL), levels.stream().map(Level::name), Stream.of(NODE_LEVEL))
                .flatMap(names -> names)
                .toList();
    }

    /** Depth of the level {@code name}: 0 for the cluster, the node is the deepest; -1 when there is no such level. */
    public int depthOf(String name) {
        return names().indexOf(name);
    }

    /** Depth of the narrowest level that gangs cross only when they ask; 0 when they may cross all. */
    public int boundary() {
        for (int i = levels.size(); i > 0; i--) {
            if (levels.get(i - 1).crossing() == Crossing.ASKED) {
                return i;
            }
        }
        return 0;
    }
}
