package dev.tutti.testkit.envtest.kubelet;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The kubelet's own books: what its running pods hold of the node. Devices are handed out from the highest index down,
 * while a ledger counts its slots from the lowest up, so whoever believes that the two agree is found out.
 */
final class NodeRoom {

    private static final long MIB = 1024L * 1024;

    private record Held(PodRequests requests, Map<Integer, String> devices) {}

    private final ToyNode node;
    private final TreeMap<Integer, String> freeDevices = new TreeMap<>();
    private final Map<String, Held> heldByUid = new HashMap<>();

    NodeRoom(ToyNode node) {
        this.node = node;
        for (int index = 0; index < node.gpus(); index++) {
            freeDevices.put(index, node.deviceId(index));
        }
    }

    /** Takes a pod or refuses it; checks in the kubelet's order: devices, pods, CPU, memory. */
    Admission admit(Pod pod) {
        PodRequests wanted = PodRequests.of(pod);
        if (wanted.gpus() > freeDevices.size()) {
            return Admission.Refused.tooFewDevices(wanted.gpus(), freeDevices.size());
        }
        if (heldByUid.size() >= node.pods()) {
            return Admission.Refused.outOf("pods", 1, heldByUid.size(), node.pods());
        }
        long cpuMilli = used(Resource.CPU);
        if (cpuMilli + wanted.cpuMilli() > node.cpuMilli()) {
            return Admission.Refused.outOf("cpu", wanted.cpuMilli(), cpuMilli, node.cpuMilli());
        }
        long memoryBytes = used(Resource.MEMORY);
        if (memoryBytes + wanted.memoryBytes() > node.memoryMib() * MIB) {
            return Admission.Refused.outOf("memory", wanted.memoryBytes(), memoryBytes, node.memoryMib() * MIB);
        }
        return take(pod, wanted);
    }

    private Admission take(Pod pod, PodRequests wanted) {
        Map<Integer, String> all = new TreeMap<>();
        Map<String, List<String>> byContainer = new LinkedHashMap<>();
        for (Container container : pod.getSpec().getContainers()) {
            List<String> devices = new ArrayList<>();
            for (int n = PodRequests.gpus(container); n > 0; n--) {
                Map.Entry<Integer, String> device = freeDevices.pollLastEntry();
                all.put(device.getKey(), device.getValue());
                devices.add(device.getValue());
            }
            byContainer.put(container.getName(), List.copyOf(devices));
        }
        heldByUid.put(pod.getMetadata().getUid(), new Held(wanted, all));
        return new Admission.Taken(Map.copyOf(byContainer));
    }

    /** Gives back what a pod held; a pod that held nothing is no mistake. */
    void release(String uid) {
        Held held = heldByUid.remove(uid);
        if (held != null) {
            freeDevices.putAll(held.devices());
        }
    }

    private enum Resource {
        CPU,
        MEMORY
    }

    private long used(Resource resource) {
        return heldByUid.values().stream()
                .map(Held::requests)
                .mapToLong(held -> resource == Resource.CPU ? held.cpuMilli() : held.memoryBytes())
                .sum();
    }
}
