/**
 * What callers ask for, before anything is written: checks of jobs and of their changes against what is there, and
 * forecasts of what would become of them. Decides nothing about places: the allocator does.
 */
@NullMarked
package dev.tutti.control.intake;

import org.jspecify.annotations.NullMarked;
