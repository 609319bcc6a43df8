package dev.tutti.testkit.envtest.kubelet;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;

/** What the containers of a pod ask for together; init containers of toy pods ask for nothing of their own. */
record PodRequests(long cpuMilli, long memoryBytes, int gpus) {

    static PodRequests of(Pod pod) {
        List<Container> containers = pod.getSpec().getContainers();
        return new PodRequests(
                containers.stream().mapToLong(PodRequests::cpuMilli).sum(),
                containers.stream().mapToLong(PodRequests::memoryBytes).sum(),
                containers.stream().mapToInt(PodRequests::gpus).sum());
    }

    static int gpus(Container container) {
        return request(container, NodeObjects.GPU).intValueExact();
    }

    private static long cpuMilli(Container container) {
        return request(container, "cpu")
                .movePointRight(3)
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
    }

    private static long memoryBytes(Container container) {
        return request(container, "memory").setScale(0, RoundingMode.CEILING).longValueExact();
    }

    private static BigDecimal request(Container container, String resource) {
        Map<String, Quantity> requests = container.getResources() == null
                ? null
                : container.getResources().getRequests();
        Quantity quantity = requests == null ? null : requests.get(resource);
        return quantity == null ? BigDecimal.ZERO : quantity.getNumericalAmount();
    }
}
