package dev.tutti.allocator.fleet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * RDMA NICs of all clusters as parallel arrays, node by node; NICs of one node, resource name and place are one group.
 * Immutable by convention, like {@link FleetArrays}. Places are numbered within their node; a NIC is beside a device when
 * both have the same number.
 *
 * @param firstGroup groups of node {@code n} are {@code firstGroup[n]} up to but without {@code firstGroup[n + 1]}, by
 *     resource name
 * @param groupId id of each group
 * @param resource the name under which a container asks for one of each group
 * @param place place of each group; {@link #UNKNOWN} when nobody knows it
 * @param count NICs of each group when none is held
 * @param free NICs left of each group, 0 and up
 * @param devicePlace place of each device; {@link #UNKNOWN} when nobody knows it
 */
public record FleetNics(
        int[] firstGroup, long[] groupId, String[] resource, int[] place, int[] count, int[] free, int[] devicePlace) {

    public static final int UNKNOWN = -1;

    /** A fleet of so many nodes and devices without NICs. */
    public static FleetNics none(int nodes, int devices) {
        int[] unknown = new int[devices];
        Arrays.fill(unknown, UNKNOWN);
        return new FleetNics(
                new int[nodes + 1], new long[0], new String[0], new int[0], new int[0], new int[0], unknown);
    }

    /**
     * One group of a node.
     *
     * @param place as the node calls it; empty when unknown
     */
    public record Group(long id, String resource, String place, int count, int free) {}

    /** Lays out the groups of each node, and the place of each of its devices; empty texts where unknown. */
    public static FleetNics of(List<List<Group>> groups, List<List<String>> devicePlaces) {
        int all = groups.stream().mapToInt(List::size).sum();
        FleetNics nics = new FleetNics(
                new int[groups.size() + 1],
                new long[all],
                new String[all],
                new int[all],
                new int[all],
                new int[all],
                new int[devicePlaces.stream().mapToInt(List::size).sum()]);
        int device = 0;
        for (int n = 0; n < groups.size(); n++) {
            List<String> places = new ArrayList<>();
            for (String place : devicePlaces.get(n)) {
                nics.devicePlace[device++] = numberOf(place, places);
            }
            nics.lay(n, groups.get(n), places);
        }
        return nics;
    }

    private void lay(int n, List<Group> groups, List<String> places) {
        int next = firstGroup[n];
        for (Group group : groups.stream()
                .sorted(Comparator.comparing(Group::resource).thenComparing(Group::place))
                .toList()) {
            groupId[next] = group.id();
            resource[next] = group.resource();
            place[next] = numberOf(group.place(), places);
            count[next] = group.count();
            free[next] = group.free();
            next++;
        }
        firstGroup[n + 1] = next;
    }

    private static int numberOf(String place, List<String> places) {
        if (place.isEmpty()) {
            return UNKNOWN;
        }
        if (!places.contains(place)) {
            places.add(place);
        }
        return places.indexOf(place);
    }

    /** The same groups with this many free. */
    public FleetNics withFree(int[] freeNow) {
        return new FleetNics(firstGroup, groupId, resource, place, count, freeNow, devicePlace);
    }

    public int groups() {
        return groupId.length;
    }

    /** Whether this has the groups of {@code other}, made from it, whatever is free of them. */
    boolean hasShapeOf(FleetNics other) {
        return groupId == other.groupId;
    }
}
