package dev.tutti.kubernetes.sighting;

import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.Taint;
import dev.tutti.model.job.NicRequest;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a node as a sighting. Decides what of its numbers and labels is believed: odd values become warnings and count
 * as nothing offered, and never make the node disappear.
 */
public final class NodeMapper {

    private static final long MOST_CPU_MILLI = 100_000_000;
    private static final long MOST_MEMORY_MIB = 1L << 30;
    private static final int MOST_PODS = 100_000;
    private static final int MOST_NICS = 1_000;
    private static final int MOST_NIC_RESOURCES = 16;
    private static final int SHOWN = 64;
    private static final int BOOT_ID = 256;
    /** A name of an object in Kubernetes is no longer, nor is the first part of a key. */
    static final int NAME = 253;

    private static final Pattern NODE_NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]*[a-z0-9])?");

    static final int UID = 128;
    /** Two parts and a slash. */
    static final int KEY = NAME + 1 + 63;

    private NodeMapper() {}

    public static NodeSighting sighting(Node node) {
        Warnings warnings = new Warnings();
        String name = Texts.identity(node.getMetadata().getName(), NAME);
        boolean isNamed = NODE_NAME.matcher(name).matches();
        if (!isNamed) {
            warnings.add("has a name that no node can have; nothing starts there");
        }
        Map<String, String> labels = labels(node, warnings);
        List<Taint> taints = NodeTaints.of(node, warnings);
        Map<String, Quantity> allocatable = allocatable(node);
        NodeGpus gpus = NodeGpus.of(capacity(node), allocatable, labels, warnings);
        return new NodeSighting(
                name,
                Texts.identity(node.getMetadata().getUid(), UID),
                bootId(node),
                isReady(node, warnings),
                isNamed && isSchedulable(node) && !NodeTaints.close(node, taints),
                false,
                gpus.flavor(),
                gpus.model(),
                gpus.memoryMib(),
                number(allocatable, "cpu", Quantities.MILLI, MOST_CPU_MILLI, warnings),
                number(allocatable, "memory", Quantities.MIB, MOST_MEMORY_MIB, warnings),
                (int) number(allocatable, "pods", Quantities.ONE, MOST_PODS, warnings),
                nics(allocatable, warnings),
                labels,
                taints,
                gpus.devices(),
                warnings.texts());
    }

    /** The same node, gone. */
    public static NodeSighting deleted(NodeSighting seen) {
        return new NodeSighting(
                seen.name(),
                seen.uid(),
                seen.bootId(),
                false,
                false,
                true,
                seen.flavor(),
                seen.gpuModel(),
                seen.gpuMemoryMib(),
                seen.cpuMilli(),
                seen.memoryMib(),
                seen.podSlots(),
                seen.nics(),
                seen.labels(),
                seen.taints(),
                seen.devices(),
                seen.warnings());
    }

    /** A resource in whole units; 0 with a warning when it is missing or no plausible number. */
    static long number(Map<String, Quantity> resources, String name, BigDecimal unit, long max, Warnings warnings) {
        Quantity quantity = resources.get(name);
        if (quantity == null) {
            warnings.add("offers no " + name);
            return 0;
        }
        return Quantities.floor(quantity, unit, max).orElseGet(() -> {
            warnings.add("offers " + name + " of \"" + Quantities.text(quantity) + "\", which is no plausible number");
            return 0;
        });
    }

    /** One group for each resource; the classic device plugin tells no places. */
    private static List<NicGroup> nics(Map<String, Quantity> allocatable, Warnings warnings) {
        List<NicGroup> groups = new ArrayList<>();
        for (String name : allocatable.keySet().stream().sorted().toList()) {
            boolean isNic = name.startsWith(NicRequest.PREFIX);
            if (isNic && (!NicRequest.isResource(name) || groups.size() == MOST_NIC_RESOURCES)) {
                warnings.add("offers " + Texts.bounded(name, SHOWN) + ", which is not used");
            } else if (isNic) {
                int count = (int) number(allocatable, name, Quantities.ONE, MOST_NICS, warnings);
                groups.add(new NicGroup(name, "", count));
            }
        }
        return groups;
    }

    private static boolean isReady(Node node, Warnings warnings) {
        List<NodeCondition> conditions =
                node.getStatus() == null ? null : node.getStatus().getConditions();
        List<NodeCondition> ready = conditions == null
                ? List.of()
                : conditions.stream().filter(it -> "Ready".equals(it.getType())).toList();
        if (ready.isEmpty()) {
            warnings.add("has no condition Ready");
        }
        return !ready.isEmpty() && ready.stream().allMatch(it -> "True".equals(it.getStatus()));
    }

    private static boolean isSchedulable(Node node) {
        return node.getMetadata().getDeletionTimestamp() == null
                && (node.getSpec() == null
                        || !Boolean.TRUE.equals(node.getSpec().getUnschedulable()));
    }

    private static String bootId(Node node) {
        NodeStatus status = node.getStatus();
        return status == null || status.getNodeInfo() == null
                ? ""
                : Texts.bounded(status.getNodeInfo().getBootID(), BOOT_ID);
    }

    private static Map<String, String> labels(Node node, Warnings warnings) {
        Map<String, String> labels = new HashMap<>();
        Map<String, String> said = node.getMetadata().getLabels();
        if (said != null) {
            said.forEach((key, value) -> {
                if (key != null && key.equals(Texts.identity(key, KEY))) {
                    labels.put(key, Texts.bounded(value, SHOWN));
                } else {
                    warnings.add("has a label under a key that no label can have; it is not read");
                }
            });
        }
        return labels;
    }

    private static Map<String, Quantity> capacity(Node node) {
        return node.getStatus() == null ? Map.of() : known(node.getStatus().getCapacity());
    }

    private static Map<String, Quantity> allocatable(Node node) {
        return node.getStatus() == null ? Map.of() : known(node.getStatus().getAllocatable());
    }

    private static Map<String, Quantity> known(@Nullable Map<String, Quantity> resources) {
        Map<String, Quantity> known = new HashMap<>();
        if (resources != null) {
            resources.forEach((name, quantity) -> {
                if (quantity != null) {
                    known.put(name, quantity);
                }
            });
        }
        return known;
    }
}
