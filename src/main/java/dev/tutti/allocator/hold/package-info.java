/** Free capacity that is kept for jobs which cannot start yet. */
@NullMarked
package dev.tutti.allocator.hold;

import org.jspecify.annotations.NullMarked;
