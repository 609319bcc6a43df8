/**
 * The decision: a snapshot and the jobs that wait in, a plan out.
 *
 * <p>Pure and deterministic: no clock, no random numbers, no map order. Hot paths work on primitive arrays.
 */
@NullMarked
package dev.tutti.allocator;

import org.jspecify.annotations.NullMarked;
