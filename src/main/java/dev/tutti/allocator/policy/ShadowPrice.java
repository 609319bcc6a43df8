package dev.tutti.allocator.policy;

import dev.tutti.allocator.board.Board;

/**
 * The default: what a placement takes from those who come after, at the prices that the recent mix puts on the rest.
 *
 * <p>The smallest of these decides, in this order:
 *
 * <ol>
 *   <li>whole GPUs of one pod in one NVLink island;
 *   <li>what the device loses in worth (see {@link Prices}): a share goes where it completes a pattern of shares that
 *       packs well, and a remainder nobody can use costs nothing;
 *   <li>how much of the node's free GPUs is left without the CPU and memory that come with a device, and how many GPUs
 *       that pods of several want together are parted;
 *   <li>how much of the mix could run on this flavor: wanted flavors are kept for those who need them;
 *   <li>racks nobody uses yet are kept whole for gangs;
 *   <li>the smallest island that suffices, then the fullest node.
 * </ol>
 *
 * Without a known mix only islands, racks and best fit are left. Measured in docs/measures.md.
 */
public final class ShadowPrice implements Policy {

    @Override
    public String name() {
        return "shadow-price";
    }

    @Override
    public Costs over(Board board, Mix mix) {
        return new ShadowCosts(
                board, Prices.of(mix, board.layout()), Demand.of(board.layout(), mix, ShadowCosts.FULL_DEMAND));
    }
}
