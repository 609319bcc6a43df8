/** How much a queue may still take: nominal quota, what it may borrow, and what others do not lend. */
@NullMarked
package dev.tutti.allocator.quota;

import org.jspecify.annotations.NullMarked;
