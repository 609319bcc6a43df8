/** Kubernetes manifests: what Tutti understood of them, then submit. */
@NullMarked
package dev.tutti.web.manifests;

import org.jspecify.annotations.NullMarked;
