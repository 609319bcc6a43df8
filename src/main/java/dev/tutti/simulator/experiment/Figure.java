package dev.tutti.simulator.experiment;

import java.util.Arrays;

/**
 * One measure over several runs.
 *
 * @param mean the mean
 * @param deviation the standard deviation of the runs; NaN for a single run
 */
public record Figure(double mean, double deviation) {

    /** @param values one for each run, at least one */
    public static Figure of(double... values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return new Figure(mean, values.length == 1 ? Double.NaN : Math.sqrt(squares / (values.length - 1)));
    }
}
