package dev.tutti.kubernetes;

import dev.tutti.contract.ClusterGatewayContract;
import dev.tutti.contract.ClusterUnderTest;
import dev.tutti.testkit.envtest.ApiServer;
import dev.tutti.testkit.envtest.kubelet.ToyKubelet;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The real API server keeps every promise that the fake cluster makes, under the account of deploy/rbac.yaml. */
class KubernetesGatewayContractTest extends ClusterGatewayContract {

    private static KubernetesClient admin;
    private static ToyKubelet kubelet;

    @BeforeAll
    static void startKubelets() {
        ApiServer server = ServiceAccess.server();
        System.out.println("=== contract: against " + server.description());
        admin = server.adminClient();
        kubelet = ToyKubelet.start(admin);
    }

    @AfterAll
    static void stopKubelets() {
        if (kubelet != null) {
            kubelet.close();
            admin.close();
        }
    }

    @Override
    protected ClusterUnderTest open() {
        return new RealClusterUnderTest(admin, kubelet);
    }
}
