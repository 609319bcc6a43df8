/** The main class alone; every other type lives in a ring below. */
@NullMarked
package dev.tutti;

import org.jspecify.annotations.NullMarked;
