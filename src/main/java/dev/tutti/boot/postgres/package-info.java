/** The database of a service that was given none: a real PostgreSQL in the data folder, durable, on loopback. */
@NullMarked
package dev.tutti.boot.postgres;

import org.jspecify.annotations.NullMarked;
