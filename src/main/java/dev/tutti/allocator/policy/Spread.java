package dev.tutti.allocator.policy;

import dev.tutti.allocator.board.Board;

/** The emptiest node, and for a share the emptiest device: little interference, many holes nobody large can use. */
public final class Spread implements Policy {

    @Override
    public String name() {
        return "spread";
    }

    @Override
    public Costs over(Board board, Mix mix) {
        return new BestFit.Fullness(board, -1);
    }
}
