package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Cells;

/**
 * One domain under one choice of flavors: where each pod set may go in it.
 *
 * @param choice flavor of each pod set
 * @param depth depth of the domain; deeper than all cells for a single node
 * @param part what the domain has for each pod set: a cell, or the position of the single node
 * @param rank order of trial: smallest first
 * @param around how much is free around it, in the next wider domain; of equals the one with least goes first
 */
record Domain(int[] choice, int depth, int[] part, long rank, long around) {

    boolean isBefore(long otherRank, long otherAround) {
        return rank < otherRank || (rank == otherRank && around <= otherAround);
    }

    int lo(Cells cells, int set) {
        return depth < cells.depths() ? cells.lo[part[set]] : part[set];
    }

    int hi(Cells cells, int set) {
        return depth < cells.depths() ? cells.hi[part[set]] : part[set] + 1;
    }
}
