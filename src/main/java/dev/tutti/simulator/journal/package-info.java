/** A durable file of the last value of each key. It knows nothing of pods and nodes. */
@NullMarked
package dev.tutti.simulator.journal;

import org.jspecify.annotations.NullMarked;
