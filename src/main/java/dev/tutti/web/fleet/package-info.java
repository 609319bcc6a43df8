/** The resource map: clusters, nodes, GPUs, topology, flavors. */
@NullMarked
package dev.tutti.web.fleet;

import org.jspecify.annotations.NullMarked;
