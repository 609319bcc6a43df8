/** The life of a job: its states and causes, its members, why it waits; the one job state machine. */
@NullMarked
package dev.tutti.model.life;

import org.jspecify.annotations.NullMarked;
