/** Fleets, queues and jobs as lines of text, what shall come of them as lines of text, and a picture when it does not. */
@NullMarked
package dev.tutti.testkit.scenario;

import org.jspecify.annotations.NullMarked;
