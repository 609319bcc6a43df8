/** Reads what callers send: bounded while reading, strict about names and types, every mistake reported at once. */
@NullMarked
package dev.tutti.web.input;

import org.jspecify.annotations.NullMarked;
