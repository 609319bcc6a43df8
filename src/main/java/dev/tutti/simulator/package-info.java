/**
 * A cluster without Kubernetes: pods that start, run and end, on machines that can be lost. It has its own truth and
 * its own journal, never the ledger's, so that what Tutti believes can be compared with what is.
 */
@NullMarked
package dev.tutti.simulator;

import org.jspecify.annotations.NullMarked;
