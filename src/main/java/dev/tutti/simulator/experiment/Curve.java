package dev.tutti.simulator.experiment;

/**
 * How much was allocated when so much had arrived: the mean over all arrivals of each whole percent, as the published
 * experiment counts it.
 */
public final class Curve {

    private final long capacityMilli;
    private final int[] arrivals;
    private final double[] sum;

    Curve(long capacityMilli, int lastPercent) {
        this.capacityMilli = capacityMilli;
        arrivals = new int[lastPercent + 1];
        sum = new double[lastPercent + 1];
    }

    /** Notes one arrival. */
    void add(long arrivedMilli, long allocatedMilli) {
        int percent = Math.min(lastPercent(), (int) ((200 * arrivedMilli + capacityMilli) / (2 * capacityMilli)));
        arrivals[percent]++;
        sum[percent] += 100.0 * allocatedMilli / capacityMilli;
    }

    public int lastPercent() {
        return arrivals.length - 1;
    }

    /**
     * Percent of the capacity allocated when {@code percent} of it had arrived. Where one large pod skips a percent, what
     * was there before it still holds.
     *
     * @param percent 0 to {@link #lastPercent()}
     */
    public double at(int percent) {
        int noted = percent;
        while (noted > 0 && arrivals[noted] == 0) {
            noted--;
        }
        return arrivals[noted] == 0 ? 0 : sum[noted] / arrivals[noted];
    }
}
