/** Reads recorded workloads from files; what is done with them is the commands' matter. */
@NullMarked
package dev.tutti.boot.cli.trace;

import org.jspecify.annotations.NullMarked;
