/** The experiments as commands: reads what they need, has them played, prints and draws what came of it. */
@NullMarked
package dev.tutti.boot.cli.experiment;

import org.jspecify.annotations.NullMarked;
