/** Nodes without machines: objects in a real API server, and a kubelet that plays what their containers would do. */
@NullMarked
package dev.tutti.testkit.envtest.kubelet;

import org.jspecify.annotations.NullMarked;
