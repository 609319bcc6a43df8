package dev.tutti.model.queue;

import dev.tutti.model.job.Lane;

/** How much of one resource the jobs of each lane hold, in the resource's unit. */
public record Use(long green, long yellow, long red) {

    public static final Use NONE = new Use(0, 0, 0);

    /** What counts against quota: red jobs run on what is idle and stand outside. */
    public long counted() {
        return green + yellow;
    }

    public long total() {
        return green + yellow + red;
    }

    /** This and {@code amount} more (or less, below 0) in {@code lane}. */
    public Use plus(Lane lane, long amount) {
        return switch (lane) {
            case GREEN -> new Use(green + amount, yellow, red);
            case YELLOW -> new Use(green, yellow + amount, red);
            case RED -> new Use(green, yellow, red + amount);
        };
    }
}
