/** Reads nodes and pods of a cluster as sightings. All of it is hostile input; nothing here calls anybody. */
@NullMarked
package dev.tutti.kubernetes.sighting;

import org.jspecify.annotations.NullMarked;
