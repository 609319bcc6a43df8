package dev.tutti.allocator;

import java.util.List;

/**
 * What the indexes in {@link FleetArrays} stand for.
 *
 * @param clusters cluster names
 * @param flavors flavor names
 * @param levels level names, widest first, without the node itself (see {@code TopologyLevels})
 * @param domains names of the domains of each level, by index
 * @param nodes node names, by node index
 */
public record FleetNames(
        List<String> clusters,
        List<String> flavors,
        List<String> levels,
        List<List<String>> domains,
        List<String> nodes) {}
