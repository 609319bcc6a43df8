/**
 * The store's ports in memory, by the same rules as the schema: for tests of the loops under a virtual clock. What the
 * database would refuse is refused here.
 */
@NullMarked
package dev.tutti.testkit.memory;

import org.jspecify.annotations.NullMarked;
