/** Real processes for tests that kill them. */
@NullMarked
package dev.tutti.testkit.process;

import org.jspecify.annotations.NullMarked;
