/** Experiments with queues: the real scheduler in virtual time, and what it is held against. */
@NullMarked
package dev.tutti.simulator.queues;

import org.jspecify.annotations.NullMarked;
