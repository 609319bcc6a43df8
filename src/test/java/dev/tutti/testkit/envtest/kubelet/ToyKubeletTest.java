package dev.tutti.testkit.envtest.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.testkit.envtest.ApiServer;
import dev.tutti.testkit.envtest.ApiServers;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceHealth;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** On a real API server, pods bound to toy nodes behave as on real ones. */
final class ToyKubeletTest {

    private static final String NAMESPACE = "default";
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final long BEAT_MILLIS = 300;
    private static final Map<String, String> FOR_EVER = Map.of();

    private static KubernetesClient admin;

    private ToyKubelet kubelet;
    private ToyNode node;

    @BeforeAll
    static void connect() {
        Optional<ApiServer> server = ApiServers.shared();
        assumeThat(server).as("a real API server").isPresent();
        admin = server.orElseThrow().adminClient();
    }

    @AfterAll
    static void disconnect() {
        if (admin != null) {
            admin.close();
        }
    }

    @BeforeEach
    void start(TestInfo test) {
        String name = "toy-" + test.getTestMethod().orElseThrow().getName().toLowerCase();
        node = ToyNode.h100(name, "zone-a", "block-1", "rack-1")
                .withGpus(4)
                .withCpuMilli(8_000)
                .withPods(3)
                .withClique("domain-1.0");
        kubelet = ToyKubelet.start(admin, BEAT_MILLIS);
        kubelet.register(List.of(node));
    }

    @AfterEach
    void stop() {
        kubelet.deleteNodes();
        kubelet.close();
        admin.pods()
                .inNamespace(NAMESPACE)
                .withField("spec.nodeName", node.name())
                .withGracePeriod(0)
                .delete();
        assertThat(kubelet.complaints()).isEmpty();
    }

    @Test
    void aNodeIsReadyWithItsGpusAndLabels() {
        Node object = admin.nodes().withName(node.name()).get();

        assertThat(object.getSpec().getTaints()).isEmpty();
        assertThat(ready(node).getStatus()).isEqualTo("True");
        assertThat(object.getStatus().getAllocatable().get("nvidia.com/gpu").getAmount())
                .isEqualTo("4");
        assertThat(object.getStatus().getCapacity().get("pods").getAmount()).isEqualTo("3");
        assertThat(object.getMetadata().getLabels())
                .containsEntry("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3")
                .containsEntry("nvidia.com/gpu.memory", "81559")
                .containsEntry("nvidia.com/gpu.count", "4")
                .containsEntry("nvidia.com/gpu.clique", "domain-1.0")
                .containsEntry("topology.kubernetes.io/zone", "zone-a")
                .containsEntry("network.topology.nvidia.com/block", "block-1")
                .containsEntry("network.topology.nvidia.com/rack", "rack-1")
                .containsEntry("kubernetes.io/hostname", node.name());
    }

    @Test
    void aBoundPodRunsOnOtherDevicesThanTheLowestAndSucceeds() {
        Pod pod = bound(ToyPods.gpuPod("good", 2, Map.of(PodSettings.RUNTIME, "1")));

        awaitPhase(pod, "Running");
        assertThat(devices(pod)).containsExactly(node.deviceId(3), node.deviceId(2));
        awaitPhase(pod, "Succeeded");
        assertThat(container(pod).getState().getTerminated().getExitCode()).isZero();
    }

    @Test
    void aPodFailsWithItsExitCode() {
        Pod pod = bound(ToyPods.gpuPod("bad", 1, Map.of(PodSettings.RUNTIME, "0", PodSettings.EXIT_CODE, "3")));

        awaitPhase(pod, "Failed");
        assertThat(container(pod).getState().getTerminated().getExitCode()).isEqualTo(3);
    }

