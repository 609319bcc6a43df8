package dev.tutti.allocator;

import java.util.List;

/**
 * What the indexes in {@link FleetArrays} stand for.
 *
 * @param clusters cluster names
 * @param flavors flavor names
 * @param levels level names, widest first, without the node itself (see {@code TopologyLevels})
 * @param boundary depth of the narrowest level that gangs cross only when they ask, from 1 for the widest; 0 for none
 * @param domains names of the domains of each level, by index
 * @param nodes node names, by node index
 */
public record FleetNames(
        List<String> clusters,
        List<String> flavors,
        List<String> levels,
        int boundary,
        List<List<String>> domains,
        List<String> nodes) {

    /** A fleet whose gangs may cross all levels. */
    public FleetNames(
            List<String> clusters,
            List<String> flavors,
            List<String> levels,
            List<List<String>> domains,
            List<String> nodes) {
        this(clusters, flavors, levels, 0, domains, nodes);
    }
}
