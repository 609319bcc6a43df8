/** What changed, read in commit order: the head query of a cycle, the events, the audit. */
@NullMarked
package dev.tutti.store.stream;

import org.jspecify.annotations.NullMarked;