    @Test
    void refusesAPodThatDoesNotFit() {
        Pod first = bound(ToyPods.pod("first", Map.of("nvidia.com/gpu", "3", "cpu", "6"), FOR_EVER));
        awaitPhase(first, "Running");

        assertRefused(bound(ToyPods.gpuPod("devices", 2, FOR_EVER)), "UnexpectedAdmissionError");
        assertRefused(bound(ToyPods.pod("cpu", Map.of("cpu", "3"), FOR_EVER)), "OutOfcpu");
        awaitPhase(bound(ToyPods.gpuPod("second", 0, FOR_EVER)), "Running");
        awaitPhase(bound(ToyPods.gpuPod("third", 0, FOR_EVER)), "Running");
        assertRefused(bound(ToyPods.gpuPod("pods", 0, FOR_EVER)), "OutOfpods");
    }

    @Test
    void tellsTheEndOfADeletedPodBeforeItVanishes() {
        Pod pod = bound(ToyPods.gpuPod("deleted", 1, FOR_EVER));
        awaitPhase(pod, "Running");
        List<Seen> seen = new CopyOnWriteArrayList<>();
        try (Watch ignored = admin.pods().resource(pod).watch(new Recorder(seen))) {
            admin.pods().resource(pod).delete();
            await().atMost(SOON).until(() -> seen.stream().anyMatch(Seen::isRemoval));
        }

        Seen told = seen.stream().filter(Seen::isTold).findFirst().orElseThrow();
        assertThat(told.isRemoval()).isFalse();
        assertThat(admin.pods().resource(pod).get()).isNull();
    }

    @Test
    void keepsTheDevicesOfAPodUntilItsContainersHaveStopped() {
        Pod slow = bound(ToyPods.gpuPod("slow", 4, Map.of(PodSettings.STOP, "2")));
        awaitPhase(slow, "Running");
        admin.pods().resource(slow).delete();

        assertRefused(bound(ToyPods.gpuPod("early", 1, FOR_EVER)), "UnexpectedAdmissionError");
        awaitGone(slow);
        awaitPhase(bound(ToyPods.gpuPod("late", 4, FOR_EVER)), "Running");
        assertThat(overlaps()).isZero();
    }

    @Test
    void aPodDeletedBeforeItStartedVanishesToo() {
        kubelet.silence(node.name());
        Pod pod = bound(ToyPods.gpuPod("unstarted", 1, FOR_EVER));
        admin.pods().resource(pod).delete();

        kubelet.recover(node.name());

        awaitGone(pod);
        assertThat(kubelet.deviceUses()).isEmpty();
    }

    @Test
    void aForcedDeleteLetsTwoContainersShareADevice() {
        Pod forced = bound(ToyPods.gpuPod("forced", 4, FOR_EVER));
        awaitPhase(forced, "Running");
        admin.pods().resource(forced).withGracePeriod(0).delete();
        awaitGone(forced);

        Pod next = bound(ToyPods.gpuPod("next", 4, FOR_EVER));

        await().atMost(SOON).until(() -> !phase(next).equals("Pending"));
        assertThat(overlaps()).isEqualTo(4);
    }

    @Test
    void theContainersOfALostNodeGoOnAndTheirEndIsToldAfterwards() {
        Pod pod = bound(ToyPods.gpuPod("unseen", 1, Map.of(PodSettings.RUNTIME, "1")));
        awaitPhase(pod, "Running");
        kubelet.lose(node.name());
        await().atMost(SOON).until(() -> kubelet.deviceUses().get(0).endedAt() != null);

        assertThat(phase(pod)).isEqualTo("Running");
        assertThat(ready(node).getStatus()).isEqualTo("Unknown");
        assertThat(admin.nodes().withName(node.name()).get().getSpec().getTaints())
                .extracting("key", "effect")
                .contains(
                        tuple("node.kubernetes.io/unreachable", "NoSchedule"),
                        tuple("node.kubernetes.io/unreachable", "NoExecute"));

        kubelet.recover(node.name());

        awaitPhase(pod, "Succeeded");
        assertThat(ready(node).getStatus()).isEqualTo("True");
        assertThat(admin.nodes().withName(node.name()).get().getSpec().getTaints())
                .isEmpty();
    }

