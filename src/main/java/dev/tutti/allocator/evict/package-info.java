/** Who must give way to whom: places on what will be free, and the running jobs that a place needs gone. */
@NullMarked
package dev.tutti.allocator.evict;

import org.jspecify.annotations.NullMarked;
