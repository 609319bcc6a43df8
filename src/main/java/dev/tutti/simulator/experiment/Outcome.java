package dev.tutti.simulator.experiment;

import java.util.Map;
import java.util.NavigableMap;

/**
 * What came of one run.
 *
 * @param curve percent allocated by percent arrived
 * @param idle what was idle, by percent arrived: every tenth percent, and the last
 * @param pods pods that arrived
 * @param refused pods that fitted nowhere, by the milli-GPU each asked for
 * @param nanos CPU time that all placements took, in nanoseconds
 */
public record Outcome(Curve curve, NavigableMap<Integer, Idle> idle, int pods, Map<Long, Integer> refused, long nanos) {

    private static final double NANOS = 1e9;

    /**
     * GPU capacity that nobody holds.
     *
     * @param milli milli-GPU
     * @param unusableMilli what of that the average pod of the trace could not use
     */
    public record Idle(long milli, double unusableMilli) {}

    /** What was idle in the end. */
    public Idle idleAtEnd() {
        return idle.lastEntry().getValue();
    }

    /** Pods placed or refused a second of CPU time. */
    public double podsPerSecond() {
        return pods * NANOS / nanos;
    }
}
