package dev.tutti.allocator.board;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Some of the nodes, by position. Takes the room of the range it spans, so a set of one node is small in any fleet.
 * Never changes; compared by identity, so that it is cheap in keys.
 */
public final class NodeSet {

    /** Every node there is. */
    public static final NodeSet ALL = new NodeSet(0, null);

    /** Sets of so few nodes are looked through one by one. */
    private static final int FEW = 64;

    private final int first;
    /** Bit {@code i} stands for the position {@code first + i}; null for every node. */
    private final @Nullable BitSet bits;

    private final int size;

    private NodeSet(int first, @Nullable BitSet bits) {
        this.first = first;
        this.bits = bits;
        this.size = bits == null ? Integer.MAX_VALUE : bits.cardinality();
    }

    /** The nodes at these positions. */
    public static NodeSet of(BitSet positions) {
        int first = Math.max(0, positions.nextSetBit(0));
        return new NodeSet(first, positions.get(first, positions.length()));
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
        return of(both);
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
