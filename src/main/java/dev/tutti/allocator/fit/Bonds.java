package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.NodeSet;
import dev.tutti.allocator.board.Trail;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.SetAffinity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which pod sets of a gang must share a domain, and which must not share any. Depths are those of a {@link Request}. */
final class Bonds {

    static final Bonds NONE = new Bonds(List.of());

    /** Deeper than every depth. */
    static final int NEVER = Integer.MAX_VALUE;

    private static final int UNKNOWN = -1;

    private final Bond[] bonds;

    private record Bond(int a, int b, int depth, boolean together) {

        boolean isOf(int set) {
            return a == set || b == set;
        }

        int other(int set) {
            return a == set ? b : a;
        }
    }

    private Bonds(List<Bond> bonds) {
        this.bonds = bonds.toArray(Bond[]::new);
    }

    /** Translates the sets' affinities; null when one names a level that is not configured, or a set that is not there. */
    static @Nullable Bonds of(FleetNames names, List<PodSet> sets) {
        List<String> setNames = sets.stream().map(PodSet::name).toList();
        List<Bond> bonds = new ArrayList<>();
        for (int s = 0; s < sets.size(); s++) {
            for (SetAffinity one : sets.get(s).affinity()) {
                int other = setNames.indexOf(one.podSet());
                int depth = depth(names.levels(), one.level());
                if (other < 0 || depth == UNKNOWN) {
                    return null;
                }
                bonds.add(new Bond(s, other, depth, one.kind() == SetAffinity.Kind.TOGETHER));
            }
        }
        return bonds.isEmpty() ? NONE : new Bonds(bonds);
    }

    private static int depth(List<String> levels, String level) {
        if (level.equals(TopologyLevels.CLUSTER_LEVEL)) {
            return 0;
        }
        if (level.equals(TopologyLevels.NODE_LEVEL)) {
            return levels.size() + 1;
        }
        int index = levels.indexOf(level);
        return index < 0 ? UNKNOWN : index + 1;
    }

    boolean isEmpty() {
        return bonds.length == 0;
    }

    /** Whether a gang in one domain of this depth can keep them: sets that are apart in a wider one cannot be in it. */
    boolean allowDepth(int depth) {
        for (Bond bond : bonds) {
            if (!bond.together && bond.depth <= depth) {
                return false;
            }
        }
        return true;
    }

    /** Whether a pod of the set may go to the node at {@code p}, seen from the pods that are placed. */
    boolean allow(int set, int p, Trail trail, Parts parts) {
        for (Bond bond : bonds) {
            for (int pod = 0; bond.isOf(set) && pod < trail.size(); pod++) {
                boolean concerns = trail.set(pod) == bond.other(set) || bond.together && trail.set(pod) == set;
                if (concerns && parts.areInOne(bond.depth, p, trail.position(pod)) != bond.together) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Those of the nodes that are in no domain which the set must not share with pods that are placed. */
    NodeSet apart(NodeSet nodes, int set, int flavor, Trail trail, Parts parts) {
        BitSet kept = null;
        int lastSet = -1;
        int lastNode = -1;
        int depth = NEVER;
        for (int pod = 0; pod < trail.size(); pod++) {
            boolean sameSet = trail.set(pod) == lastSet;
            if (sameSet && (depth == NEVER || trail.position(pod) == lastNode)) {
                continue;
            }
            lastSet = trail.set(pod);
            lastNode = trail.position(pod);
            depth = sameSet ? depth : apartDepth(set, lastSet);
            int part = depth == NEVER ? -1 : parts.around(depth, lastNode, flavor);
            if (part >= 0) {
                kept = kept == null ? nodes.positions(parts.nodes()) : kept;
                kept.clear(parts.lo(depth, part), parts.hi(depth, part));
            }
        }
        return kept == null ? nodes : NodeSet.passing(kept);
    }

    /** Depth of the widest domain that two sets must not share; {@link #NEVER} when they may share all. */
    int apartDepth(int a, int b) {
        int widest = NEVER;
        for (Bond bond : bonds) {
            boolean counts = !bond.together && bond.isOf(a) && bond.other(a) == b;
            widest = counts ? Math.min(widest, bond.depth) : widest;
        }
        return widest;
    }

    /** The next depth below this one at which the set must be apart from another; {@link #NEVER} when there is none. */
    int nextApart(int set, int depth) {
        int next = NEVER;
        for (Bond bond : bonds) {
            boolean counts = !bond.together && bond.isOf(set) && bond.depth > depth;
            next = counts ? Math.min(next, bond.depth) : next;
        }
        return next;
    }

    /** Whether some sets must be apart. */
    boolean part() {
        for (Bond bond : bonds) {
            if (!bond.together) {
                return true;
            }
        }
        return false;
    }

    /** Depth of the narrowest domain that the set shares with another; -1 when it shares none. */
    int narrowest(int set) {
        int narrowest = -1;
        for (Bond bond : bonds) {
            narrowest = bond.together && bond.isOf(set) ? Math.max(narrowest, bond.depth) : narrowest;
        }
        return narrowest;
    }

    /** Depth of the widest domain, narrower than {@code depth}, that some of these sets share; -1 when there is none. */
    int widestBelow(int depth, int[] sets) {
        int widest = -1;
        for (Bond bond : bonds) {
            boolean counts = bond.together && bond.depth > depth && contains(sets, bond.a) && contains(sets, bond.b);
            widest = counts && (widest < 0 || bond.depth < widest) ? bond.depth : widest;
        }
        return widest;
    }

    /** The sets in groups that share a domain of this depth or a narrower one, directly or by way of others. */
    List<int[]> groups(int[] sets, int depth) {
        int[] group = new int[sets.length];
        for (int i = 0; i < sets.length; i++) {
            group[i] = i;
        }
        for (Bond bond : bonds) {
            int a = indexOf(sets, bond.a);
            int b = indexOf(sets, bond.b);
            if (bond.together && bond.depth >= depth && a >= 0 && b >= 0) {
                join(group, group[a], group[b]);
            }
        }
        List<int[]> groups = new ArrayList<>();
        for (int g = 0; g < sets.length; g++) {
            int[] members = new int[sets.length];
            int size = 0;
            for (int i = 0; i < sets.length; i++) {
                if (group[i] == g) {
                    members[size++] = sets[i];
                }
            }
            if (size > 0) {
                groups.add(Arrays.copyOf(members, size));
            }
        }
        return groups;
    }

    private static void join(int[] group, int a, int b) {
        for (int i = 0; i < group.length; i++) {
            group[i] = group[i] == Math.max(a, b) ? Math.min(a, b) : group[i];
        }
    }

    private static boolean contains(int[] sets, int set) {
        return indexOf(sets, set) >= 0;
    }

    private static int indexOf(int[] sets, int set) {
        for (int i = 0; i < sets.length; i++) {
            if (sets[i] == set) {
                return i;
            }
        }
        return -1;
    }
}
