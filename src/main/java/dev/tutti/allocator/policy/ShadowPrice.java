package dev.tutti.allocator.policy;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import org.jspecify.annotations.Nullable;

/**
 * The default: what a placement takes from those who come after, at the prices that the recent mix puts on the rest.
 *
 * <p>The smallest of these decides, in this order:
 *
 * <ol>
 *   <li>whole GPUs of one pod in one NVLink island;
 *   <li>what the device loses in worth (see {@link Prices}): a share goes where it completes a pattern of shares that
 *       packs well, and a remainder nobody can use costs nothing;
 *   <li>what it takes from others beside that, summed in milli-devices: free GPUs of the node left without the CPU and
 *       memory that come with a device, GPUs parted that pods of several want together, and for each GPU the price of its
 *       flavor (see {@link FlavorPrices}), so that GPUs others name are kept for them as far as that costs less;
 *   <li>racks nobody uses yet are kept whole for gangs;
 *   <li>the smallest island that suffices, then the fullest node.
 * </ol>
 *
 * Without a known mix only islands, racks and best fit are left. Measured in docs/measures.md.
 *
 * <p>Prices are solved once for each mix: the last ones are kept. Any number of threads may use one.
 */
public final class ShadowPrice implements Policy {

    private volatile @Nullable Solved last;

    @Override
    public String name() {
        return "shadow-price";
    }

    @Override
    public Costs over(Board board, Mix mix) {
        return new ShadowCosts(board, prices(mix, board.layout()), FlavorPrices.of(board.layout(), mix));
    }

    Prices prices(Mix mix, Layout layout) {
        Solved known = last;
        if (known == null || !known.isFor(mix, layout)) {
            known = new Solved(mix, layout.mostDevices, Prices.of(mix, layout));
            last = known;
        }
        return known.prices;
    }

    private record Solved(Mix mix, int mostDevices, Prices prices) {

        /** Prices depend on nothing else. */
        boolean isFor(Mix asked, Layout layout) {
            return mostDevices == layout.mostDevices && (mix == asked || mix.equals(asked));
        }
    }
}
