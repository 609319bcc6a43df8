/** What a queue may take and what it takes: quotas, and use by lane. */
@NullMarked
package dev.tutti.model.queue;

import org.jspecify.annotations.NullMarked;
