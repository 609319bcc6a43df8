package dev.tutti.simulator;

import java.time.Duration;

/**
 * How long things take in the simulated cluster.
 *
 * @param notice until a kubelet sees a change of the API, or the API hears of a node that speaks again
 * @param start from admission to running containers
 * @param stop that containers need to stop when asked to; never longer than the pod's own grace
 * @param remove between the report that all containers have terminated and the removal of a deleted pod
 * @param notReady silence of a kubelet after which its node counts as not ready
 * @param forceDelete time of not being ready after which the node's pods are removed without the kubelet's word
 * @param orphan time after which pods of a node that has no object are removed without the kubelet's word
 * @param runtime how long a pod runs whose job names no expected run time
 * @param retention how long ended pods are kept when nobody deletes them
 */
public record ClusterTimings(
        Duration notice,
        Duration start,
        Duration stop,
        Duration remove,
        Duration notReady,
        Duration forceDelete,
        Duration orphan,
        Duration runtime,
        Duration retention) {

    /** What a well-run Kubernetes does, with images already on the nodes; a job of unknown length runs 60 s. */
    public static final ClusterTimings DEFAULT = new ClusterTimings(
            Duration.ofMillis(100),
            Duration.ofMillis(900),
            Duration.ofSeconds(2),
            Duration.ofMillis(500),
            Duration.ofSeconds(40),
            Duration.ofMinutes(5),
            Duration.ofSeconds(40),
            Duration.ofSeconds(60),
            Duration.ofHours(1));

    /** The same with another time for {@link #forceDelete}. */
    public ClusterTimings withForceDelete(Duration time) {
        return new ClusterTimings(notice, start, stop, remove, notReady, time, orphan, runtime, retention);
    }
}
