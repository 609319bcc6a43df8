package dev.tutti.allocator;

import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.MigLayouts;
import dev.tutti.model.fleet.MigProfile;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.SetAffinity;
import dev.tutti.model.job.TopologySegment;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Tries every way to place a small gang. Shares nothing with the allocator but the words of the model. */
final class BruteForce {

    private final List<TestNode> nodes;
    private final List<String> levels;
    private final boolean empty;

    /** {@code empty}: as if nothing ran, every node were open and every device healthy. */
    BruteForce(List<TestNode> nodes, boolean empty) {
        this.nodes = nodes;
        this.empty = empty;
        this.levels = TestNode.LEVELS.stream()
                .filter(level -> nodes.stream().anyMatch(node -> node.domains().containsKey(level)))
                .toList();
    }

    /** Depth of a level: 0 is the cluster, the node is the deepest. */
    int depth(String level) {
        return level.equals("hostname") ? levels.size() + 1 : levels.indexOf(level) + 1; // the cluster is none of them
    }

    /** Nodes of each domain of a depth. */
    List<List<Integer>> domains(int depth) {
        Map<String, List<Integer>> domains = new TreeMap<>();
        for (int n = 0; n < nodes.size(); n++) {
            domains.computeIfAbsent(path(n, depth), p -> new ArrayList<>()).add(n);
        }
        return List.copyOf(domains.values());
    }

    private String path(int n, int depth) {
        StringBuilder path = new StringBuilder(nodes.get(n).cluster());
        for (int i = 0; i < depth; i++) {
            path.append('/').append(i < levels.size() ? domain(n, i) : "only " + n);
        }
        return path.toString();
    }

    /** By label; else by the next narrower label; else alone. Zones without a label are one. */
    private String domain(int n, int level) {
        for (int i = level; i < levels.size(); i++) {
            String label = nodes.get(n).domains().get(levels.get(i));
            if (label != null) {
                return i + label;
            }
            if (levels.get(i).equals("zone")) {
                return "none";
            }
        }
        return "only " + n;
    }

    /** Depth of the zone, which no gang crosses unasked; 0 where no node has one. */
    int zone() {
        return levels.indexOf("zone") + 1;
    }

    /**
     * Whether {@code pods[s]} pods of each set fit together on these nodes, each set on its flavor; a set that requires no
     * level in one domain of the depth {@code unasked}.
     */
    boolean holds(List<PodSet> sets, int[] pods, List<String> flavors, List<Integer> on, int unasked) {
        return new Attempt(sets, pods, flavors, on, unasked).place(0, 0, 0);
    }

    /** Whole free GPUs on these nodes of these flavors. */
    long wholeFree(List<Integer> on, List<String> flavors) {
        return on.stream()
                .filter(n -> flavors.contains(nodes.get(n).flavor()) && isOpen(n))
                .mapToLong(n ->
                        nodes.get(n).used().stream().filter(used -> used == 0).count())
                .sum();
    }

    /** The profile on the node's devices; null where they cannot be cut so. */
    static @Nullable MigProfile profile(TestNode node, String name) {
        return MigLayouts.ALL.stream()
                .filter(layout -> layout.name().equals(node.mig()))
                .flatMap(layout -> layout.profile(name).stream())
                .findFirst()
                .orElse(null);
    }

    private boolean isOpen(int n) {
        return empty || nodes.get(n).open();
    }

    /** One search: what is left on each node as pods are put there and taken back. */
    private final class Attempt {
        private final List<PodSet> sets;
        private final int[] pods;
        private final List<String> flavors;
        private final List<Integer> on;
        private final int unasked;
        private final long[] cpu = new long[nodes.size()];
        private final long[] memory = new long[nodes.size()];
        private final int[] slots = new int[nodes.size()];
        private final int[][] left = new int[nodes.size()][];
        /** Memory units in use, as a mask; a device with some serves instances alone. */
        private final int[][] units = new int[nodes.size()][];

        /** RDMA NICs left by resource. */
        private final List<Map<String, Integer>> nics = new ArrayList<>();

        private final List<List<Integer>> placed = new ArrayList<>();

        Attempt(List<PodSet> sets, int[] pods, List<String> flavors, List<Integer> on, int unasked) {
            this.unasked = unasked;
            this.sets = sets;
            this.pods = pods;
            this.flavors = flavors;
            this.on = on;
            sets.forEach(set -> placed.add(new ArrayList<>()));
            for (int n = 0; n < left.length; n++) {
                TestNode node = nodes.get(n);
                cpu[n] = node.cpuMilli() - (empty ? 0 : node.cpuUsed());
                memory[n] = node.memoryMib() - (empty ? 0 : node.memoryUsed());
                slots[n] = node.pods();
                left[n] = node.used().stream()
                        .mapToInt(used -> empty ? 1_000 : Math.max(0, 1_000 - used))
                        .toArray();
                Map<String, Integer> ofNode = new TreeMap<>();
                node.nics()
                        .forEach(group ->
                                ofNode.merge(group.resource(), empty ? group.count() : group.free(), Integer::sum));
                nics.add(ofNode);
                units[n] =
                        node.units().stream().mapToInt(mask -> empty ? 0 : mask).toArray();
            }
        }

