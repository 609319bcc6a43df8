package dev.tutti.control.loop;

import dev.tutti.control.ClusterGateway;
import dev.tutti.control.PodOrder;
import dev.tutti.model.ClusterId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A gateway that writes down each call and fails on command. */
final class ScriptedGateway implements ClusterGateway {

    /** Stands between the caller and the cluster for one kind of call. */
    @FunctionalInterface
    interface Script {
        Outcome play(Supplier<Outcome> call);
    }

    private final ClusterGateway gateway;
    final List<String> calls = new ArrayList<>();

    @Nullable
    Script onCreate;

    @Nullable
    Script onBind;

    @Nullable
    Script onDelete;

    @Nullable
    Script onTouch;

    boolean away;

    ScriptedGateway(ClusterGateway gateway) {
        this.gateway = gateway;
    }

    /** The call works, the reply is lost. */
    static Outcome loseReply(Supplier<Outcome> call) {
        call.get();
        return new Outcome.Unknown("the reply is lost");
    }

    /** The call never arrives. */
    static Outcome loseCall(Supplier<Outcome> call) {
        return new Outcome.Unknown("the call is lost");
    }

    @Override
    public ClusterId cluster() {
        return gateway.cluster();
    }

    @Override
    public Outcome create(PodOrder order) {
        return play("create " + order.rank(), onCreate, () -> gateway.create(order));
    }

    @Override
    public Outcome bind(PodSighting pod, PodOrder order, long term) {
        return play("bind " + order.rank(), onBind, () -> gateway.bind(pod, order, term));
    }

    @Override
    public Outcome delete(String name, String uid) {
        return play("delete", onDelete, () -> gateway.delete(name, uid));
    }

    @Override
    public Outcome read(String name) {
        return play("read", null, () -> gateway.read(name));
    }

    @Override
    public Outcome touch(String name, long term) {
        return play("touch", onTouch, () -> gateway.touch(name, term));
    }

    private Outcome play(String what, @Nullable Script script, Supplier<Outcome> call) {
        calls.add(what);
        if (away) {
            return new Outcome.Unknown("away");
        }
        return script == null ? call.get() : script.play(call);
    }

    @Override
    public List<PodSighting> pods() {
        checkHere();
        return gateway.pods();
    }

    @Override
    public List<NodeSighting> nodes() {
        checkHere();
        return gateway.nodes();
    }

    private void checkHere() {
        if (away) {
            throw new Unreachable("away", new IllegalStateException());
        }
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
