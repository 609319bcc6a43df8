package dev.tutti.allocator.policy;

import java.util.Arrays;

/**
 * How few devices could hold a number of shares, and what each share is worth then: the linear relaxation of the
 * cutting-stock problem, solved by column generation (Gilmore and Gomory 1961). A share's price is the part of a device
 * that one more of it costs when all are packed as well as can be; 0 for shares that fit into what others leave anyway.
 */
final class CuttingStock {

    private static final double EPSILON = 1e-9;
    private static final int MOST_ROUNDS = 2_000;

    private final int device;
    private final int[] size;
    private final int sizes;
    /** Inverse of the basis: its columns are the patterns in use. */
    private final double[][] inverse;
    /** Devices cut by each pattern in use. */
    private final double[] cut;

    private final double[] price;
    private final double[] best;
    private final int[] chosen;

    private CuttingStock(int device, int[] size, long[] wanted) {
        this.device = device;
        this.size = size;
        sizes = size.length;
        inverse = new double[sizes][sizes];
        cut = new double[sizes];
        price = new double[sizes];
        best = new double[device + 1];
        chosen = new int[device + 1];
        for (int i = 0; i < sizes; i++) {
            int fit = device / size[i];
            inverse[i][i] = 1.0 / fit;
            cut[i] = (double) wanted[i] / fit;
        }
    }

    /**
     * The price of each size, in devices.
     *
     * @param device size of a device
     * @param size distinct sizes, each from 1 to {@code device}
     * @param wanted pieces wanted of each size, 1 and up
     */
    static double[] prices(int device, int[] size, long[] wanted) {
        CuttingStock stock = new CuttingStock(device, size, wanted);
        for (int round = 0; round < MOST_ROUNDS; round++) {
            stock.priceAll();
            if (!stock.findPattern()) {
                break;
            }
            stock.use(stock.pattern());
        }
        return stock.price;
    }

    private void priceAll() {
        Arrays.fill(price, 0);
        for (double[] row : inverse) {
            for (int i = 0; i < sizes; i++) {
                price[i] += row[i];
            }
        }
    }

    /** Looks for a pattern that is worth more than the device it takes: an unbounded knapsack. */
    private boolean findPattern() {
        for (int room = 1; room <= device; room++) {
            best[room] = best[room - 1];
            chosen[room] = -1;
            for (int i = 0; i < sizes; i++) {
                if (size[i] <= room && best[room - size[i]] + price[i] > best[room] + EPSILON) {
                    best[room] = best[room - size[i]] + price[i];
                    chosen[room] = i;
                }
            }
        }
        return best[device] > 1 + EPSILON;
    }

    private int[] pattern() {
        int[] pieces = new int[sizes];
        for (int room = device; room > 0; ) {
            if (chosen[room] < 0) {
                room--;
            } else {
                pieces[chosen[room]]++;
                room -= size[chosen[room]];
            }
        }
        return pieces;
    }

    /** Takes the pattern into the basis; the pattern that runs out first leaves it. */
    private void use(int[] pattern) {
        double[] entering = new double[sizes];
        int leaving = -1;
        for (int i = 0; i < sizes; i++) {
            for (int j = 0; j < sizes; j++) {
                entering[i] += inverse[i][j] * pattern[j];
            }
            if (entering[i] > EPSILON
                    && (leaving < 0 || cut[i] / entering[i] < cut[leaving] / entering[leaving] - EPSILON)) {
                leaving = i;
            }
        }
        pivot(entering, leaving);
    }

    private void pivot(double[] entering, int leaving) {
        double amount = cut[leaving] / entering[leaving];
        for (int j = 0; j < sizes; j++) {
            inverse[leaving][j] /= entering[leaving];
        }
        for (int i = 0; i < sizes; i++) {
            if (i != leaving) {
                cut[i] -= amount * entering[i];
                for (int j = 0; j < sizes; j++) {
                    inverse[i][j] -= entering[i] * inverse[leaving][j];
                }
            }
        }
        cut[leaving] = amount;
    }
}
