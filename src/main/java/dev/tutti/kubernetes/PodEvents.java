package dev.tutti.kubernetes;

import dev.tutti.control.ClusterGateway.Inbox;
import dev.tutti.kubernetes.sighting.PodMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;

/** Hands pods to the inbox. A pod that took the place of another of its name is two events: one gone, one there. */
final class PodEvents implements ResourceEventHandler<Pod> {

    private final Inbox inbox;

    PodEvents(Inbox inbox) {
        this.inbox = inbox;
    }

    @Override
    public void onAdd(Pod pod) {
        inbox.pod(PodMapper.sighting(pod));
    }

    @Override
    public void onUpdate(Pod before, Pod after) {
        if (!before.getMetadata().getUid().equals(after.getMetadata().getUid())) {
            onDelete(before, true);
        }
        onAdd(after);
    }

    @Override
    public void onDelete(Pod pod, boolean lastStateUnknown) {
        inbox.pod(PodMapper.sighting(pod).asDeleted());
    }
}
