/**
 * The Kubernetes door: nodes and pods in, pods and bindings out, one API server per gateway.
 *
 * <p>All that is read from a cluster is hostile input. Every answer of an API server has exactly one meaning here, and
 * no answer is a meaning too.
 */
@NullMarked
package dev.tutti.kubernetes;

import org.jspecify.annotations.NullMarked;
