package dev.tutti.kubernetes;

import dev.tutti.contract.ClusterUnderTest;
import dev.tutti.control.ClusterGateway;
import dev.tutti.testkit.envtest.kubelet.ToyKubelet;
import dev.tutti.testkit.envtest.kubelet.ToyNode;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A real API server as a cluster: a namespace and three nodes of the test's own, toy kubelets, the service's own account.
 * Watches go by way of a relay that can be cut.
 */
final class RealClusterUnderTest implements ClusterUnderTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(50);
    private static final long SETTLE_MILLIS = 700;
    private static final PatchContext MERGE = PatchContext.of(PatchType.STRATEGIC_MERGE);

    private final ServiceAccess access = ServiceAccess.inNewNamespace();
    private final TcpRelay relay = new TcpRelay(access.onServer().url());
    private final KubernetesClient admin;
    private final ToyKubelet kubelet;
    private final List<String> nodes;
    private final KubernetesGateway gateway;

    RealClusterUnderTest(KubernetesClient admin, ToyKubelet kubelet) {
        this.admin = admin;
        this.kubelet = kubelet;
        String run = UUID.randomUUID().toString().substring(0, 8);
        nodes = Stream.of("a", "b", "c").map(it -> "node-" + run + "-" + it).toList();
        kubelet.register(nodes.stream().map(RealClusterUnderTest::node).toList());
        gateway = new KubernetesGateway(
                access.settings(), Clients.connect(access.settings()), Clients.connect(access.settings(relay.url())));
    }

    private static ToyNode node(String name) {
        return ToyNode.h100(name, "zone-a", "block-1", "rack-1")
                .withCpuMilli(64_000)
                .withMemoryMib(524_288);
    }

    @Override
    public ClusterGateway gateway() {
        return gateway;
    }

    @Override
    public List<String> nodes() {
        return nodes;
    }

    @Override
    public void await(String what, BooleanSupplier holds) {
        Awaitility.await(what).atMost(LIMIT).pollInterval(STEP).until(holds::getAsBoolean);
    }

    @Override
    public void settle() {
        try {
            Thread.sleep(SETTLE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void endContainers(String pod, int exitCode) {
        kubelet.endContainers(pod, exitCode);
    }

    @Override
    public void cordon(String node) {
        setUnschedulable(node, true);
    }

    @Override
    public void uncordon(String node) {
        setUnschedulable(node, false);
    }

    private void setUnschedulable(String node, boolean unschedulable) {
        admin.nodes()
                .withName(node)
                .edit(old -> new NodeBuilder(old)
                        .editSpec()
                        .withUnschedulable(unschedulable)
                        .endSpec()
                        .build());
    }

    @Override
    public void silence(String node) {
        kubelet.lose(node);
    }

    @Override
    public void recover(String node) {
        kubelet.recover(node);
    }

    @Override
    public void removeNode(String node) {
        admin.nodes().withName(node).delete();
    }

    @Override
    public void breakOneDevice(String node) {
        String patch = "{\"status\":{\"allocatable\":{\"nvidia.com/gpu\":\"7\"}}}";
        admin.nodes().withName(node).subresource("status").patch(MERGE, patch);
    }

    @Override
    public void forceDelete(String pod) {
        pods(pod).withGracePeriod(0).delete();
    }

    @Override
    public void addForeignPod(String name, Map<String, String> annotations) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("another-scheduler")
                .addNewContainer()
                .withName("main")
                .withImage("registry.example/theirs:1")
                .withNewResources()
                .addToLimits("cpu", new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
        admin.pods().inNamespace(access.namespace()).resource(pod).create();
    }

    @Override
    public void annotate(String pod, String key, String value) {
        pods(pod)
                .edit(old -> new PodBuilder(old)
                        .editMetadata()
                        .addToAnnotations(key, value)
                        .endMetadata()
                        .build());
    }

    @Override
    public @Nullable Map<String, String> annotations(String pod) {
        Pod there = pods(pod).get();
        return there == null ? null : there.getMetadata().getAnnotations();
    }

    private PodResource pods(String name) {
        return admin.pods().inNamespace(access.namespace()).withName(name);
    }

    @Override
    public void breakWatches() {
        relay.cut();
    }

    @Override
    public void mendWatches() {
        relay.mend();
    }

    @Override
    public void close() {
        gateway.close();
        relay.close();
        admin.pods().inNamespace(access.namespace()).withGracePeriod(0).delete();
        kubelet.deleteNodes();
    }
}
