@NullMarked
package dev.tutti.simulator.fleet;

import org.jspecify.annotations.NullMarked;
