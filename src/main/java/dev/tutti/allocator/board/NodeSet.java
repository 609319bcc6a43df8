package dev.tutti.allocator.board;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Some of the nodes, by position. Takes the room of the range it spans, so a set of one node is small in any fleet.
 * Never changes; compared by identity, so that it is cheap in keys.
 */
public final class NodeSet {

    /** Every node there is. */
    public static final NodeSet ALL = new NodeSet(0, null, false);

    /** Sets of so few nodes are looked through one by one. */
    private static final int FEW = 64;

    private final int first;
    /** Bit {@code i} stands for the position {@code first + i}; null for every node. */
    private final @Nullable BitSet bits;

    private final int size;
    private final boolean passing;

    private NodeSet(int first, @Nullable BitSet bits, boolean passing) {
        this.first = first;
        this.bits = bits;
        this.passing = passing;
        this.size = bits == null ? Integer.MAX_VALUE : bits.cardinality();
    }

    /** The nodes at these positions. */
    public static NodeSet of(BitSet positions) {
        return of(positions, false);
    }

    /** The same for a set that nobody will ask for again. */
    public static NodeSet passing(BitSet positions) {
        return of(positions, true);
    }

    private static NodeSet of(BitSet positions, boolean passing) {
        int first = Math.max(0, positions.nextSetBit(0));
        return new NodeSet(first, positions.get(first, positions.length()), passing);
    }

    /** Whether the node at a position is one of them. */
    public boolean has(int p) {
        return bits == null || p >= first && bits.get(p - first);
    }

    /** The first of them at {@code p} or behind it; {@link Integer#MAX_VALUE} when there is none. */
    public int next(int p) {
        if (bits == null) {
            return p;
        }
        int next = bits.nextSetBit(Math.max(0, p - first));
        return next < 0 ? Integer.MAX_VALUE : first + next;
    }

    /** Whether they are so few that nobody needs an index of them. */
    public boolean areFew() {
        return size <= FEW;
    }

    /** Whether it was made for one occasion: an index of it need not be kept. */
    public boolean isPassing() {
        return passing;
    }

    /** Nodes that are in this set or in the other. */
    public NodeSet or(NodeSet other) {
        if (bits == null || other == this) {
            return this;
        }
        if (other.bits == null) {
            return other;
        }
        BitSet both = positions(Integer.MAX_VALUE);
        both.or(other.positions(Integer.MAX_VALUE));
        return passing(both);
    }

    /** Their positions below {@code end}, as bits that the caller may change. */
    public BitSet positions(int end) {
        BitSet positions = new BitSet();
        if (bits == null) {
            positions.set(0, end);
            return positions;
        }
        for (int p = next(0); p < end; p = next(p + 1)) {
            positions.set(p);
        }
        return positions;
    }
}
