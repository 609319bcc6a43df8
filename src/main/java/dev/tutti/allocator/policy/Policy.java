package dev.tutti.allocator.policy;

import dev.tutti.allocator.board.Board;

/**
 * Ranks the nodes that hold a pod. Decides nothing about what fits, about gangs or about order. Same board, same mix, same
 * costs.
 */
public interface Policy {

    /** Name under which it is selected. */
    String name();

    /** Costs on this board, as it is whenever they are asked for, for a future that resembles {@code mix}. */
    Costs over(Board board, Mix mix);
}
