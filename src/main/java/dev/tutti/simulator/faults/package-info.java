/** Bad weather between Tutti and a cluster: a gateway that loses, delays and repeats under a seed. */
@NullMarked
package dev.tutti.simulator.faults;

import org.jspecify.annotations.NullMarked;
