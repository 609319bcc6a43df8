package dev.tutti.simulator.experiment;

/**
 * How much was allocated when so much had arrived: the mean over all arrivals of each whole percent, as the published
 * experiment counts it.
 */
public final class Curve {

    private final long capacityMilli;
    private final int[] events;
    private final double[] sum;

    Curve(long capacityMilli, int lastPercent) {
        this.capacityMilli = capacityMilli;
        events = new int[lastPercent + 1];
        sum = new double[lastPercent + 1];
    }

    /** Notes one arrival; returns the percent it counts for. */
    int add(long arrivedMilli, long allocatedMilli) {
        int percent = Math.min(events.length - 1, (int) ((200 * arrivedMilli + capacityMilli) / (2 * capacityMilli)));
        events[percent]++;
        sum[percent] += 100.0 * allocatedMilli / capacityMilli;
        return percent;
    }

    public int lastPercent() {
        return events.length - 1;
    }

    /** Percent of the capacity allocated when {@code percent} of it had arrived; NaN when no arrival counts for it. */
    public double at(int percent) {
        return sum[percent] / events[percent];
    }
}
