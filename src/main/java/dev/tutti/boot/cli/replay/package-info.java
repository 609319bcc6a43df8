/** Plays a recorded workload against a running service through its public API, and checks that all truths agree. */
@NullMarked
package dev.tutti.boot.cli.replay;

import org.jspecify.annotations.NullMarked;
