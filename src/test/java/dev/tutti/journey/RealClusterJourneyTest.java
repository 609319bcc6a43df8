package dev.tutti.journey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.kubernetes.ServiceAccess;
import dev.tutti.testkit.envtest.ApiServer;
import dev.tutti.testkit.envtest.kubelet.ToyKubelet;
import dev.tutti.testkit.envtest.kubelet.ToyNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same four lines against a real kube-apiserver with 16 GPU nodes, under the rights of deploy/rbac.yaml alone. */
class RealClusterJourneyTest {

    @TempDir
    Path data;

    @Test
    void theFourLinesBindRealPods() throws Exception {
        ServiceAccess access = ServiceAccess.asDeployed();
        ApiServer server = access.onServer();
        try (KubernetesClient admin = server.adminClient();
                ToyKubelet kubelet = ToyKubelet.start(admin)) {
            kubelet.register(nodes());
            try (RunningService service = new RunningService(data, settings(server, access))) {
                new FirstStepsWalk(service.base(), "").walk(seen -> assertBound(admin, seen));
            }
            assertThat(kubelet.complaints()).isEmpty();
            kubelet.deleteNodes();
        }
    }

    private static void assertBound(KubernetesClient admin, FirstStepsWalk.Seen seen) {
        List<Pod> pods = admin.pods()
                .inNamespace("tutti-jobs")
                .withLabel("tutti.dev/job", seen.job())
                .list()
                .getItems();
        assertThat(pods).hasSize(2).allSatisfy(pod -> {
            assertThat(pod.getSpec().getNodeName()).startsWith("journey-");
            assertThat(pod.getMetadata().getAnnotations()).containsKeys("tutti.dev/allocation", "tutti.dev/term");
            assertThat(pod.getSpec().getSchedulerName()).isEqualTo("tutti");
        });
    }

    private String[] settings(ApiServer server, ServiceAccess access) throws Exception {
        Path ca = Files.writeString(data.resolve("ca.pem"), server.caPem());
        Path token = Files.writeString(data.resolve("token"), access.token());
        return new String[] {
            "--tutti.cluster.url=" + server.url(),
            "--tutti.cluster.ca-file=" + ca,
            "--tutti.cluster.token-file=" + token
        };
    }

    private static List<ToyNode> nodes() {
        return IntStream.range(0, 16)
                .mapToObj(i -> ToyNode.h100("journey-" + i, "zone-a", "block-" + i / 8, "rack-" + i / 4))
                .toList();
    }
}
