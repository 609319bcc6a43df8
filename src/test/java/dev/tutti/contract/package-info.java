/** One abstract test for each port, run against every adapter, the fake ones and the real ones. */
@NullMarked
package dev.tutti.contract;

import org.jspecify.annotations.NullMarked;
