package dev.tutti.model.fleet;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * RDMA NICs of a node that are worth the same: of one resource name, in one place. Of a node it says what it has, of a pod
 * what it was given.
 *
 * @param resource the name under which a container asks for one, such as {@code rdma/hca}
 * @param place PCIe root, else NUMA node, as the node calls it; empty when unknown. A NIC is beside a device when both are
 *     in the same known place of a node
 * @param count NICs, 0 and up
 */
public record NicGroup(String resource, String place, int count) implements Comparable<NicGroup> {

    private static final Comparator<NicGroup> ORDER =
            Comparator.comparing(NicGroup::resource).thenComparing(NicGroup::place);

    /** By resource, then by place. */
    @Override
    public int compareTo(NicGroup other) {
        return ORDER.thenComparingInt(NicGroup::count).compare(this, other);
    }

    /** The same NICs with one group for each resource and place, in order; groups of none are left out. */
    public static List<NicGroup> merged(List<NicGroup> groups) {
        Map<NicGroup, Integer> counts = new TreeMap<>(ORDER);
        groups.forEach(group -> counts.merge(group, group.count(), Integer::sum));
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .map(entry ->
                        new NicGroup(entry.getKey().resource(), entry.getKey().place(), entry.getValue()))
                .toList();
    }
}
