package dev.tutti.kubernetes;

import dev.tutti.control.ClusterGateway.Inbox;
import dev.tutti.kubernetes.sighting.NodeMapper;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;

/** Hands nodes to the inbox. A node that took the place of another of its name is two events: one gone, one there. */
final class NodeEvents implements ResourceEventHandler<Node> {

    private final Inbox inbox;

    NodeEvents(Inbox inbox) {
        this.inbox = inbox;
    }

    @Override
    public void onAdd(Node node) {
        inbox.node(NodeMapper.sighting(node));
    }

    @Override
    public void onUpdate(Node before, Node after) {
        if (!before.getMetadata().getUid().equals(after.getMetadata().getUid())) {
            onDelete(before, true);
        }
        onAdd(after);
    }

    @Override
    public void onDelete(Node node, boolean lastStateUnknown) {
        inbox.node(NodeMapper.deleted(NodeMapper.sighting(node)));
    }
}
