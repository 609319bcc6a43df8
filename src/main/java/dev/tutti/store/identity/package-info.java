/** Who leads, and who may call. */
@NullMarked
package dev.tutti.store.identity;

import org.jspecify.annotations.NullMarked;
