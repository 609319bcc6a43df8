/**
 * The real loops under a seed and a virtual clock, with everything going wrong that can, and both truths compared at
 * every tick: what the ledger says, and what really ran.
 */
@NullMarked
package dev.tutti.simulation;

import org.jspecify.annotations.NullMarked;
