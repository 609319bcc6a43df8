/** The event stream: one reader of the database for all who listen. */
@NullMarked
package dev.tutti.web.events;

import org.jspecify.annotations.NullMarked;
