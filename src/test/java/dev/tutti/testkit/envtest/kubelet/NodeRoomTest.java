package dev.tutti.testkit.envtest.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The kubelet's own books: what it takes, what it refuses, which devices it hands out. */
final class NodeRoomTest {

    private static final ToyNode NODE = ToyNode.h100("n1", "zone-a", "block-1", "rack-1")
            .withGpus(4)
            .withCpuMilli(8_000)
            .withMemoryMib(1_024)
            .withPods(3);

    private final NodeRoom room = new NodeRoom(NODE);

    @Test
    void handsOutDevicesFromTheHighestIndexDown() {
        assertThat(admitGpus("a", 2)).isEqualTo(taken(NODE.deviceId(3), NODE.deviceId(2)));
        assertThat(admitGpus("b", 1)).isEqualTo(taken(NODE.deviceId(1)));
    }

    @Test
    void handsOutReleasedDevicesAgain() {
        admitGpus("a", 4);

        room.release("a");

        assertThat(admitGpus("b", 1)).isEqualTo(taken(NODE.deviceId(3)));
    }

    @Test
    void refusesMoreDevicesThanAreFree() {
        admitGpus("a", 3);

        assertThat(admitGpus("b", 2)).isInstanceOfSatisfying(Admission.Refused.class, refused -> {
            assertThat(refused.reason()).isEqualTo("UnexpectedAdmissionError");
            assertThat(refused.message()).contains("Requested: 2, Available: 1");
        });
    }

    @Test
    void refusesTooMuchCpuAndMemory() {
        admit("a", Map.of("cpu", "7500m", "memory", "1000Mi"));

        assertThat(reason(admit("b", Map.of("cpu", "501m")))).isEqualTo("OutOfcpu");
        assertThat(reason(admit("c", Map.of("memory", "25Mi")))).isEqualTo("OutOfmemory");
        assertThat(admit("d", Map.of("cpu", "0.5", "memory", "24Mi"))).isInstanceOf(Admission.Taken.class);
    }

    @Test
    void refusesMorePodsThanItHasSlots() {
        List.of("a", "b", "c").forEach(name -> admit(name, Map.of()));

        assertThat(reason(admit("d", Map.of()))).isEqualTo("OutOfpods");
    }

    @Test
    void aRefusedPodHoldsNothing() {
        admit("a", Map.of(NodeObjects.GPU, "4", "cpu", "9"));

        assertThat(admitGpus("b", 4)).isInstanceOf(Admission.Taken.class);
    }

    private Admission admit(String name, Map<String, String> requests) {
        return room.admit(ToyPods.pod(name, requests, Map.of()));
    }

    private Admission admitGpus(String name, int gpus) {
        return admit(name, Map.of(NodeObjects.GPU, Integer.toString(gpus)));
    }

    private static Admission taken(String... devices) {
        return new Admission.Taken(Map.of("main", List.of(devices)));
    }

    private static String reason(Admission admission) {
        return admission instanceof Admission.Refused refused ? refused.reason() : "taken";
    }
}
