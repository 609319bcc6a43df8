package dev.tutti.testkit.envtest.kubelet;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.NodeStatusBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Tells the API server about nodes: as their kubelet does, and as the node lifecycle controller does of a lost one. */
final class NodeReports {

    private static final PatchContext MERGE = PatchContext.of(PatchType.STRATEGIC_MERGE);
    private static final String NO_TAINTS = "{\"spec\":{\"taints\":null}}";
    private static final String LEASES = "kube-node-lease";
    private static final int LEASE_SECONDS = 40;
    private static final String NOT_READY = "node.kubernetes.io/not-ready";
    private static final String UNREACHABLE = "node.kubernetes.io/unreachable";

    private final KubernetesClient client;

    NodeReports(KubernetesClient client) {
        this.client = client;
    }

    void register(ToyNode toy) {
        Instant now = Instant.now();
        client.nodes().resource(NodeObjects.node(toy)).forceConflicts().serverSideApply();
        renewLease(toy.name(), now);
        patchStatus(toy.name(), NodeObjects.status(toy, now));
        client.nodes().withName(toy.name()).patch(PatchContext.of(PatchType.JSON_MERGE), NO_TAINTS);
    }

    void beat(String node) {
        Instant now = Instant.now();
        renewLease(node, now);
        patchReady(node, NodeObjects.ready(now));
    }

    void lost(String node) {
        patchReady(node, NodeObjects.unknown(Instant.now()));
        setTaints(node, List.of(taint("NoSchedule"), taint("NoExecute")));
    }

    void back(String node) {
        beat(node);
        setTaints(node, List.of());
    }

    void delete(String node) {
        client.nodes().withName(node).delete();
        client.leases().inNamespace(LEASES).withName(node).delete();
    }

    private void renewLease(String node, Instant now) {
        Lease lease = new LeaseBuilder()
                .withNewMetadata()
                .withName(node)
                .withNamespace(LEASES)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(node)
                .withLeaseDurationSeconds(LEASE_SECONDS)
                .withRenewTime(Times.micros(now))
                .endSpec()
                .build();
        client.leases().resource(lease).forceConflicts().serverSideApply();
    }

    private void patchReady(String node, NodeCondition condition) {
        patchStatus(node, new NodeStatusBuilder().withConditions(condition).build());
    }

    private void patchStatus(String node, NodeStatus status) {
        Node patch = new NodeBuilder().withStatus(status).build();
        client.nodes().withName(node).subresource("status").patch(MERGE, Serialization.asJson(patch));
    }

    /** Replaces the taints about readiness; those of others stay. */
    private void setTaints(String node, List<Taint> about) {
        client.nodes().withName(node).edit(old -> {
            List<Taint> taints = new ArrayList<>(old.getSpec().getTaints());
            taints.removeIf(taint -> Set.of(NOT_READY, UNREACHABLE).contains(taint.getKey()));
            taints.addAll(about);
            return new NodeBuilder(old).editSpec().withTaints(taints).endSpec().build();
        });
    }

    private static Taint taint(String effect) {
        return new TaintBuilder().withKey(UNREACHABLE).withEffect(effect).build();
    }
}
