package dev.tutti.allocator.board;

/** Sets one board to what another one of the same layout says, and touches only the nodes that differ. */
public final class BoardCopy {

    private final Board from;
    private final Board to;
    private final Layout layout;

    public BoardCopy(Board from, Board to) {
        this.from = from;
        this.to = to;
        this.layout = from.layout();
    }

    public void copy() {
        for (int p = 0; p < layout.nodes(); p++) {
            copy(p);
        }
    }

    private void copy(int p) {
        boolean differs = from.open[p] != to.open[p]
                || from.cpu[p] != to.cpu[p]
                || from.memory[p] != to.memory[p]
                || from.pods[p] != to.pods[p];
        to.open[p] = from.open[p];
        to.cpu[p] = from.cpu[p];
        to.memory[p] = from.memory[p];
        to.pods[p] = from.pods[p];
        for (int g = layout.nicLo[p]; g < layout.nicLo[p + 1]; g++) {
            differs |= from.nics[g] != to.nics[g];
            to.nics[g] = from.nics[g];
        }
        int by = 0;
        for (int d = layout.deviceLo[p]; d < layout.deviceLo[p + 1]; d++) {
            differs |= from.free[d] != to.free[d] || from.units[d] != to.units[d] || from.uncut[d] != to.uncut[d];
            by += from.left(d) - to.left(d);
            to.free[d] = from.free[d];
            to.units[d] = from.units[d];
            to.uncut[d] = from.uncut[d];
        }
        if (differs) {
            to.settle(p, by);
        }
    }
}
