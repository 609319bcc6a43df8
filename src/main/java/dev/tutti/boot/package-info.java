/** The wire: settings, threads and the parts of the service put together. Decides nothing about jobs. */
@NullMarked
package dev.tutti.boot;

import org.jspecify.annotations.NullMarked;
