package dev.tutti.boot.cli.chart;

import dev.tutti.simulator.experiment.Figure;
import java.util.Locale;

/** Numbers as text, the same wherever the program runs. */
public final class Text {

    private Text() {}

    public static String of(double number, int decimals) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", number);
    }

    /** Mean and standard deviation; a single run has no deviation. */
    public static String of(Figure figure, int decimals) {
        String mean = of(figure.mean(), decimals);
        return Double.isNaN(figure.deviation()) ? mean : mean + " ±" + of(figure.deviation(), decimals);
    }

    public static String mean(Figure figure, int decimals) {
        return of(figure.mean(), decimals);
    }
}
