/**
 * Free capacity in arrays, ready to be taken and given back: nodes, devices, islands, and the cells of the topology tree
 * above them. Decides nothing.
 *
 * <p>Nodes are numbered by <em>position</em>: all nodes of one flavor side by side, within a flavor all nodes of one
 * cluster, zone, block and rack side by side. So a domain's nodes of one flavor are a range of positions, and neighbours
 * in position are neighbours in the network. Positions follow names, never ids: the order in which nodes were added
 * decides nothing.
 */
@NullMarked
package dev.tutti.allocator.board;

import org.jspecify.annotations.NullMarked;
