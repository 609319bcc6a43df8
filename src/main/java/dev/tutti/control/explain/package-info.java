/**
 * Why a job waits, who is in its way, and what would let it start: asked of the engine that decides, on the state of now.
 * Writes nothing, and decides nothing that counts.
 */
@NullMarked
package dev.tutti.control.explain;

import org.jspecify.annotations.NullMarked;
