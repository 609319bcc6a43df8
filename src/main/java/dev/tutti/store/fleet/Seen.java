package dev.tutti.store.fleet;

import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.store.Columns;
import dev.tutti.store.Json;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** A sighting with its domains. */
record Seen(NodeSighting node, List<String> domains) {

    /** Rows {@code seen} of the parameters that {@link #asNodes} gives. */
    static final String NODES = """
            seen AS (
                SELECT * FROM unnest(:names::text[], :uids::text[], :bootIds::text[], :ready::boolean[],
                                     :schedulable::boolean[], :deleted::boolean[], :flavors::text[], :domains::text[],
                                     :labels::text[], :warnings::text[], :cpuMillis::bigint[], :memoryMibs::bigint[],
                                     :podSlots::int[], :taints::text[])
                    AS s (name, uid, boot_id, ready, schedulable, deleted, flavor, domains, labels, warnings,
                          cpu_milli, memory_mib, pod_slots, taints)
            )""";

    String name() {
        return node.name();
    }

    static StatementSpec asNodes(StatementSpec statement, List<Seen> seen) {
        return statement
                .param("names", Columns.texts(seen, Seen::name))
                .param("uids", Columns.texts(seen, one -> one.node().uid()))
                .param("bootIds", Columns.texts(seen, one -> one.node().bootId()))
                .param("ready", Columns.flags(seen, one -> one.node().ready()))
                .param("schedulable", Columns.flags(seen, one -> one.node().schedulable()))
                .param("deleted", Columns.flags(seen, one -> one.node().deleted()))
                .param("flavors", Columns.texts(seen, one -> one.node().flavor()))
                .param("domains", Columns.texts(seen, one -> Columns.textArray(one.domains())))
                .param(
                        "labels",
                        Columns.texts(seen, one -> Json.write(one.node().labels())))
                .param(
                        "taints",
                        Columns.texts(seen, one -> Json.write(one.node().taints())))
                .param(
                        "warnings",
                        Columns.texts(seen, one -> Columns.textArray(one.node().warnings())))
                .param("cpuMillis", Columns.longs(seen, one -> one.node().cpuMilli()))
                .param("memoryMibs", Columns.longs(seen, one -> one.node().memoryMib()))
                .param("podSlots", Columns.ints(seen, one -> one.node().podSlots()));
    }

    /** The devices of nodes that are there. */
    static List<OfNode> devices(List<Seen> seen) {
        return seen.stream()
                .filter(one -> !one.node().deleted())
                .flatMap(one -> one.node().devices().stream().map(device -> new OfNode(one.name(), device)))
                .toList();
    }

    static StatementSpec asDevices(StatementSpec statement, List<OfNode> devices) {
        return statement
                .param("indexes", Columns.ints(devices, one -> one.device().index()))
                .param("uuids", Columns.texts(devices, one -> one.device().uuid()))
                .param("islands", Columns.ints(devices, one -> one.device().island()))
                .param("healthy", Columns.flags(devices, one -> one.device().healthy()))
                .param("migLayouts", Columns.texts(devices, one -> one.device().migLayout()))
                .param("places", Columns.texts(devices, one -> one.device().place()));
    }

    /** The groups of NICs of nodes that are there. */
    static List<NicsOfNode> nics(List<Seen> seen) {
        return seen.stream()
                .filter(one -> !one.node().deleted())
                .flatMap(one -> one.node().nics().stream().map(group -> new NicsOfNode(one.name(), group)))
                .toList();
    }

    static StatementSpec asNics(StatementSpec statement, List<NicsOfNode> nics) {
        return statement
                .param("nicResources", Columns.texts(nics, one -> one.group().resource()))
                .param("nicPlaces", Columns.texts(nics, one -> one.group().place()))
                .param("nicCounts", Columns.ints(nics, one -> one.group().count()));
    }

    /** One device and the name of its node. */
    record OfNode(String node, NodeSighting.Device device) {}

    /** One group of NICs and the name of its node. */
    record NicsOfNode(String node, NicGroup group) {}
}
