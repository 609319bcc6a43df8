package dev.tutti.contract;

import dev.tutti.control.ClusterGateway;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that a contract test may play with: the gateway to it, and the hand of fate behind it. Every test gets a
 * fresh one, or one that no earlier test can be seen in: other nodes, and no pods of before.
 */
public interface ClusterUnderTest extends AutoCloseable {

    /** The gateway that is tested; the same one on each call. */
    ClusterGateway gateway();

    /**
     * Names of three nodes, ready and empty: 8 GPUs, 64,000 milli-CPU and 524,288 MiB for pods each. More nodes may be
     * in the cluster.
     */
    List<String> nodes();

    /** Lets time pass until it holds; fails with {@code what} when it does not hold in reasonable time. */
    void await(String what, BooleanSupplier holds);

    /** Lets enough time pass for anything that is on its way to have happened. */
    void settle();

    /** The containers of a running pod end by themselves. */
    void endContainers(String pod, int exitCode);

    /** Somebody cordons the node. */
    void cordon(String node);

    /** Somebody opens the node again. */
    void uncordon(String node);

    /** The kubelet is heard no more, and the cluster has noticed or will notice; containers go on. */
    void silence(String node);

    /** The kubelet speaks again and reports everything. */
    void recover(String node);

    /** Deletes the Node object. */
    void removeNode(String node);

    /** The device plugin calls one device of the node unhealthy. */
    void breakOneDevice(String node);

    /** Removes a pod's object by force: no kubelet has a say. */
    void forceDelete(String pod);

    /** Another's pod, unbound, in the place where Tutti's pods live. */
    void addForeignPod(String name, Map<String, String> annotations);

    /** Somebody writes an annotation on a pod. */
    void annotate(String pod, String key, String value);

    /** The pod's annotations as the cluster has them; null when there is no such pod. */
    @Nullable
    Map<String, String> annotations(String pod);

    /** Breaks what the gateway watches by; changes until {@link #mendWatches} do not reach it. */
    void breakWatches();

    /** Watches can work again. */
    void mendWatches();

    @Override
    void close();
}
