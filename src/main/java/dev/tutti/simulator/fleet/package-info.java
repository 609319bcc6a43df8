/** The machines of a simulated cluster, as data: a few fleets with names, and fleets read from a file. */
@NullMarked
package dev.tutti.simulator.fleet;

import org.jspecify.annotations.NullMarked;
