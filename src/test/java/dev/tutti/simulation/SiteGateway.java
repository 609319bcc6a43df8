package dev.tutti.simulation;

import dev.tutti.control.ClusterGateway;
import dev.tutti.control.PodOrder;
import dev.tutti.model.ClusterId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import java.util.List;
import java.util.function.Supplier;

/** A cluster whose API server is away at times, or refuses pods: calls get no answer and lists are unreachable. */
final class SiteGateway implements ClusterGateway {

    private final ClusterGateway gateway;
    private final Site site;

    SiteGateway(ClusterGateway gateway, Site site) {
        this.gateway = gateway;
        this.site = site;
    }

    private <T> T answer(Supplier<T> call, Supplier<T> silence) {
        return site.away ? silence.get() : call.get();
    }

    private Outcome call(Supplier<Outcome> call) {
        return answer(call, () -> new Outcome.Unknown("the cluster is away"));
    }

    private <T> T list(Supplier<T> call) {
        return answer(call, () -> {
            throw new Unreachable("the cluster is away", new Away("list"));
        });
    }

    @Override
    public ClusterId cluster() {
        return gateway.cluster();
    }

    @Override
    public Outcome create(PodOrder order) {
        return call(() -> site.refusing && order.rank() % 2 == 1
                ? new Outcome.Refused("exceeded quota: pods")
                : gateway.create(order));
    }

    @Override
    public Outcome bind(PodSighting pod, PodOrder order, long term) {
        return call(() -> gateway.bind(pod, order, term));
    }

    @Override
    public Outcome delete(String name, String uid) {
        return call(() -> gateway.delete(name, uid));
    }

    @Override
    public Outcome read(String name) {
        return call(() -> gateway.read(name));
    }

    @Override
    public Outcome touch(String name, long term) {
        return call(() -> gateway.touch(name, term));
    }

    @Override
    public List<PodSighting> pods() {
        return list(gateway::pods);
    }

    @Override
    public List<NodeSighting> nodes() {
        return list(gateway::nodes);
    }

    @Override
    public void watch(Inbox inbox) {
        gateway.watch(inbox);
    }

    @Override
    public void close() {
        gateway.close();
    }
}
