package dev.tutti.allocator.board;

import dev.tutti.allocator.fleet.FleetArrays;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The topology tree, flavor by flavor. A cell is what one domain has of one flavor: a range of positions. Depth 0 is the
 * cluster, then come the levels, widest first; the node itself is one deeper than the deepest cell. Cells are numbered
 * depth by depth in the order of positions, so the cells below a cell, and the cells of a flavor, are ranges too.
 *
 * <p>A node in no domain of a level is a domain of its own there.
 */
public final class Cells {

    /** Cell by depth and position. */
    public final int[][] of;
    /** First position of each cell. */
    public final int[] lo;
    /** Position after the last of each cell. */
    public final int[] hi;
    /** Domain of each cell: the same number for what the domain has of other flavors. */
    public final int[] domain;

    /** Whether two nodes are in one domain of a depth; behind the levels a node is with itself alone. */
    public boolean areTogether(int depth, int p, int other) {
        return depth < of.length ? domain[of[depth][p]] == domain[of[depth][other]] : p == other;
    }

    /** Devices of each cell. */
    public final int[] devices;

    private final Map<Long, Integer> byDomainAndFlavor = new HashMap<>();
    private final int flavors;

    Cells(int[] node, int[] flavor, int flavors, int[] deviceLo, FleetArrays fleet) {
        this.flavors = flavors;
        int depths = fleet.domain().length + 1;
        of = new int[depths][node.length];
        int[] lows = new int[depths * node.length];
        int[] highs = new int[lows.length];
        int[] domains = new int[lows.length];
        int[] above = new int[node.length];
        int count = 0;
        int nextDomain = 0;
        for (int depth = 0; depth < depths; depth++) {
            Map<Long, Integer> numbers = new HashMap<>();
            for (int p = 0; p < node.length; p++) {
                int raw = depth == 0 ? fleet.cluster()[node[p]] : fleet.domain()[depth - 1][node[p]];
                long key = ((long) above[p] << Integer.SIZE) | (raw < 0 ? -1L - p & 0xFFFFFFFFL : raw);
                Integer number = numbers.get(key);
                if (number == null) {
                    number = nextDomain++;
                    numbers.put(key, number);
                }
                above[p] = number;
                boolean fresh = p == 0 || above[p - 1] != number || flavor[p - 1] != flavor[p];
                if (fresh) {
                    lows[count] = p;
                    domains[count] = number;
                    byDomainAndFlavor.put(key(number, flavor[p]), count);
                    count++;
                }
                of[depth][p] = count - 1;
                highs[count - 1] = p + 1;
            }
        }
        lo = Arrays.copyOf(lows, count);
        hi = Arrays.copyOf(highs, count);
        domain = Arrays.copyOf(domains, count);
        devices = new int[count];
        Arrays.setAll(devices, cell -> deviceLo[hi[cell]] - deviceLo[lo[cell]]);
    }

    public int count() {
        return lo.length;
    }

    public int depths() {
        return of.length;
    }

    /** What {@code ofDomain} has of this flavor; -1 for nothing. */
    public int find(int ofDomain, int flavor) {
        Integer cell = byDomainAndFlavor.get(key(ofDomain, flavor));
        return cell == null ? -1 : cell;
    }

    private long key(int ofDomain, int flavor) {
        return (long) ofDomain * flavors + flavor;
    }
}
