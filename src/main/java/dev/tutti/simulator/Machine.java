package dev.tutti.simulator;

import dev.tutti.model.fleet.MigLayout;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.simulator.fleet.NodeSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One node: the machine with what runs on it, and the Node object that the API shows of it. */
final class Machine {

    final NodeSpec spec;
    final Map<String, Container> containers = new LinkedHashMap<>();

    // The machine.
    boolean powered = true;
    boolean connected = true;
    boolean imagesMissing;
    int boots = 1;
    final TreeSet<Integer> sickDevices = new TreeSet<>();

    // The Node object.
    boolean registered = true;
    int registrations = 1;
    boolean ready = true;
    boolean cordoned;

    /** Since when nothing was heard of the kubelet; null while it speaks. */
    @Nullable
    Instant silentSince;

    private final String incarnation;
    private final List<String> deviceUuids;

    Machine(NodeSpec spec, String incarnation) {
        this.spec = spec;
        this.incarnation = incarnation;
        this.deviceUuids = IntStream.range(0, spec.gpus())
                .mapToObj(index -> "GPU-" + Ids.uid(incarnation, "gpu", spec.name(), index))
                .toList();
    }

    boolean speaks() {
        return powered && connected;
    }

    NodeSighting sighting() {
        return new NodeSighting(
                spec.name(),
                Ids.uid(incarnation, "node", spec.name(), registrations),
                Ids.uid(incarnation, "boot", spec.name(), boots),
                ready && registered,
                !cordoned,
                !registered,
                spec.flavor(),
                spec.gpuModel(),
                spec.gpuMemoryMib(),
                spec.cpuMilli(),
                spec.memoryMib(),
                spec.podSlots(),
                spec.nics(),
                spec.labels(),
                List.of(),
                devices(),
                List.of());
    }

    String deviceUuid(int device) {
        return deviceUuids.get(device);
    }

    private List<NodeSighting.Device> devices() {
        List<NodeSighting.Device> devices = new ArrayList<>(spec.gpus());
        String migLayout = spec.migLayout().map(MigLayout::name).orElse(null);
        for (int i = 0; i < spec.gpus(); i++) {
            devices.add(new NodeSighting.Device(
                    i,
                    deviceUuids.get(i),
                    spec.islands().get(i),
                    !sickDevices.contains(i),
                    migLayout,
                    spec.places().get(i)));
        }
        return devices;
    }
}
