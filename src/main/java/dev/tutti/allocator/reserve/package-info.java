/** When a job that cannot start now can start at the latest, and what is kept free for it until then. */
@NullMarked
package dev.tutti.allocator.reserve;

import org.jspecify.annotations.NullMarked;
