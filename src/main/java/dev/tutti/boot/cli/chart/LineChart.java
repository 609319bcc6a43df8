package dev.tutti.boot.cli.chart;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Lines over two axes as an SVG picture of its own. Lines are told apart by marks and by labels at their ends, not by
 * colour alone; where the reader prefers dark pages, so is the picture.
 */
public final class LineChart {

    private static final int WIDTH = 1000;
    private static final int HEIGHT = 560;
    private static final int LEFT = 64;
    private static final int RIGHT = 250;
    private static final int TOP = 48;
    private static final int BOTTOM = 56;
    private static final int LABEL_GAP = 17;
    private static final int MARKS = 6;

    private final String title;
    private final Axis x;
    private final Axis y;
    private final List<Line> lines;
    private final StringBuilder svg = new StringBuilder();

    private LineChart(String title, Axis x, Axis y, List<Line> lines) {
        this.title = title;
        this.x = x;
        this.y = y;
        this.lines = lines;
    }

    /** Draws the lines; what lies outside the axes is cut off. */
    public static String svg(String title, Axis x, Axis y, List<Line> lines) {
        return new LineChart(title, x, y, lines).draw();
    }

    private String draw() {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
                WIDTH, HEIGHT, escaped(title));
        add("<title>%s</title>", escaped(title));
        add("<style>%s</style>", ChartStyle.CSS);
        add(
                "<clipPath id=\"plot\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/></clipPath>",
                LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        add("<rect class=\"paper\" width=\"%d\" height=\"%d\" rx=\"8\"/>", WIDTH, HEIGHT);
        text("title", LEFT, 28, "start", title);
        drawAxes();
        lines.forEach(this::drawLine);
        drawLabels();
        add("</svg>");
        return svg.toString();
    }

    private void drawAxes() {
        int right = WIDTH - RIGHT;
        int bottom = HEIGHT - BOTTOM;
        for (double tick : x.ticks()) {
            add("<path class=\"grid\" d=\"M%s %dV%d\"/>", n(xOf(tick)), TOP, bottom);
            text("tick", xOf(tick), bottom + 18, "middle", number(tick));
        }
        for (double tick : y.ticks()) {
            add("<path class=\"grid\" d=\"M%d %sH%d\"/>", LEFT, n(yOf(tick)), right);
            text("tick", LEFT - 8, yOf(tick) + 4, "end", number(tick));
        }
        text("axis", (LEFT + right) / 2.0, HEIGHT - 14, "middle", x.title());
        add(
                "<text class=\"axis\" text-anchor=\"middle\" transform=\"translate(18 %d) rotate(-90)\">%s</text>",
                (TOP + bottom) / 2, escaped(y.title()));
    }

    private void drawLine(Line line) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < line.x().length; i++) {
            path.append(i == 0 ? "M" : "L")
                    .append(n(xOf(line.x()[i])))
                    .append(' ')
                    .append(n(yOf(line.y()[i])));
        }
        add("<g clip-path=\"url(#plot)\"><path class=\"line %s\" d=\"%s\"/></g>", kind(line), path);
        int step = Math.max(1, line.x().length / MARKS);
        for (int i = line.x().length - 1; i >= 0 && !line.isDashed(); i -= step) {
            if (x.part(line.x()[i]) >= 0 && y.part(line.y()[i]) >= 0) {
                mark(line, xOf(line.x()[i]), yOf(line.y()[i]));
            }
        }
    }

    private void mark(Line line, double atX, double atY) {
        add(
                "<path class=\"mark %s\" transform=\"translate(%s %s)\" d=\"%s\"/>",
                kind(line), n(atX), n(atY), ChartStyle.mark(line.look()));
    }

    /** Labels stand in the order of the line ends, as far apart as text needs. */
    private void drawLabels() {
        List<Line> ordered = new ArrayList<>(lines);
        ordered.sort(Comparator.comparingDouble(this::endOf));
        double[] at = ordered.stream().mapToDouble(this::endOf).toArray();
        IntStream.range(1, at.length).forEach(i -> at[i] = Math.max(at[i], at[i - 1] + LABEL_GAP));
        double limit = HEIGHT - BOTTOM;
        for (int i = at.length - 1; i >= 0; i--) {
            at[i] = Math.min(at[i], limit);
            limit = at[i] - LABEL_GAP;
        }
        for (int i = 0; i < at.length; i++) {
            Line line = ordered.get(i);
            double end = xOf(line.x()[line.x().length - 1]);
            add(
                    "<path class=\"lead %s\" d=\"M%s %sL%s %s\"/>",
                    kind(line), n(end + 6), n(endOf(line)), n(WIDTH - RIGHT + 26.0), n(at[i]));
            text(line.isDashed() ? "label theirs" : "label", WIDTH - RIGHT + 32.0, at[i] + 4, "start", line.label());
        }
    }

    private double endOf(Line line) {
        return yOf(line.y()[line.y().length - 1]);
    }

    private double xOf(double value) {
        return LEFT + x.part(value) * (WIDTH - LEFT - RIGHT);
    }

    private double yOf(double value) {
        return HEIGHT - BOTTOM - y.part(value) * (HEIGHT - TOP - BOTTOM);
    }

    private static String kind(Line line) {
        return (line.look() < 0 ? "other" : "look" + line.look() % ChartStyle.LOOKS)
                + (line.isDashed() ? " dashed" : "");
    }

    private void text(String kind, double atX, double atY, String anchor, String text) {
        add(
                "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>",
                kind, n(atX), n(atY), anchor, escaped(text));
    }

    private void add(String format, Object... values) {
        svg.append(String.format(format, values)).append('\n');
    }

    private static String n(double number) {
        return Text.of(number, 1).replace(",", "");
    }

    private static String number(double tick) {
        return tick == Math.rint(tick) ? Text.of(tick, 0) : Text.of(tick, 3).replaceFirst("0+$", "");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
