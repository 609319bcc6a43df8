package dev.tutti.testkit.envtest.kubelet;

import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;

/**
 * Tells the API server about pods as a kubelet does, with the pod's UID as precondition. Each call answers whether the
 * server took it; what it did not take is told again later.
 */
final class PodReports {

    private static final PatchContext MERGE = PatchContext.of(PatchType.STRATEGIC_MERGE);
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final KubernetesClient client;
    private final Complaints complaints;

    PodReports(KubernetesClient client, Complaints complaints) {
        this.client = client;
        this.complaints = complaints;
    }

    boolean status(Pod pod, PodStatus status) {
        Pod patch = new PodBuilder()
                .withNewMetadata()
                .withName(pod.getMetadata().getName())
                .withUid(pod.getMetadata().getUid())
                .endMetadata()
                .withStatus(status)
                .build();
        return taken(
                pod,
                () -> client.pods()
                        .inNamespace(pod.getMetadata().getNamespace())
                        .withName(pod.getMetadata().getName())
                        .subresource("status")
                        .patch(MERGE, Serialization.asJson(patch)));
    }

    /** Removes the object; the kubelet's last word about a pod that was deleted. */
    boolean delete(Pod pod) {
        DeleteOptions now = new DeleteOptionsBuilder()
                .withGracePeriodSeconds(0L)
                .withNewPreconditions()
                .withUid(pod.getMetadata().getUid())
                .endPreconditions()
                .build();
        String path = "/api/v1/namespaces/" + pod.getMetadata().getNamespace() + "/pods/"
                + pod.getMetadata().getName();
        return taken(pod, () -> client.raw(path, "DELETE", now));
    }

    private boolean taken(Pod pod, Runnable call) {
        try {
            call.run();
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() != NOT_FOUND && e.getCode() != CONFLICT) {
                complaints.add("pod " + pod.getMetadata().getName(), e);
            }
            return false;
        }
    }
}
