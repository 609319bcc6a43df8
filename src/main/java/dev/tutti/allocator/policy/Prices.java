package dev.tutti.allocator.policy;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the mix makes of a fleet's resources.
 *
 * @param worth what a device with so many milli-GPU left is worth, in milli-devices, by milli-GPU left: the dearest shares
 *     that still fit into it; 1000 for a whole one
 * @param together what so many whole GPUs on one node are worth for being together, in milli-devices, by their number:
 *     the part of the mix that wants several, where they fit
 * @param cpuMilli CPU that comes with one device's worth of requests, in milli-cores; 0 while nothing is known
 * @param memoryMib the same for memory, in MiB
 */
record Prices(int[] worth, int[] together, long cpuMilli, long memoryMib) {

    /** Sizes of shares that are priced; of more, those with most milli-GPU in all. */
    private static final int MOST_SIZES = 64;

    /** A hole that is broken may join again when its breaker ends: half its worth is counted; measured best. */
    private static final int TOGETHER = 2;

    static Prices of(Mix mix, Layout layout) {
        int[] worth = worth(pricesOf(shares(mix)));
        long cpu = 0;
        long memory = 0;
        long devices = 0;
        for (Mix.Ask ask : mix.asks()) {
            if (ask.shape().devices() > 0) {
                cpu += ask.pods() * ask.shape().cpuMilli();
                memory += ask.pods() * ask.shape().memoryMib();
                devices += (long) ask.pods()
                        * ask.shape().devices()
                        * worth[ask.shape().milli()];
            }
        }
        int[] together = together(mix, layout.mostDevices);
        return devices == 0
                ? new Prices(worth, together, 0, 0)
                : new Prices(worth, together, perDevice(cpu, devices), perDevice(memory, devices));
    }

    private static int[] together(Mix mix, int mostDevices) {
        long[] milli = new long[mostDevices + 1];
        long all = 0;
        for (Mix.Ask ask : mix.asks()) {
            long wanted = ask.pods() * ask.shape().gpuMilli();
            all += wanted;
            if (ask.shape().devices() > 1 && ask.shape().devices() <= mostDevices) {
                milli[ask.shape().devices()] += wanted;
            }
        }
        int[] together = new int[mostDevices + 1];
        for (int whole = 0; whole <= mostDevices && all > 0; whole++) {
            long sum = 0;
            for (int devices = 2; devices <= whole; devices++) {
                sum += milli[devices] * (whole / devices * devices);
            }
            together[whole] = (int) (sum * Board.WHOLE / all / TOGETHER);
        }
        return together;
    }

    private static long perDevice(long amount, long milliDevices) {
        return amount * Board.WHOLE / milliDevices;
    }

    private static Map<Integer, Long> shares(Mix mix) {
        Map<Integer, Long> shares = new TreeMap<>();
        for (Mix.Ask ask : mix.asks()) {
            if (ask.shape().isShare()) {
                shares.merge(ask.shape().milli(), (long) ask.pods(), Long::sum);
            }
        }
        if (shares.size() > MOST_SIZES) {
            Comparator<Map.Entry<Integer, Long>> bySum = Comparator.comparingLong(e -> e.getKey() * e.getValue());
            List<Integer> least = shares.entrySet().stream()
                    .sorted(bySum)
                    .limit(shares.size() - MOST_SIZES)
                    .map(Map.Entry::getKey)
                    .toList();
            least.forEach(shares::remove);
        }
        return shares;
    }

    private static Map<Integer, Integer> pricesOf(Map<Integer, Long> shares) {
        int[] size = shares.keySet().stream().mapToInt(Integer::intValue).toArray();
        long[] wanted = shares.values().stream().mapToLong(Long::longValue).toArray();
        double[] prices = CuttingStock.prices(Board.WHOLE, size, wanted);
        Map<Integer, Integer> rounded = new TreeMap<>();
        for (int i = 0; i < size.length; i++) {
            rounded.put(size[i], (int) Math.round(prices[i] * Board.WHOLE));
        }
        return rounded;
    }

    private static int[] worth(Map<Integer, Integer> prices) {
        int[] worth = new int[Board.WHOLE + 1];
        for (int left = 1; left < worth.length; left++) {
            worth[left] = worth[left - 1];
            for (Map.Entry<Integer, Integer> share : prices.entrySet()) {
                if (share.getKey() <= left) {
                    worth[left] = Math.max(worth[left], worth[left - share.getKey()] + share.getValue());
                }
            }
            worth[left] = Math.min(worth[left], Board.WHOLE);
        }
        worth[Board.WHOLE] = Board.WHOLE;
        return worth;
    }
}
