/** Turns the hand-cranked loops of control by threads, for as long as this replica leads. */
@NullMarked
package dev.tutti.boot.loops;

import org.jspecify.annotations.NullMarked;
