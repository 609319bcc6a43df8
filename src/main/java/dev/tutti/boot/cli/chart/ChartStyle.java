package dev.tutti.boot.cli.chart;

import java.util.List;

/** Colours and marks of drawings: the colours of Okabe and Ito, told apart by most eyes, on light and on dark paper. */
final class ChartStyle {

    private static final List<String> ON_LIGHT = List.of("#0072b2", "#b35900", "#00795a", "#a3487f", "#5e5e5e");
    private static final List<String> ON_DARK = List.of("#56b4e9", "#e69f00", "#35c79b", "#e08fc0", "#b0b0b0");

    /** Circle, square, triangle, diamond, cross. */
    private static final List<String> MARKS = List.of(
            "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
            "M-4 -4H4V4H-4z",
            "M0 -5L5 4H-5z",
            "M0 -6L5 0L0 6L-5 0z",
            "M-4 -4L4 4M4 -4L-4 4");

    static final int LOOKS = MARKS.size();

    static final String CSS = css();

    private ChartStyle() {}

    /** The mark of a line as path data around 0, 0. */
    static String mark(int look) {
        return MARKS.get(Math.max(0, look) % LOOKS);
    }

    private static String css() {
        return "text{font:13px system-ui,sans-serif;fill:#1f2328}.title{font-size:16px;font-weight:600}"
                + ".tick{font-size:12px;fill:#59636e}.axis{fill:#59636e}.theirs{fill:#59636e}"
                + ".paper{fill:#fff}.grid{stroke:#d1d9e0;stroke-width:1;fill:none}"
                + ".line{fill:none;stroke-width:2.2;stroke-linejoin:round}.look0.line{stroke-width:3.2}"
                + ".line.dashed{stroke-width:1.6;stroke-dasharray:5 4}.mark{stroke-width:1.8}"
                + ".lead{fill:none;stroke-width:1;opacity:.6}.other{stroke:#8c959f}"
                + looks(ON_LIGHT)
                + "@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.tick,.axis,.theirs{fill:#9198a1}"
                + ".paper{fill:#0d1117}.grid{stroke:#2f353d}.other{stroke:#6e7681}"
                + looks(ON_DARK) + "}";
    }

    private static String looks(List<String> colours) {
        StringBuilder css = new StringBuilder();
        for (int look = 0; look < colours.size(); look++) {
            css.append(".look%d{stroke:%s}.mark.look%d{fill:%s}"
                    .formatted(look, colours.get(look), look, colours.get(look)));
        }
        return css.toString();
    }
}
