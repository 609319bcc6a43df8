/** Opens the clusters that the settings name: real ones by address and token, or the simulated one. */
@NullMarked
package dev.tutti.boot.clusters;

import org.jspecify.annotations.NullMarked;
