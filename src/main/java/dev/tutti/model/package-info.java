/**
 * The words of Tutti as values: ids, what a job asks for, what a cluster offers, and the one job state machine.
 *
 * <p>Every record here is valid once built. Nothing here reads a clock, a database or a cluster.
 */
@NullMarked
package dev.tutti.model;

import org.jspecify.annotations.NullMarked;
