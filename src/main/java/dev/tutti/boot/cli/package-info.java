/** What a person types: the commands of the program, their help and their exit codes. */
@NullMarked
package dev.tutti.boot.cli;

import org.jspecify.annotations.NullMarked;
