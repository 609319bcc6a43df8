/** Jobs as they come in: submission with its idempotency record, and the stored form of a spec. */
@NullMarked
package dev.tutti.store.work;

import org.jspecify.annotations.NullMarked;
