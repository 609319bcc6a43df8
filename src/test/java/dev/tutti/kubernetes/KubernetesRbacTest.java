package dev.tutti.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.ClusterGateway.Inbox;
import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.PodOrder;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The account of deploy/rbac.yaml, applied as it is, can do what Tutti needs and nothing else. */
class KubernetesRbacTest {

    private static ServiceAccess access;
    private static KubernetesClient client;
    private static KubernetesGateway gateway;
    private static ApiCalls calls;

    @BeforeAll
    static void connect() {
        access = ServiceAccess.asDeployed();
        client = Clients.connect(access.settings());
        calls = new ApiCalls(client.getHttpClient(), access.settings());
        gateway = KubernetesGateway.connect(access.settings());
    }

    @AfterAll
    static void disconnect() {
        if (gateway != null) {
            gateway.close();
            client.close();
        }
    }

    @Test
    void everythingTuttiNeedsIsAllowed() {
        PodOrder order = TestOrders.on("no-such-node");
        AtomicInteger seen = new AtomicInteger();
        gateway.watch(counting(seen));

        assertThat(gateway.create(order)).isInstanceOf(Outcome.Done.class);
        assertThat(gateway.read(order.name())).isInstanceOf(Outcome.Done.class);
        Outcome touched = gateway.touch(order.name(), 1);
        assertThat(touched).isInstanceOf(Outcome.Done.class);
        PodSighting pod = ((Outcome.Done) touched).pod();
        assertThat(gateway.bind(pod, order, 1)).isInstanceOf(Outcome.Done.class);
        assertThat(gateway.pods()).extracting(PodSighting::name).contains(order.name());
        assertThat(gateway.nodes()).isNotNull();
        Awaitility.await("the watch sees the pod").until(() -> seen.get() > 0);
        assertThat(gateway.delete(order.name(), pod.uid())).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void aPodOnTheServerHasTheRulesOfItsSet() {
        PodOrder order = TestOrders.on("no-such-node");

        assertThat(gateway.create(order)).isInstanceOf(Outcome.Done.class);

        PodSpec spec = client.pods()
                .inNamespace("tutti-jobs")
                .withName(order.name())
                .get()
                .getSpec();
        assertThat(spec.getNodeSelector()).isEqualTo(Map.of("pool", "training"));
        assertThat(spec.getTolerations())
                .contains(
                        new Toleration("NoSchedule", "dedicated", "Equal", null, "training"),
                        new Toleration(null, null, "Exists", null, null));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/namespaces/tutti-jobs/secrets",
        "GET, /api/v1/namespaces/tutti-jobs/secrets/any",
        "GET, /api/v1/namespaces/tutti-system/secrets",
        "GET, /api/v1/secrets",
        "GET, /api/v1/namespaces/tutti-jobs/configmaps",
        "GET, /api/v1/namespaces/tutti-jobs/pods/any/log",
        "GET, /api/v1/pods",
        "GET, /api/v1/namespaces/default/pods",
        "GET, /api/v1/namespaces/kube-system/pods/any",
        "GET, /api/v1/namespaces",
        "POST, /api/v1/namespaces",
        "POST, /api/v1/namespaces/default/pods",
        "POST, /api/v1/namespaces/tutti-system/pods",
        "POST, /api/v1/namespaces/default/pods/any/binding",
        "POST, /api/v1/namespaces/tutti-jobs/bindings",
        "POST, /api/v1/namespaces/tutti-jobs/pods/any/exec?command=sh",
        "POST, /api/v1/namespaces/tutti-jobs/pods/any/attach",
        "POST, /api/v1/namespaces/tutti-jobs/pods/any/portforward",
        "POST, /api/v1/namespaces/tutti-jobs/pods/any/eviction",
        "PATCH, /api/v1/namespaces/tutti-jobs/pods/any/status",
        "PATCH, /api/v1/namespaces/tutti-jobs/pods/any/ephemeralcontainers",
        "PATCH, /api/v1/namespaces/default/pods/any",
        "DELETE, /api/v1/namespaces/tutti-jobs/pods",
        "DELETE, /api/v1/namespaces/default/pods/any",
        "PATCH, /api/v1/nodes/any",
        "PATCH, /api/v1/nodes/any/status",
        "DELETE, /api/v1/nodes/any",
        "GET, /api/v1/nodes/any/proxy/",
        "POST, /api/v1/nodes",
        "POST, /api/v1/namespaces/tutti-system/serviceaccounts/tutti/token",
        "GET, /apis/rbac.authorization.k8s.io/v1/clusterroles",
        "POST, /apis/rbac.authorization.k8s.io/v1/namespaces/tutti-jobs/roles",
        "POST, /apis/batch/v1/namespaces/tutti-jobs/jobs"
    })
    void everythingElseIsForbidden(String method, String path) {
        Answer answer = send(method, path);

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Reply.class,
                        reply -> assertThat(reply.code()).as(reply.body()).isEqualTo(403));
    }

    private static Answer send(String method, String path) {
        return switch (method) {
            case "GET" -> calls.get(path);
            case "POST" -> calls.post(path, "{}");
            case "PATCH" -> calls.mergePatch(path, "{}");
            default -> calls.delete(path, "{}");
        };
    }

    private static Inbox counting(AtomicInteger pods) {
        return new Inbox() {
            @Override
            public void pod(PodSighting pod) {
                pods.incrementAndGet();
            }

            @Override
            public void node(NodeSighting node) {}

            @Override
            public void gap() {}
        };
    }
}
