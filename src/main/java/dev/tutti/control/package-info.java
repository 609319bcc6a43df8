/**
 * The few loops that make things happen, and the ports they speak through.
 *
 * <p>Each loop has one hand-turned step, so that tests and the simulation run the same classes under a virtual clock.
 * Loops read no wall clock for decisions: times that decide are the database's, or come in as a parameter.
 */
@NullMarked
package dev.tutti.control;

import org.jspecify.annotations.NullMarked;
