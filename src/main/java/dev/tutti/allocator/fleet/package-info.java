/**
 * The fleet as the allocator sees it: nodes in arrays in a fixed order, the names behind the numbers, domains of the
 * topology, and what changed since the last look. What is free stands on the board.
 */
@NullMarked
package dev.tutti.allocator.fleet;

import org.jspecify.annotations.NullMarked;
