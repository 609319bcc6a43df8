/** What a cluster offers and says: nodes, taints, topology levels, MIG layouts, NICs, sightings of nodes and pods. */
@NullMarked
package dev.tutti.model.fleet;

import org.jspecify.annotations.NullMarked;
