package dev.tutti.control.view;

import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.fleet.Domains;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.allocator.fleet.FleetNics;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.control.view.ChangeFeed.DeviceRow;
import dev.tutti.control.view.ChangeFeed.NicRow;
import dev.tutti.control.view.ChangeFeed.NodeRow;
import dev.tutti.model.Limits;
import dev.tutti.model.QueueId;
import dev.tutti.model.fleet.MigLayouts;
import dev.tutti.model.fleet.TopologyLevels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lays rows out as the arrays the allocator works on. Nodes are added in ascending order of their ids. */
final class SnapshotBuilder {

    private final TopologyLevels levels;
    private final long nowMicros;
    private final boolean empty;
    private final List<NodeRow> nodes = new ArrayList<>();
    private final List<List<DeviceRow>> devices = new ArrayList<>();
    private final Numbering clusters = new Numbering();
    private final Numbering flavors = new Numbering();
    private final Domains domains;

    /** @param empty whether to lay the fleet out as if nothing were held, every node open and every device healthy */
    SnapshotBuilder(TopologyLevels levels, long nowMicros, boolean empty) {
        this.levels = levels;
        this.nowMicros = nowMicros;
        this.empty = empty;
        this.domains = new Domains(levels);
    }

    void add(NodeRow node, List<DeviceRow> devicesOfNode) {
        nodes.add(node);
        devices.add(devicesOfNode);
    }

    Snapshot build(long revision, QueueShares queues, Mix mix) {
        FleetArrays fleet = arrays();
        FleetNames names = new FleetNames(
                clusters.names(),
                flavors.names(),
                levels.levels().stream().map(TopologyLevels.Level::name).toList(),
                levels.boundary(),
                domains.names(),
                nodes.stream().map(NodeRow::name).toList(),
                nodes.stream().map(NodeRow::traits).toList());
        return new Snapshot(revision, names, fleet, empty ? unused(queues) : queues, mix);
    }

    static boolean isOpen(NodeRow node, long nowMicros) {
        return node.open() && node.closedUntilMicros() <= nowMicros;
    }

    static int whole(DeviceRow device) {
        return device.usable() ? Limits.DEVICE_MILLI : 0;
    }

    static int free(DeviceRow device) {
        return Math.max(0, whole(device) - device.heldMilli());
    }

    static int free(NicRow nics) {
        return Math.max(0, nics.count() - nics.held());
    }

    private FleetNics nics() {
        return FleetNics.of(
                nodes.stream()
                        .map(node -> node.nics().stream().map(this::group).toList())
                        .toList(),
                devices.stream()
                        .map(rows -> rows.stream().map(DeviceRow::place).toList())
                        .toList());
    }

    private FleetNics.Group group(NicRow row) {
        return new FleetNics.Group(row.id(), row.resource(), row.place(), row.count(), empty ? row.count() : free(row));
    }

    private FleetArrays arrays() {
        int size = nodes.size();
        int total = devices.stream().mapToInt(List::size).sum();
        FleetArrays fleet = new FleetArrays(
                new long[size],
                new int[size],
                new int[size],
                new int[levels.levels().size()][size],
                new boolean[size],
                new long[size],
                new long[size],
                new int[size],
                new int[size + 1],
                new long[total],
                new int[total],
                new int[total],
                new int[total],
                new int[total],
                new int[total],
                new long[size],
                new long[size],
                new int[size],
                nics());
        for (int n = 0; n < size; n++) {
            layNode(fleet, n);
            layDevices(fleet, n);
        }
        return fleet;
    }

    private void layNode(FleetArrays fleet, int n) {
        NodeRow node = nodes.get(n);
        fleet.nodeId()[n] = node.id().value();
        fleet.cluster()[n] = clusters.of(node.clusterName());
        fleet.flavor()[n] = flavors.of(node.flavor());
        fleet.open()[n] = empty || isOpen(node, nowMicros);
        fleet.cpuFreeMilli()[n] = node.cpuMilli() - (empty ? 0 : node.heldCpuMilli());
        fleet.memoryFreeMib()[n] = node.memoryMib() - (empty ? 0 : node.heldMemoryMib());
        fleet.podsFree()[n] = node.podSlots() - (empty ? 0 : node.heldPods());
        fleet.cpuMilli()[n] = node.cpuMilli();
        fleet.memoryMib()[n] = node.memoryMib();
        fleet.podSlots()[n] = node.podSlots();
        int[] domain = domains.of(node.clusterName(), node.name(), node.domains());
        for (int level = 0; level < domain.length; level++) {
            fleet.domain()[level][n] = domain[level];
        }
    }

    private void layDevices(FleetArrays fleet, int n) {
        int next = fleet.firstDevice()[n];
        for (DeviceRow device : devices.get(n)) {
            fleet.deviceId()[next] = device.id();
            fleet.deviceWhole()[next] = empty ? Limits.DEVICE_MILLI : whole(device);
            fleet.deviceFreeMilli()[next] = empty ? Limits.DEVICE_MILLI : free(device);
            fleet.deviceUnits()[next] = empty ? 0 : device.heldUnits();
            fleet.island()[next] = device.island();
            fleet.migLayout()[next] = MigLayouts.layoutNumber(device.migLayout());
            next++;
        }
        fleet.firstDevice()[n + 1] = next;
    }

    private static QueueShares unused(QueueShares queues) {
        Map<QueueId, QueueShares.Share> result = new HashMap<>();
        queues.queues()
                .forEach((id, share) -> result.put(
                        id,
                        new QueueShares.Share(
                                share.parent(), share.rules().withHeld(false), share.quotas(), Map.of())));
        return new QueueShares(result);
    }

    /** Numbers names in the order in which they first come. */
    private static final class Numbering {
        private final Map<String, Integer> numbers = new HashMap<>();
        private final List<String> names = new ArrayList<>();

        int of(String name) {
            return numbers.computeIfAbsent(name, fresh -> {
                names.add(fresh);
                return names.size() - 1;
            });
        }

        List<String> names() {
            return List.copyOf(names);
        }
    }
}
