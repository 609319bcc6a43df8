/** What is short, in which numbers, and the plain sentence that says so. */
@NullMarked
package dev.tutti.allocator.reason;

import org.jspecify.annotations.NullMarked;
