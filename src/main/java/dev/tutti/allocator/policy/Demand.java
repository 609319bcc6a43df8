package dev.tutti.allocator.policy;

import dev.tutti.allocator.board.Layout;

/** How much of the mix could run on each flavor. */
final class Demand {

    private Demand() {}

    /** Milli-GPU of the mix that each flavor could serve, out of {@code full} for all of it; by flavor number. */
    static int[] of(Layout layout, Mix mix, int full) {
        long[] wanted = new long[layout.flavors()];
        long all = 0;
        for (Mix.Ask ask : mix.asks()) {
            long milli = ask.pods() * ask.shape().gpuMilli();
            all += milli;
            for (int f = 0; f < wanted.length; f++) {
                boolean serves = ask.flavors().isEmpty()
                        ? layout.mostDevicesOf[f] > 0 && (!ask.shape().isMig() || layout.canCut(f, ask.shape()))
                        : ask.flavors().contains(layout.flavorName(f));
                wanted[f] += serves ? milli : 0;
            }
        }
        int[] demand = new int[wanted.length];
        for (int f = 0; f < demand.length && all > 0; f++) {
            demand[f] = (int) (wanted[f] * full / all);
        }
        return demand;
    }
}
