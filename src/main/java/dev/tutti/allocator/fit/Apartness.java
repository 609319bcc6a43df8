package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Cells;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Whether sets that must be apart find as many different domains as they need, whatever flavors they run on: a proof that
 * a gang does not fit, without trying. That it finds no lack proves nothing.
 *
 * <p>Sets that share a domain are counted as one. Only domains that could hold at least one pod of a set count for it,
 * and no domain counts for two.
 */
public final class Apartness {

    private final Cells cells;
    private final Parts parts;
    private final int flavors;

    /**
     * Too few domains.
     *
     * @param depth depth of the domains that are too few
     * @param groups the sets that need them; those of one group share one domain
     * @param wanted how many they need at the least
     * @param available how many there are for them, in the best of the domains that could be the gang's
     */
    public record Lack(int depth, List<int[]> groups, long wanted, long available) {}

    public Apartness(Board board) {
        this.cells = board.layout.cells;
        this.flavors = board.layout.flavors();
        this.parts = new Parts(board, new Work());
    }

    /** What the smallest start lacks, wherever the gang is; null when there is no proof that it lacks any. */
    public @Nullable Lack find(Request request) {
        int widest = request.near.widest;
        for (int depth = 0; depth <= cells.depths(); depth++) {
            for (List<int[]> clique : cliques(request, depth)) {
                Lack lack = depth <= widest
                        ? new Lack(depth, clique, clique.size(), 1)
                        : leastOfAll(request, clique, depth, widest);
                if (lack != null) {
                    return lack;
                }
            }
        }
        return null;
    }

    /** Groups of sets, each apart from all others of its list at this depth. */
    private static List<List<int[]>> cliques(Request request, int depth) {
        List<List<int[]>> cliques = new ArrayList<>();
        int[] all = IntStream.range(0, request.sets()).toArray();
        if (Arrays.stream(all).noneMatch(s -> request.bonds.nextApart(s, depth - 1) == depth)) {
            return cliques;
        }
        List<int[]> groups = request.bonds.groups(all, depth);
        for (int[] first : groups) {
            List<int[]> clique = new ArrayList<>(List.of(first));
            for (int[] group : groups) {
                if (group != first && clique.stream().allMatch(other -> areApart(request, group, other, depth))) {
                    clique.add(group);
                }
            }
            if (clique.size() > 1) {
                cliques.add(clique);
            }
        }
        return cliques;
    }

    private static boolean areApart(Request request, int[] some, int[] others, int depth) {
        return Arrays.stream(some)
                .anyMatch(a -> Arrays.stream(others).anyMatch(b -> request.bonds.apartDepth(a, b) <= depth));
    }

    /** The lack in the domain that lacks least; null when one of them may have enough. */
    private @Nullable Lack leastOfAll(Request request, List<int[]> clique, int depth, int widest) {
        Lack least = null;
        for (int domain : domains(widest)) {
            Allotment allotment = new Allotment(clique.size());
            if (count(request, clique, depth, domain, allotment)) {
                Lack lack = lack(clique, depth, allotment);
                if (lack == null) {
                    return null;
                }
                least = least == null || lack.available > least.available ? lack : least;
            }
        }
        return least;
    }

    private static @Nullable Lack lack(List<int[]> clique, int depth, Allotment allotment) {
        int[] lacking = allotment.lacking();
        return lacking.length == 0
                ? null
                : new Lack(
                        depth,
                        Arrays.stream(lacking).mapToObj(clique::get).toList(),
                        allotment.wanted(lacking),
                        allotment.available(lacking));
    }

    private int[] domains(int depth) {
        return Arrays.stream(cells.of[depth])
                .map(cell -> cells.domain[cell])
                .distinct()
                .toArray();
    }

    /** Whether each set finds room in the domain, if it were alone there. Tells what it needs of which of its parts. */
    private boolean count(Request request, List<int[]> clique, int depth, int domain, Allotment allotment) {
        Map<Integer, Integer> users = new TreeMap<>();
        for (int g = 0; g < clique.size(); g++) {
            int[] group = clique.get(g);
            Map<Integer, Integer> holds = new TreeMap<>();
            int needed = group.length == 1
                    ? ofOne(request, group[0], depth, domain, holds)
                    : ofMany(request, group, depth, domain, holds);
            if (needed == 0) {
                return false;
            }
            int bit = 1 << g;
            holds.keySet().forEach(part -> users.merge(part, bit, (a, b) -> a | b));
            allotment.need(g, needed);
        }
        users.values().forEach(allotment::add);
        return true;
    }

    /** The fewest parts that hold the set, on one flavor; 0 when none can. Adds those that hold a pod. */
    private int ofOne(Request request, int set, int depth, int domain, Map<Integer, Integer> holds) {
        int fewest = 0;
        for (int flavor : flavors(request, set)) {
            Map<Integer, Integer> held = held(request, set, flavor, depth, domain);
            int needed = fewest(held, request.min[set]);
            if (needed > 0) {
                fewest = fewest == 0 ? needed : Math.min(fewest, needed);
                held.forEach((part, pods) -> holds.merge(part, pods, Math::max));
            }
        }
        return fewest;
    }

    private static int fewest(Map<Integer, Integer> held, int wanted) {
        int[] pods = held.values().stream().mapToInt(each -> each).sorted().toArray();
        int left = wanted;
        int count = 0;
        while (left > 0 && count < pods.length) {
            left -= pods[pods.length - ++count];
        }
        return left > 0 ? 0 : count;
    }

    /** Parts that hold each of the sets whole, if it were alone there: they need one. */
    private int ofMany(Request request, int[] group, int depth, int domain, Map<Integer, Integer> holds) {
        for (int set : group) {
            Map<Integer, Integer> whole = new TreeMap<>();
            for (int flavor : flavors(request, set)) {
                held(request, set, flavor, depth, domain).forEach((part, pods) -> {
                    if (pods >= request.min[set]) {
                        whole.put(part, pods);
                    }
                });
            }
            if (set == group[0]) {
                holds.putAll(whole);
            } else {
                holds.keySet().retainAll(whole.keySet());
            }
        }
        return holds.isEmpty() ? 0 : 1;
    }

    /** Pods that each part of the domain holds of a set, if any; wishes of the set itself are not looked at. */
    private Map<Integer, Integer> held(Request request, int set, int flavor, int depth, int domain) {
        Map<Integer, Integer> held = new TreeMap<>();
        int cell = cells.find(domain, flavor);
        int end = cell < 0 ? 0 : parts.at(depth, cells.hi[cell] - 1) + 1;
        for (int part = cell < 0 ? 0 : parts.at(depth, cells.lo[cell]); part < end; part++) {
            int pods = parts.pods(request.shapes[set], depth, part, request.min[set]);
            if (pods > 0) {
                held.put(depth == cells.depths() ? part : cells.domain[part], pods);
            }
        }
        return held;
    }

    private int[] flavors(Request request, int set) {
        return request.hasAllChoices()
                ? request.flavors(set)
                : IntStream.range(0, flavors).toArray();
    }
}
