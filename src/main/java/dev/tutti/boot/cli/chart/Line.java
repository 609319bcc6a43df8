package dev.tutti.boot.cli.chart;

/**
 * One line of a drawing.
 *
 * @param label what is written at its end
 * @param look number of its colour and mark, 0 and up; -1 for a grey line without marks
 * @param isDashed whether it is dashed and thin: somebody else's figure
 * @param x ascending
 * @param y as many
 */
public record Line(String label, int look, boolean isDashed, double[] x, double[] y) {}
