package dev.tutti.allocator.policy;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.PodShape;

/**
 * The fullest node that holds the pod, by CPU and GPU alike, measured against the fleet's largest node in hundred steps; a
 * share gets the device with least left. The best fit of Weng et al., "Beware of Fragmentation", USENIX ATC 2023.
 */
public final class BestFit implements Policy {

    @Override
    public String name() {
        return "best-fit";
    }

    @Override
    public Costs over(Board board, Mix mix) {
        return new Fullness(board, 1);
    }

    /** How much would be left on the node, in hundredths. */
    static final class Fullness implements Costs {
        private static final long STEPS = 100;

        private final Board board;
        private final Layout layout;
        private final int sign;
        private final long mostCpu;
        private final long mostMilli;

        /** @param sign 1 to seek full nodes and devices, -1 to seek empty ones */
        Fullness(Board board, int sign) {
            this.board = board;
            this.layout = board.layout();
            this.sign = sign;
            this.mostCpu = layout.mostCpuMilli;
            this.mostMilli = Math.max(1, layout.mostDevices) * (long) Board.WHOLE;
        }

        @Override
        public void refresh(int p) {
            // Nothing is kept.
        }

        @Override
        public long of(int p, PodShape shape) {
            if (shape.isPart() && device(p, shape) < 0) {
                return NO_ROOM;
            }
            long cpuLeft = board.cpu(p) - shape.cpuMilli();
            long milliLeft = board.milli(p) - shape.gpuMilli();
            return sign * -Math.floorDiv(-STEPS / 2 * (cpuLeft * mostMilli + milliLeft * mostCpu), mostCpu * mostMilli);
        }

        @Override
        public int device(int p, PodShape shape) {
            if (shape.isMig()) {
                return sign > 0 ? Cutting.device(board, p, shape) : Cutting.emptiest(board, p, shape);
            }
            int best = -1;
            for (int d = layout.deviceLo[p]; d < layout.deviceLo[p + 1]; d++) {
                boolean holds = board.free(d) >= shape.milli();
                if (holds && (best < 0 || sign * board.free(d) < sign * board.free(best))) {
                    best = d;
                }
            }
            return best;
        }
    }
}
