package dev.tutti.allocator.policy;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * How likely a GPU is missed by those who can run on few flavors: the part of the flavor's GPUs they ask for by the time as
 * much is asked for as the fleet has. Those whom several flavors serve are spread evenly over their GPUs; those who name
 * none and need no MIG instance are served anywhere and count for no flavor.
 */
final class FlavorPrices {

    private FlavorPrices() {}

    /** By flavor number, in milli-devices for each device: 0 where nobody needs the flavor, at most a whole device. */
    static int[] of(Layout layout, Mix mix) {
        long asked = 0;
        Map<BitSet, Long> needed = new HashMap<>();
        for (Mix.Ask ask : mix.asks()) {
            long milli = ask.pods() * ask.shape().gpuMilli();
            asked += milli;
            if (milli > 0 && (!ask.flavors().isEmpty() || ask.shape().isMig())) {
                needed.merge(serving(layout, ask), milli, Long::sum);
            }
        }
        int[] price = new int[layout.flavors()];
        for (Map.Entry<BitSet, Long> need : needed.entrySet()) {
            addTo(price, layout, need.getKey(), need.getValue() * layout.device.length * Board.WHOLE / asked);
        }
        return price;
    }

    private static BitSet serving(Layout layout, Mix.Ask ask) {
        BitSet serving = new BitSet();
        for (int f = 0; f < layout.flavors(); f++) {
            boolean named = ask.flavors().isEmpty() || ask.flavors().contains(layout.flavorName(f));
            serving.set(f, named && (!ask.shape().isMig() || layout.canCut(f, ask.shape())));
        }
        return serving;
    }

    /** @param milli what those whom these flavors serve ask for by the time the whole fleet is asked for, in milli-devices */
    private static void addTo(int[] price, Layout layout, BitSet flavors, long milli) {
        int devices = flavors.stream().map(f -> devicesOf(layout, f)).sum();
        if (devices > 0) {
            flavors.stream().forEach(f -> price[f] = (int) Math.min(Board.WHOLE, price[f] + milli / devices));
        }
    }

    private static int devicesOf(Layout layout, int flavor) {
        return layout.deviceLo[layout.flavorLo[flavor + 1]] - layout.deviceLo[layout.flavorLo[flavor]];
    }
}
