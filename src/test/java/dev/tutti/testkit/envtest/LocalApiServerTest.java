package dev.tutti.testkit.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A server of this machine's own processes leaves nothing behind, and can have the controllers beside it. */
final class LocalApiServerTest {

    private static final Duration CONTROLLERS_LIMIT = Duration.ofSeconds(60);

    @Test
    void controllersMakePodsOfJobsAndClosingLeavesNothing() {
        Optional<Path> assets = ApiServers.assets();
        assumeThat(assets).as("server programs").isPresent();
        LocalApiServer server = LocalApiServer.start(assets.orElseThrow());
        try (KubernetesClient admin = server.adminClient()) {
            server.startControllers();
            admin.batch().v1().jobs().inNamespace("default").resource(job()).create();

            await().atMost(CONTROLLERS_LIMIT)
                    .untilAsserted(() -> assertThat(admin.pods()
                                    .inNamespace("default")
                                    .withLabel("batch.kubernetes.io/job-name", "two-pods")
                                    .list()
                                    .getItems())
                            .hasSize(2));
        }
        List<ProcessHandle> handles = server.processes().stream()
                .flatMap(process -> process.handles().stream())
                .toList();

        server.close();

        assertThat(handles).hasSizeGreaterThanOrEqualTo(6).noneMatch(ProcessHandle::isAlive);
        assertThat(server.folder()).doesNotExist();
    }

    private static Job job() {
        return new JobBuilder()
                .withNewMetadata()
                .withName("two-pods")
                .endMetadata()
                .withNewSpec()
                .withParallelism(2)
                .withCompletions(2)
                .withNewTemplate()
                .withNewSpec()
                .withSchedulerName("tutti")
                .withRestartPolicy("Never")
                .addNewContainer()
                .withName("main")
                .withImage("toy")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }
}
