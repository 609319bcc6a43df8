/** Settings that follow from other settings: which database, which address, which port. */
@NullMarked
package dev.tutti.boot.environment;

import org.jspecify.annotations.NullMarked;
