package dev.tutti.simulator.faults;

import dev.tutti.control.ClusterGateway;
import dev.tutti.control.PodOrder;
import dev.tutti.model.ClusterId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A gateway seen through bad weather. It invents nothing: every answer and event was once true. */
public final class FaultyGateway implements ClusterGateway {

    private final ClusterGateway gateway;
    private final Weather weather;
    private volatile @Nullable List<PodSighting> oldPods;
    private volatile @Nullable List<NodeSighting> oldNodes;

    public FaultyGateway(ClusterGateway gateway, Weather weather) {
        this.gateway = gateway;
        this.weather = weather;
    }

    @Override
    public ClusterId cluster() {
        return gateway.cluster();
    }

    @Override
    public Outcome create(PodOrder order) {
        return change(() -> gateway.create(order));
    }

    @Override
    public Outcome bind(PodSighting pod, PodOrder order, long term) {
        return change(() -> gateway.bind(pod, order, term));
    }

    @Override
    public Outcome delete(String name, String uid) {
        return change(() -> gateway.delete(name, uid));
    }

    @Override
    public Outcome touch(String name, long term) {
        return change(() -> gateway.touch(name, term));
    }

    @Override
    public Outcome read(String name) {
        if (weather.strikes(FaultKind.REPLY_LOST)) {
            return new Outcome.Unknown("the reply was lost");
        }
        return weather.strikes(FaultKind.BUSY) ? busy() : gateway.read(name);
    }

    private Outcome change(Supplier<Outcome> call) {
        if (weather.strikes(FaultKind.REQUEST_LOST)) {
            return new Outcome.Unknown("the request was lost");
        }
        if (weather.strikes(FaultKind.REQUEST_LATE)) {
            weather.delay(() -> {
                Outcome unheard = call.get();
            });
            return new Outcome.Unknown("no reply in time");
        }
        if (weather.strikes(FaultKind.BUSY)) {
            return busy();
        }
        Outcome outcome = call.get();
        return weather.strikes(FaultKind.REPLY_LOST) ? new Outcome.Unknown("the reply was lost") : outcome;
    }

    private static Outcome busy() {
        return new Outcome.Busy(Duration.ofSeconds(1));
    }

    @Override
    public List<PodSighting> pods() {
        arrive();
        List<PodSighting> old = oldPods;
        if (old != null && lags()) {
            return old;
        }
        List<PodSighting> pods = gateway.pods();
        oldPods = pods;
        return pods;
    }

    @Override
    public List<NodeSighting> nodes() {
        arrive();
        List<NodeSighting> old = oldNodes;
        if (old != null && lags()) {
            return old;
        }
        List<NodeSighting> nodes = gateway.nodes();
        oldNodes = nodes;
        return nodes;
    }

    private boolean lags() {
        return weather.strikes(FaultKind.LIST_OLD);
    }

    private void arrive() {
        if (weather.strikes(FaultKind.LIST_UNREACHABLE)) {
            throw new Unreachable("the list got no reply", new IllegalStateException("bad weather"));
        }
    }

    @Override
    public void watch(Inbox inbox) {
        gateway.watch(new Inbox() {
            @Override
            public void pod(PodSighting pod) {
                pass(inbox, () -> inbox.pod(pod));
            }

            @Override
            public void node(NodeSighting node) {
                pass(inbox, () -> inbox.node(node));
            }

            @Override
            public void gap() {
                inbox.gap();
            }
        });
    }

    private void pass(Inbox inbox, Runnable event) {
        if (weather.strikes(FaultKind.EVENT_LOST)) {
            weather.delay(inbox::gap);
            return;
        }
        if (weather.strikes(FaultKind.EVENT_LATE)) {
            weather.delay(event);
            return;
        }
        event.run();
        if (weather.strikes(FaultKind.EVENT_REPEATED)) {
            weather.delay(event);
        }
    }

    @Override
    public void close() {
        gateway.close();
    }
}
