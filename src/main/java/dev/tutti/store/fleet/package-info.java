/** The inventory: clusters, nodes and devices as their clusters report them. */
@NullMarked
package dev.tutti.store.fleet;

import org.jspecify.annotations.NullMarked;
