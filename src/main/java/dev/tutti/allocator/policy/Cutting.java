package dev.tutti.allocator.policy;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.MigTable;
import dev.tutti.allocator.board.PodShape;

/**
 * Which GPU of a node a MIG instance should be cut out of: the one that loses least worth. One that is cut already never
 * loses more than half a GPU, a whole one never less.
 */
final class Cutting {

    private Cutting() {}

    /** The GPU that loses least worth; of equals the first; -1 when none has a position for the instance. */
    static int device(Board board, int p, PodShape shape) {
        int best = -1;
        int least = Integer.MAX_VALUE;
        for (int d = board.layout().deviceLo[p]; d < board.layout().deviceLo[p + 1]; d++) {
            if (board.instances(d, shape.mig()) > 0 && loss(board, d, shape) < least) {
                best = d;
                least = loss(board, d, shape);
            }
        }
        return best;
    }

    /** The GPU with most left; of equals the first; -1 when none has a position for the instance. */
    static int emptiest(Board board, int p, PodShape shape) {
        int best = -1;
        for (int d = board.layout().deviceLo[p]; d < board.layout().deviceLo[p + 1]; d++) {
            boolean holds = board.instances(d, shape.mig()) > 0;
            if (holds && (best < 0 || board.left(d) > board.left(best))) {
                best = d;
            }
        }
        return best;
    }

    /** Worth that the GPU loses, in milli-devices from 0 to 1000; it must hold the instance. */
    static int loss(Board board, int device, PodShape shape) {
        MigTable table = MigTable.of(board.layout().mig[device]);
        int units = board.units(device);
        int after = units | table.bits(shape.mig(), table.bestStart(shape.mig(), units));
        return (units == 0 ? Board.WHOLE : table.worth(units)) - table.worth(after);
    }

    /** What a GPU that is cut is worth, in milli-devices. */
    static int worth(Board board, int device) {
        int layout = board.layout().mig[device];
        return layout < 0 || board.left(device) == 0 ? 0 : MigTable.of(layout).worth(board.units(device));
    }
}
