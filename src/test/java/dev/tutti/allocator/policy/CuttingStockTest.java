package dev.tutti.allocator.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class CuttingStockTest {

    @Test
    void aShareThatLeavesWhatNobodyCanUseCostsAWholeDevice() {
        assertThat(prices(new int[] {810}, 5)[0]).isEqualTo(1.0, within(1e-9));
    }

    @Test
    void sharesThatCompleteEachOtherDivideTheDevice() {
        double[] prices = prices(new int[] {300, 700}, 10, 10);
        assertThat(prices[0] + prices[1]).isEqualTo(1.0, within(1e-9));
    }

    @Test
    void whatFitsBesideOthersAnywayCostsNothing() {
        double[] prices = prices(new int[] {160, 810}, 1, 100);
        assertThat(prices[0]).isEqualTo(0, within(1e-9));
        assertThat(prices[1]).isEqualTo(1.0, within(1e-9));
    }

    /** Weak duality: the prices are a bound, and no pattern is worth more than the device it takes. */
    @Test
    void noPatternIsWorthMoreThanADevice() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            int[] size = random.ints(1, 101)
                    .distinct()
                    .limit(1 + random.nextInt(12))
                    .sorted()
                    .toArray();
            long[] wanted = random.longs(size.length, 1, 1_000).toArray();
            double[] prices = CuttingStock.prices(100, size, wanted);
            double needed = 0;
            double space = 0;
            for (int i = 0; i < size.length; i++) {
                assertThat(prices[i]).as("seed " + seed).isBetween(-1e-6, 1 + 1e-6);
                needed += prices[i] * wanted[i];
                space += size[i] / 100.0 * wanted[i];
            }
            assertThat(bestPattern(size, prices)).as("seed " + seed).isLessThan(1 + 1e-6);
            assertThat(needed)
                    .as("seed " + seed + ": no packing beats the space itself")
                    .isGreaterThan(space - 1e-6);
        }
    }

    private static double bestPattern(int[] size, double[] prices) {
        double[] best = new double[101];
        for (int room = 1; room <= 100; room++) {
            best[room] = best[room - 1];
            for (int i = 0; i < size.length; i++) {
                if (size[i] <= room) {
                    best[room] = Math.max(best[room], best[room - size[i]] + prices[i]);
                }
            }
        }
        return best[100];
    }

    private static double[] prices(int[] size, long... wanted) {
        return CuttingStock.prices(1_000, size, wanted);
    }
}
