package dev.tutti.control.loop;

import dev.tutti.control.ClusterGateway;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Notes of what a cluster says, one per pod UID and node: informers write them down and return, never act (house rule
 * R7). A pod's notes are merged so that nothing once said is unsaid, in whatever order it is heard. Bounded: when it
 * overflows it forgets all and says that something was missed. Safe for many threads.
 */
public final class SightingInbox implements ClusterGateway.Inbox {

    private final int capacity;
    private final Map<String, PodSighting> pods = new LinkedHashMap<>();
    private final Map<String, NodeSighting> nodes = new LinkedHashMap<>();
    private long gaps = 1;

    /** @param capacity most pods, and most nodes, that are kept */
    public SightingInbox(int capacity) {
        this.capacity = capacity;
    }

    @Override
    public synchronized void pod(PodSighting pod) {
        pods.merge(pod.uid(), pod, SightingInbox::merge);
        if (pods.size() > capacity) {
            pods.clear();
            gaps++;
        }
    }

    @Override
    public synchronized void node(NodeSighting node) {
        nodes.put(node.name(), node);
        if (nodes.size() > capacity) {
            nodes.clear();
            gaps++;
        }
    }

    @Override
    public synchronized void gap() {
        gaps++;
    }

    /** How often something may have been missed. Starts at 1, because nothing was seen before the start. */
    public synchronized long gaps() {
        return gaps;
    }

    /** Up to {@code limit} notes of pods, oldest first; they stay until {@link #done}. */
    synchronized List<PodSighting> pods(int limit) {
        return pods.values().stream().limit(limit).toList();
    }

    /** Up to {@code limit} notes of nodes, oldest first; they stay until {@link #doneNodes}. */
    synchronized List<NodeSighting> nodes(int limit) {
        return nodes.values().stream().limit(limit).toList();
    }

    /** Forgets these notes, except those to which something was added meanwhile. */
    synchronized void done(List<PodSighting> handled) {
        handled.forEach(pod -> pods.remove(pod.uid(), pod));
    }

    synchronized void doneNodes(List<NodeSighting> handled) {
        handled.forEach(node -> nodes.remove(node.name(), node));
    }

    /** Puts a note that could not be handled behind all others, so that it does not hold them up. */
    synchronized void putLast(List<PodSighting> unhandled) {
        for (PodSighting pod : new ArrayList<>(unhandled)) {
            PodSighting now = pods.remove(pod.uid());
            if (now != null) {
                pods.put(pod.uid(), now);
            }
        }
    }

    private static PodSighting merge(PodSighting before, PodSighting after) {
        boolean ended = before.exitCode() != null && after.exitCode() == null;
        boolean rejected = isRefusal(before.phase());
        boolean disowned = before.phase() == PodSighting.Phase.RUNNING && isRefusal(after.phase());
        return new PodSighting(
                after.name(),
                after.uid(),
                after.resourceVersion(),
                after.allocation(),
                after.node() == null ? before.node() : after.node(),
                ended || rejected ? before.phase() : disowned ? PodSighting.Phase.DISOWNED : after.phase(),
                before.terminating() || after.terminating(),
                before.deleted() || after.deleted(),
                ended ? before.exitCode() : after.exitCode(),
                ended || rejected ? before.reason() : after.reason());
    }

    private static boolean isRefusal(PodSighting.Phase phase) {
        return phase == PodSighting.Phase.REJECTED || phase == PodSighting.Phase.DISOWNED;
    }
}
