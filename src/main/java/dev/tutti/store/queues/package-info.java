/** Queues with their quota, and the lanes. */
@NullMarked
package dev.tutti.store.queues;

import org.jspecify.annotations.NullMarked;
