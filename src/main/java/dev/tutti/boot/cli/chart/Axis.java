package dev.tutti.boot.cli.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * One axis of a drawing.
 *
 * @param title what it shows, with its unit
 * @param from value at its begin
 * @param to value at its end, above {@code from}
 * @param isLogarithmic whether equal distances are equal ratios; {@code from} is then above 0
 */
public record Axis(String title, double from, double to, boolean isLogarithmic) {

    private static final int MOST_TICKS = 12;
    private static final double[] STEPS = {1, 2, 5};

    /** Where a value stands between begin (0) and end (1). */
    double part(double value) {
        return isLogarithmic ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
    }

    /** Round values to write at the axis. */
    List<Double> ticks() {
        return isLogarithmic ? powers() : steps();
    }

    private List<Double> powers() {
        List<Double> ticks = new ArrayList<>();
        for (double tick = Math.pow(10, Math.ceil(Math.log10(from) - 1e-9)); tick <= to * 1.000001; tick *= 10) {
            ticks.add(tick);
        }
        return ticks;
    }

    private List<Double> steps() {
        double step = step();
        List<Double> ticks = new ArrayList<>();
        for (double i = Math.ceil(from / step - 1e-9); i * step <= to + 1e-9; i++) {
            ticks.add(i * step);
        }
        return ticks;
    }

    private double step() {
        for (double power = Math.pow(10, Math.floor(Math.log10(to - from)) - 1); ; power *= 10) {
            for (double step : STEPS) {
                if ((to - from) / (step * power) <= MOST_TICKS) {
                    return step * power;
                }
            }
        }
    }
}
