/** The commit, the runs of jobs and the outbox: the only writers of allocations. */
@NullMarked
package dev.tutti.store.ledger;

import org.jspecify.annotations.NullMarked;
