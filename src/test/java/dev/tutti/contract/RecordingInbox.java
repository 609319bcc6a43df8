package dev.tutti.contract;

import dev.tutti.control.ClusterGateway;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** Keeps everything that watches say, in order. */
final class RecordingInbox implements ClusterGateway.Inbox {

    private final List<PodSighting> pods = new CopyOnWriteArrayList<>();
    private final List<NodeSighting> nodes = new CopyOnWriteArrayList<>();
    private volatile int gaps;

    @Override
    public void pod(PodSighting pod) {
        pods.add(pod);
    }

    @Override
    public void node(NodeSighting node) {
        nodes.add(node);
    }

    @Override
    public synchronized void gap() {
        gaps++;
    }

    int gaps() {
        return gaps;
    }

    List<PodSighting> pods(String name) {
        return pods.stream().filter(pod -> pod.name().equals(name)).toList();
    }

    boolean sawPod(String name, Predicate<PodSighting> what) {
        return pods.stream().anyMatch(pod -> pod.name().equals(name) && what.test(pod));
    }

    boolean sawNode(String name, Predicate<NodeSighting> what) {
        return nodes.stream().anyMatch(node -> node.name().equals(name) && what.test(node));
    }
}
