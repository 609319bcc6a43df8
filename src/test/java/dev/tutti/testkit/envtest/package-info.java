/** A real Kubernetes API server for tests: found, started, stopped. */
@NullMarked
package dev.tutti.testkit.envtest;

import org.jspecify.annotations.NullMarked;
