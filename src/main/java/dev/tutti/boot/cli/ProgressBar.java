package dev.tutti.boot.cli;

import java.io.PrintStream;

/** One line on a terminal that grows with the work; where the output is a file, a line every tenth part. */
public final class ProgressBar {

    private static final int WIDTH = 30;

    private final PrintStream out;
    private final long total;
    private final boolean terminal;
    private int lastTenth = -1;

    /** @param total units of work in all, at least 1 */
    public ProgressBar(PrintStream out, long total) {
        this(out, total, System.console() != null);
    }

    ProgressBar(PrintStream out, long total, boolean terminal) {
        this.out = out;
        this.total = Math.max(1, total);
        this.terminal = terminal;
    }

    /** Shows that {@code done} units are done, and a short remark. */
    public void show(long done, String remark) {
        int tenth = (int) (10 * done / total);
        if (terminal) {
            out.print("\r" + line(done, remark) + "\u001b[K");
            out.flush();
        } else if (tenth != lastTenth) {
            out.println(line(done, remark));
        }
        lastTenth = tenth;
    }

    public void finish() {
        if (terminal) {
            out.println();
        }
    }

    private String line(long done, String remark) {
        int full = (int) (WIDTH * Math.min(done, total) / total);
        return "[" + "#".repeat(full) + ".".repeat(WIDTH - full) + "] " + 100 * done / total + " %  " + done + "/"
                + total + "  " + remark;
    }
}
