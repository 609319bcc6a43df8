/**
 * Where pods fit: free capacity under indexes, the choice of nodes and devices, the search for a domain. Knows nothing
 * of queues, lanes or order.
 *
 * <p>Nodes are numbered by <em>position</em>: all nodes of one flavor side by side, within a flavor all nodes of one
 * cluster, zone, block and rack side by side. So a domain's nodes of one flavor are a range of positions, and neighbours
 * in position are neighbours in the network. Positions follow names, never ids: the order in which nodes were added
 * decides nothing.
 */
@NullMarked
package dev.tutti.allocator.fit;

import org.jspecify.annotations.NullMarked;
