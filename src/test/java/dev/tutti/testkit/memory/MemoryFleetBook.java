package dev.tutti.testkit.memory;

import dev.tutti.control.Actor;
import dev.tutti.control.FleetBook;
import dev.tutti.model.ClusterId;
import dev.tutti.model.NodeId;
import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.NodeTraits;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

final class MemoryFleetBook implements FleetBook {

    private static final long SECOND = 1_000_000;
    private static final int MOST_DOUBLINGS = 6;

    private final MemoryStore store;

    MemoryFleetBook(MemoryStore store) {
        this.store = store;
    }

    @Override
    public ClusterId register(String name, String kind) {
        return store.clusters.values().stream()
                .filter(cluster -> cluster.name.equals(name))
                .map(cluster -> cluster.id)
                .findFirst()
                .orElseGet(() -> store.addCluster(name));
    }

    @Override
    public void observe(ClusterId cluster, List<NodeSighting> nodes, List<List<String>> domains, Actor.Leader leader) {
        store.check(leader);
        for (int i = 0; i < nodes.size(); i++) {
            observe(cluster, nodes.get(i), domains.get(i));
        }
    }

    private void observe(ClusterId cluster, NodeSighting seen, List<String> domains) {
        Rows.Node node = store.nodesByName.get(key(cluster, seen.name()));
        boolean fresh = node == null;
        if (node == null) {
            if (seen.deleted()) {
                return;
            }
            node = new Rows.Node(new NodeId(store.nextId()), store.clusters.get(cluster), seen.name());
            store.nodes.put(node.id, node);
            store.nodesByName.put(key(cluster, seen.name()), node);
        }
        boolean changed = fresh;
        if (seen.deleted()) {
            changed |= !node.gone;
            close(node);
        } else {
            changed |= isChanged(node, seen, domains);
            if (!fresh && (node.gone || !node.uid.equals(seen.uid()))) {
                comesBack(node);
            }
            take(node, seen, domains);
        }
        changed |= takeDevices(node, seen);
        changed |= takeNics(node, seen);
        if (changed) {
            store.stamp(node);
        }
    }

    private static boolean isChanged(Rows.Node node, NodeSighting seen, List<String> domains) {
        return node.gone
                || node.ready != seen.ready()
                || node.schedulable != seen.schedulable()
                || !node.uid.equals(seen.uid())
                || !node.bootId.equals(seen.bootId())
                || !node.flavor.equals(seen.flavor())
                || !node.domains.equals(domains)
                || !node.traits.equals(new NodeTraits(seen.labels(), seen.taints()))
                || node.cpuMilli != seen.cpuMilli()
                || node.memoryMib != seen.memoryMib()
                || node.podSlots != seen.podSlots();
    }

    private void take(Rows.Node node, NodeSighting seen, List<String> domains) {
        if (seen.ready()
                && (!node.ready || node.gone || !node.uid.equals(seen.uid()) || !node.bootId.equals(seen.bootId()))) {
            node.readySince = store.now();
        }
        node.gone = false;
        node.ready = seen.ready();
        node.schedulable = seen.schedulable();
        node.uid = seen.uid();
        node.bootId = seen.bootId();
        node.flavor = seen.flavor();
        node.domains = List.copyOf(domains);
        node.traits = new NodeTraits(seen.labels(), seen.taints());
        node.cpuMilli = seen.cpuMilli();
        node.memoryMib = seen.memoryMib();
        node.podSlots = seen.podSlots();
    }

    private void comesBack(Rows.Node node) {
        long grace = store.allocations.values().stream()
                .filter(allocation -> allocation.node == node && allocation.lostAt > 0)
                .mapToLong(allocation -> allocation.job.spec.graceSeconds())
                .max()
                .orElse(0);
        node.closedUntil = Math.max(node.closedUntil, store.now() + (RETURN_SECONDS + grace) * SECOND);
    }

    private static void close(Rows.Node node) {
        node.gone = true;
        node.ready = false;
    }

    private boolean takeDevices(Rows.Node node, NodeSighting seen) {
        Map<Integer, Rows.Device> byIndex = new HashMap<>();
        node.devices.forEach(device -> byIndex.put(device.index, device));
        boolean changed = false;
        for (NodeSighting.Device one : seen.devices()) {
            Rows.Device device = byIndex.remove(one.index());
            if (device == null) {
                device = new Rows.Device(store.nextId(), one.index(), node);
                node.devices.add(device);
                store.devices.put(device.id, device);
                changed = true;
            }
            changed |= device.healthy != one.healthy()
                    || device.island != one.island()
                    || !Objects.equals(device.migLayout, one.migLayout())
                    || !device.place.equals(one.place());
            device.migLayout = one.migLayout();
            device.place = one.place();
            device.healthy = one.healthy();
            device.island = one.island();
        }
        for (Rows.Device vanished : byIndex.values()) {
            changed = true;
            vanished.healthy = false;
            if (vanished.heldMilli == 0) {
                node.devices.remove(vanished);
                store.devices.remove(vanished.id);
            }
        }
        return changed;
    }

    /** A group that vanished stays with a count of 0. */
    private boolean takeNics(Rows.Node node, NodeSighting seen) {
        boolean changed = false;
        for (Rows.Nics row : node.nics) {
            int count = seen.nics().stream()
                    .filter(group -> isOf(row, group))
                    .mapToInt(NicGroup::count)
                    .sum();
            changed |= !seen.deleted() && row.count != count;
            row.count = seen.deleted() ? row.count : count;
        }
        for (NicGroup group : seen.deleted() ? List.<NicGroup>of() : seen.nics()) {
            if (node.nics.stream().noneMatch(row -> isOf(row, group))) {
                Rows.Nics row = new Rows.Nics(store.nextId(), node, group.resource(), group.place());
                row.count = group.count();
                node.nics.add(row);
                store.nics.put(row.id, row);
                changed = true;
            }
        }
        return changed;
    }

    private static boolean isOf(Rows.Nics row, NicGroup group) {
        return row.resource.equals(group.resource()) && row.place.equals(group.place());
    }

    @Override
    public void retain(ClusterId cluster, Set<String> nodeNames, Actor.Leader leader) {
        store.check(leader);
        store.nodes.values().stream()
                .filter(node -> node.cluster.id.equals(cluster) && !node.gone && !nodeNames.contains(node.name))
                .forEach(node -> {
                    close(node);
                    store.stamp(node);
                });
    }

    @Override
    public void reach(ClusterId cluster, boolean reachable, Actor.Leader leader) {
        store.check(leader);
        Rows.Cluster row = store.clusters.get(cluster);
        if (row.reachable != reachable) {
            row.reachable = reachable;
            store.nodes.values().stream().filter(node -> node.cluster == row).forEach(store::stamp);
        }
    }

    @Override
    public void backOff(Collection<NodeId> nodes, Duration time, Actor.Leader leader) {
        store.check(leader);
        for (NodeId id : nodes) {
            Rows.Node node = store.nodes.get(id);
            long micros = (time.toNanos() / 1000) << Math.min(node.rejections, MOST_DOUBLINGS);
            node.rejections++;
            node.closedUntil = Math.max(node.closedUntil, store.now() + micros);
            store.stamp(node);
        }
    }

    private static String key(ClusterId cluster, String name) {
        return cluster + "/" + name;
    }
}
