package dev.tutti.allocator.fleet;

import dev.tutti.model.fleet.NodeTraits;
import java.util.Collections;
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
 * @param traits labels and taints, by node index; nodes that are alike may share one value
 */
public record FleetNames(
        List<String> clusters,
        List<String> flavors,
        List<String> levels,
        int boundary,
        List<List<String>> domains,
        List<String> nodes,
        List<NodeTraits> traits) {

    /** A fleet whose gangs may cross all levels, of nodes without labels and taints. */
    public FleetNames(
            List<String> clusters,
            List<String> flavors,
            List<String> levels,
            List<List<String>> domains,
            List<String> nodes) {
        this(clusters, flavors, levels, 0, domains, nodes, Collections.nCopies(nodes.size(), NodeTraits.NONE));
    }
}
