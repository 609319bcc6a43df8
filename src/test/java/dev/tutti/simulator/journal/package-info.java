@NullMarked
package dev.tutti.simulator.journal;

import org.jspecify.annotations.NullMarked;