        /** Equal pods are placed in order of node, so that the same placement is not tried twice. */
        boolean place(int s, int done, int from) {
            if (s == sets.size()) {
                return true;
            }
            if (done == pods[s]) {
                return isNear(s) && keepsAffinity(s) && place(s + 1, 0, 0);
            }
            for (int i = from; i < on.size(); i++) {
                int n = on.get(i);
                boolean mayUse =
                        TestRules.mayUse(sets.get(s).nodes(), nodes.get(n).traits());
                if (isOpen(n) && mayUse && nodes.get(n).flavor().equals(flavors.get(s)) && onNode(s, done, i, n)) {
                    return true;
                }
            }
            return false;
        }

        /** Whether the set is in one domain of the level it requires, and each domain has whole segments of it. */
        private boolean isNear(int s) {
            PodSet set = sets.get(s);
            String required = set.topology().required();
            if (podsByDomain(s, required == null ? unasked : depth(required)).size() > 1) {
                return false;
            }
            TopologySegment segment = set.segment();
            return segment == null
                    || podsByDomain(s, depth(segment.level())).values().stream()
                            .allMatch(count -> count % segment.pods() == 0);
        }

        /** Affinities between this set and those before it, whichever of the two says it. */
        private boolean keepsAffinity(int s) {
            for (int other = 0; other < s; other++) {
                if (!keepsAffinity(s, other) || !keepsAffinity(other, s)) {
                    return false;
                }
            }
            return true;
        }

        private boolean keepsAffinity(int s, int other) {
            for (SetAffinity one : sets.get(s).affinity()) {
                if (one.podSet().equals(sets.get(other).name())) {
                    Set<String> own = podsByDomain(s, depth(one.level())).keySet();
                    Set<String> others = podsByDomain(other, depth(one.level())).keySet();
                    boolean kept = one.kind() == SetAffinity.Kind.APART
                            ? Collections.disjoint(own, others)
                            : own.size() == 1 && own.equals(others);
                    if (!kept) {
                        return false;
                    }
                }
            }
            return true;
        }

        private Map<String, Integer> podsByDomain(int s, int depth) {
            Map<String, Integer> counts = new TreeMap<>();
            placed.get(s).forEach(n -> counts.merge(path(n, depth), 1, Integer::sum));
            return counts;
        }

        private boolean onNode(int s, int done, int i, int n) {
            PodSet set = sets.get(s);
            boolean cpuFits = set.cpuMilli() == 0 || cpu[n] >= set.cpuMilli();
            boolean memoryFits = set.memoryMib() == 0 || memory[n] >= set.memoryMib();
            if (slots[n] == 0 || !cpuFits || !memoryFits) {
                return false;
            }
            cpu[n] -= set.cpuMilli();
            memory[n] -= set.memoryMib();
            slots[n]--;
            placed.get(s).add(n);
            boolean found = set.nics().nics() == 0 ? onDevices(s, done, i, n) : withNics(s, done, i, n);
            cpu[n] += set.cpuMilli();
            memory[n] += set.memoryMib();
            slots[n]++;
            placed.get(s).remove(placed.get(s).size() - 1);
            return found;
        }

        /** All NICs of a pod are of one resource: each is tried. */
        private boolean withNics(int s, int done, int i, int n) {
            NicRequest wanted = sets.get(s).nics();
            for (String resource : List.copyOf(nics.get(n).keySet())) {
                boolean admitted =
                        wanted.resource().isEmpty() || wanted.resource().equals(resource);
                if (admitted && nics.get(n).get(resource) >= wanted.nics()) {
                    nics.get(n).merge(resource, -wanted.nics(), Integer::sum);
                    boolean found = onDevices(s, done, i, n);
                    nics.get(n).merge(resource, wanted.nics(), Integer::sum);
                    if (found) {
                        return true;
                    }
                }
            }
            return false;
        }

        private boolean onDevices(int s, int done, int i, int n) {
            PodSet set = sets.get(s);
            if (set.gpus() instanceof GpuRequest.Share share) {
                return share(s, done, i, n, share.milliPerDevice());
            }
            return set.gpus() instanceof GpuRequest.Mig mig
                    ? instance(s, done, i, n, mig.profile())
                    : whole(s, done, i, n, set.gpus().devices());
        }

        private boolean instance(int s, int done, int i, int n, String name) {
            MigProfile profile = profile(nodes.get(n), name);
            for (int d = 0; profile != null && d < left[n].length; d++) {
                for (int start : profile.starts()) {
                    int bits = new MigInstance(name, start, profile.units()).bits();
                    boolean serves = units[n][d] != 0 || left[n][d] == 1_000;
                    if (serves && (units[n][d] & bits) == 0) {
                        units[n][d] |= bits;
                        left[n][d] -= profile.milli();
                        boolean placed = place(s, done + 1, i);
                        units[n][d] &= ~bits;
                        left[n][d] += profile.milli();
                        if (placed) {
                            return true;
                        }
                    }
                }
            }
            return false;
        }

        private boolean share(int s, int done, int i, int n, int milli) {
            for (int d = 0; d < left[n].length; d++) {
                if (units[n][d] == 0 && left[n][d] >= milli) {
                    left[n][d] -= milli;
                    boolean placed = place(s, done + 1, i);
                    left[n][d] += milli;
                    if (placed) {
                        return true;
                    }
                }
            }
            return false;
        }

        private boolean whole(int s, int done, int i, int n, int devices) {
            int[] before = left[n].clone();
            int wanted = devices;
            for (int d = 0; d < left[n].length && wanted > 0; d++) {
                if (left[n][d] == 1_000) {
                    left[n][d] = 0;
                    wanted--;
                }
            }
            boolean placed = wanted == 0 && place(s, done + 1, i);
            left[n] = before;
            return placed;
        }
    }
}
