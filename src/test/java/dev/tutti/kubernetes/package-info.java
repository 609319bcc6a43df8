/** The Kubernetes door against a real API server, and against servers that answer what a real one cannot be made to. */
@NullMarked
package dev.tutti.kubernetes;

import org.jspecify.annotations.NullMarked;
