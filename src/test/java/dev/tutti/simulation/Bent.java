package dev.tutti.simulation;

import dev.tutti.control.ClusterGateway;
import dev.tutti.control.PodOrder;
import dev.tutti.model.ClusterId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import java.util.List;

/** A gateway of which a mutant bends some calls. */
class Bent implements ClusterGateway {

    private final ClusterGateway real;

    Bent(ClusterGateway real) {
        this.real = real;
    }

    @Override
    public ClusterId cluster() {
        return real.cluster();
    }

    @Override
    public Outcome create(PodOrder order) {
        return real.create(order);
    }

    @Override
    public Outcome bind(PodSighting pod, PodOrder order, long term) {
        return real.bind(pod, order, term);
    }

    @Override
    public Outcome delete(String name, String uid) {
        return real.delete(name, uid);
    }

    @Override
    public Outcome read(String name) {
        return real.read(name);
    }

    @Override
    public Outcome touch(String name, long term) {
        return real.touch(name, term);
    }

    @Override
    public List<PodSighting> pods() {
        return real.pods();
    }

    @Override
    public List<NodeSighting> nodes() {
        return real.nodes();
    }

    @Override
    public void watch(Inbox inbox) {
        real.watch(inbox);
    }

    @Override
    public void close() {
        real.close();
    }
}
