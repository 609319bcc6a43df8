package dev.tutti.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.NicGroup;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a pod of Tutti looks like. */
class PodTemplatesTest {

    private final PodTemplates templates = new PodTemplates("jobs");

    @Test
    void thePlatformsFieldsAreSet() {
        Pod pod = templates.pod(TestOrders.on("n1"));

        assertThat(pod.getMetadata().getNamespace()).isEqualTo("jobs");
        assertThat(pod.getSpec().getNodeName()).isNull();
        assertThat(pod.getSpec().getSchedulerName()).isEqualTo("tutti");
        assertThat(pod.getSpec().getRestartPolicy()).isEqualTo("Never");
        assertThat(pod.getSpec().getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getSpec().getTerminationGracePeriodSeconds()).isEqualTo(30);
    }

    @Test
    void theRulesAboutNodesAreKubernetesOwn() {
        Pod pod = templates.pod(TestOrders.on("n1"));

        assertThat(pod.getSpec().getNodeSelector()).isEqualTo(Map.of("pool", "training"));
        assertThat(pod.getSpec().getTolerations())
                .containsExactly(
                        new Toleration(null, "nvidia.com/gpu", "Exists", null, null),
                        new Toleration("NoSchedule", "dedicated", "Equal", null, "training"),
                        new Toleration(null, null, "Exists", null, null));
    }

    @Test
    void aPodIsFoundByLabelsAndExplainedByAnnotations() {
        Pod pod = templates.pod(TestOrders.on("n1"));

        assertThat(pod.getMetadata().getLabels())
                .containsOnlyKeys(
                        "tutti.dev/managed-by",
                        "tutti.dev/job",
                        "tutti.dev/attempt",
                        "tutti.dev/rank",
                        "tutti.dev/pod-set");
        assertThat(pod.getMetadata().getAnnotations())
                .containsEntry("tutti.dev/allocation", "77")
                .containsEntry("tutti.dev/job-name", "训练 🚀")
                .containsEntry("tutti.dev/expected-runtime-seconds", "3600");
    }

    @Test
    void graceIsNeverZero() {
        Pod pod = templates.pod(TestOrders.order("n1", 1, 0, 0));

        assertThat(pod.getSpec().getTerminationGracePeriodSeconds()).isEqualTo(1);
    }

    @Test
    void anInstanceIsAskedForByItsProfile() {
        Container container = main(templates.pod(TestOrders.order("n1", 0, 0, new MigInstance("1g.10gb", 6, 1), 5)));

        assertThat(container.getResources().getRequests())
                .isEqualTo(container.getResources().getLimits())
                .containsEntry("nvidia.com/mig-1g.10gb", new Quantity("1"))
                .doesNotContainKey("nvidia.com/gpu");
        assertThat(container.getEnv()).extracting(EnvVar::getName).doesNotContain("NVIDIA_VISIBLE_DEVICES");
    }

    @Test
    void nicsAreAskedForByTheirResourceWhateverTheirPlaces() {
        List<NicGroup> nics = List.of(new NicGroup("rdma/ib", "pcie-0", 1), new NicGroup("rdma/ib", "pcie-1", 2));
        Container container = main(templates.pod(TestOrders.order("n1", 3, 0, null, 5, nics)));

        assertThat(container.getResources().getRequests())
                .isEqualTo(container.getResources().getLimits())
                .containsEntry("rdma/ib", new Quantity("3"));
    }

    @Test
    void requestsAreLimits() {
        Container container = main(templates.pod(TestOrders.order("n1", 8, 0, 5)));

        assertThat(container.getResources().getRequests())
                .isEqualTo(container.getResources().getLimits())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "cpu",
                        new Quantity("1000m"),
                        "memory",
                        new Quantity("1024Mi"),
                        "nvidia.com/gpu",
                        new Quantity("8")));
    }

    @Test
    @DisplayName("B51 a pod without GPUs has no entry of zero, and is shown none")
    void aPodWithoutGpusIsShownNone() {
        Container without = main(templates.pod(TestOrders.order("n1", 0, 0, 5)));
        assertThat(without.getResources().getRequests())
                .isEqualTo(without.getResources().getLimits())
                .containsOnlyKeys("cpu", "memory");
        assertThat(env(templates.pod(TestOrders.order("n1", 0, 0, 5)))).containsEntry("NVIDIA_VISIBLE_DEVICES", "void");
        assertThat(env(templates.pod(TestOrders.order("n1", 1, 0, 5)))).doesNotContainKey("NVIDIA_VISIBLE_DEVICES");
    }

    @Test
    void theTemplateIsKeptAndThePodIsToldWhoItIs() {
        Pod pod = templates.pod(TestOrders.on("n1"));

        assertThat(main(pod).getImage()).isEqualTo("registry.example/train:1");
        assertThat(main(pod).getCommand()).containsExactly("train");
        assertThat(main(pod).getArgs()).containsExactly("--fast");
        assertThat(env(pod))
                .containsEntry("LR", "0.1")
                .containsEntry("TUTTI_RANK", "0")
                .containsEntry("TUTTI_PODS", "1");
    }

    private static Container main(Pod pod) {
        return pod.getSpec().getContainers().get(0);
    }

    private static Map<String, String> env(Pod pod) {
        return main(pod).getEnv().stream().collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
    }
}