    @Test
    void aSilentKubeletStartsNothingWhileItsNodeSeemsReady() throws InterruptedException {
        kubelet.silence(node.name());
        Instant lastBeat = lastBeat();
        Pod pod = bound(ToyPods.gpuPod("unanswered", 1, FOR_EVER));
        Thread.sleep(4 * BEAT_MILLIS);

        assertThat(phase(pod)).isEqualTo("Pending");
        assertThat(ready(node).getStatus()).isEqualTo("True");
        assertThat(lastBeat()).isEqualTo(lastBeat);

        kubelet.recover(node.name());

        awaitPhase(pod, "Running");
    }

    @Test
    void renewsItsLease() {
        Instant first = lastBeat();

        await().atMost(SOON).untilAsserted(() -> assertThat(lastBeat()).isAfter(first));
    }

    private Pod bound(Pod template) {
        String name = node.name() + "-" + template.getMetadata().getName();
        template.getMetadata().setName(name);
        template.getMetadata().setUid(null);
        Pod pod = admin.pods().inNamespace(NAMESPACE).resource(template).create();
        admin.raw(
                "/api/v1/namespaces/" + NAMESPACE + "/pods/" + name + "/binding",
                "POST",
                new BindingBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withUid(pod.getMetadata().getUid())
                        .endMetadata()
                        .withTarget(new ObjectReferenceBuilder()
                                .withKind("Node")
                                .withName(node.name())
                                .build())
                        .build());
        return pod;
    }

    private static void awaitPhase(Pod pod, String phase) {
        await().atMost(SOON).untilAsserted(() -> assertThat(phase(pod)).isEqualTo(phase));
    }

    private static void awaitGone(Pod pod) {
        await().atMost(SOON).until(() -> admin.pods().resource(pod).get() == null);
    }

    private static void assertRefused(Pod pod, String reason) {
        awaitPhase(pod, "Failed");
        Pod refused = admin.pods().resource(pod).get();
        assertThat(refused.getStatus().getReason()).isEqualTo(reason);
        assertThat(refused.getStatus().getMessage()).startsWith("Pod was rejected: ");
        assertThat(refused.getStatus().getContainerStatuses()).isEmpty();
    }

    private static String phase(Pod pod) {
        return admin.pods().resource(pod).get().getStatus().getPhase();
    }

    private static ContainerStatus container(Pod pod) {
        return admin.pods()
                .resource(pod)
                .get()
                .getStatus()
                .getContainerStatuses()
                .get(0);
    }

    private static List<String> devices(Pod pod) {
        return container(pod).getAllocatedResourcesStatus().get(0).getResources().stream()
                .map(ResourceHealth::getResourceID)
                .toList();
    }

    private static NodeCondition ready(ToyNode node) {
        return admin.nodes().withName(node.name()).get().getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("Ready"))
                .findFirst()
                .orElseThrow();
    }

    private Instant lastBeat() {
        return admin.leases()
                .inNamespace("kube-node-lease")
                .withName(node.name())
                .get()
                .getSpec()
                .getRenewTime()
                .toInstant();
    }

    private long overlaps() {
        List<DeviceUse> uses = kubelet.deviceUses();
        return uses.stream()
                .flatMap(one -> uses.stream()
                        .filter(other -> one.podUid().compareTo(other.podUid()) < 0)
                        .filter(one::overlaps))
                .count();
    }

    private record Seen(Watcher.Action action, Pod pod) {

        boolean isRemoval() {
            return action == Watcher.Action.DELETED;
        }

        boolean isTold() {
            return pod.getStatus().getContainerStatuses().stream()
                    .anyMatch(container -> container.getState().getTerminated() != null);
        }
    }

    private record Recorder(List<Seen> seen) implements Watcher<Pod> {

        @Override
        public void eventReceived(Action action, Pod pod) {
            seen.add(new Seen(action, pod));
        }

        @Override
        public void onClose(WatcherException cause) {
            // A watch that ends early shows as a missing removal.
        }
    }
}
