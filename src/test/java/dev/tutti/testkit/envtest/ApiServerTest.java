package dev.tutti.testkit.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The server is the real thing: it guards by RBAC, and keeps the preconditions of a binding. */
final class ApiServerTest {

    private static final String RBAC = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: apiservertest-binder}
            rules:
            - {apiGroups: [""], resources: [pods], verbs: [get, list, watch, create]}
            - {apiGroups: [""], resources: [pods/binding], verbs: [create]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: apiservertest-binder}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: apiservertest-binder}
            subjects:
            - {apiGroup: rbac.authorization.k8s.io, kind: Group, name: tutti}
            """;

    private static ApiServer server;
    private static KubernetesClient tutti;

    @BeforeAll
    static void start() {
        Optional<ApiServer> found = ApiServers.find();
        assumeThat(found).as("a real API server").isPresent();
        server = found.orElseThrow();
        server.apply(RBAC);
        tutti = server.tuttiClient();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            tutti.close();
            server.close();
        }
    }

    @Test
    void isTheVersionItSays() {
        assertThat(server.description()).matches("(kube-apiserver|K3s) v1\\.3\\d+\\.\\d+.*");
    }

    @Test
    void refusesTheServicesAccountWhatItMayNotDo() {
        assertCode(403, () -> tutti.secrets().inNamespace("default").list());
        assertCode(403, () -> tutti.nodes().withName("any").delete());
    }

    @Test
    void refusesAnUnknownToken() {
        try (KubernetesClient stranger = Clients.connect(server.url(), server.caPem(), "stranger")) {
            assertCode(401, () -> stranger.pods().inNamespace("default").list());
        }
    }

    @Test
    void applyingTheSameObjectsAgainChangesNothing() {
        server.apply(RBAC);

        assertThat(tutti.pods().inNamespace("default").list().getItems()).isNotNull();
    }

    @Test
    void refusesABindingWithAnotherUid() {
        Pod pod = create("wrong-uid");

        assertCode(409, () -> bind(pod, "00000000-0000-0000-0000-000000000000", "node-a"));
        assertThat(nodeOf(pod)).isNull();
    }

    @Test
    void refusesASecondBinding() {
        Pod pod = create("bound-twice");
        String uid = pod.getMetadata().getUid();

        bind(pod, uid, "node-a");

        assertCode(409, () -> bind(pod, uid, "node-b"));
        assertThat(nodeOf(pod)).isEqualTo("node-a");
    }

    private static Pod create(String name) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("tutti")
                .addNewContainer()
                .withName("main")
                .withImage("toy")
                .endContainer()
                .endSpec()
                .build();
        return tutti.pods().inNamespace("default").resource(pod).create();
    }

    private static void bind(Pod pod, String uid, String node) {
        String name = pod.getMetadata().getName();
        tutti.raw(
                "/api/v1/namespaces/default/pods/" + name + "/binding",
                "POST",
                new BindingBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withUid(uid)
                        .endMetadata()
                        .withNewTarget()
                        .withKind("Node")
                        .withName(node)
                        .endTarget()
                        .build());
    }

    private static String nodeOf(Pod pod) {
        return tutti.pods().resource(pod).get().getSpec().getNodeName();
    }

    private static void assertCode(int code, ThrowingCallable call) {
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(call)
                .extracting(KubernetesClientException::getCode)
                .isEqualTo(code);
    }
}
