package dev.tutti.simulator;

import dev.tutti.control.ClusterGateway;
import dev.tutti.control.PodOrder;
import dev.tutti.model.ClusterId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * The simulated cluster behind the same port as a real one. Adds nothing of its own; when the cluster cannot keep what
 * it did (its disk is full, it was closed), a call's outcome is unknown and a list is unreachable.
 */
public final class SimulatedGateway implements ClusterGateway {

    private final ClusterId id;
    private final FakeCluster cluster;
    private final Queue<Inbox> watches = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    public SimulatedGateway(ClusterId id, FakeCluster cluster) {
        this.id = id;
        this.cluster = cluster;
    }

    @Override
    public ClusterId cluster() {
        return id;
    }

    @Override
    public Outcome create(PodOrder order) {
        return known(() -> cluster.create(order));
    }

    @Override
    public Outcome bind(PodSighting pod, PodOrder order, long term) {
        return known(() -> cluster.bind(pod, order, term));
    }

    @Override
    public Outcome delete(String name, String uid) {
        return known(() -> cluster.delete(name, uid));
    }

    @Override
    public Outcome read(String name) {
        return known(() -> cluster.read(name));
    }

    @Override
    public Outcome touch(String name, long term) {
        return known(() -> cluster.touch(name, term));
    }

    @Override
    public List<PodSighting> pods() {
        return listed(cluster::pods);
    }

    @Override
    public List<NodeSighting> nodes() {
        return listed(cluster::nodes);
    }

    @Override
    public void watch(Inbox inbox) {
        if (!closed) {
            watches.add(inbox);
            cluster.watch(inbox);
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Inbox inbox = watches.poll(); inbox != null; inbox = watches.poll()) {
            cluster.unwatch(inbox);
        }
    }

    private Outcome known(Supplier<Outcome> call) {
        if (closed) {
            return new Outcome.Unknown("this gateway is closed");
        }
        try {
            return call.get();
        } catch (UncheckedIOException e) {
            return new Outcome.Unknown(String.valueOf(e.getMessage()));
        }
    }

    private <T> List<T> listed(Supplier<List<T>> list) {
        if (closed) {
            throw new Unreachable("this gateway is closed", new IllegalStateException("closed"));
        }
        try {
            return list.get();
        } catch (UncheckedIOException e) {
            throw new Unreachable("the simulated cluster does not answer", e);
        }
    }
}
