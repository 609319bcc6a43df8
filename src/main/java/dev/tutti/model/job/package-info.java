/** What a job asks for: pod sets, devices, NICs, topology, affinity, the rules for nodes, the pod template. */
@NullMarked
package dev.tutti.model.job;

import org.jspecify.annotations.NullMarked;
