/** What Prometheus reads of the service beside what its libraries tell by themselves. */
@NullMarked
package dev.tutti.boot.metrics;

import org.jspecify.annotations.NullMarked;
