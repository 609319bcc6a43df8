/** Queues and lanes: shown, and changed by those who may. */
@NullMarked
package dev.tutti.web.queues;

import org.jspecify.annotations.NullMarked;
