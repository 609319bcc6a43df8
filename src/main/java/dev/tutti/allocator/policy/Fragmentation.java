package dev.tutti.allocator.policy;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.PodShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The steepest descent of fragmentation (FGD) of Weng et al., "Beware of Fragmentation", USENIX ATC 2023: the node, and
 * for a share the device, whose free GPUs lose least use for the kinds of pods that make up most of the mix. Scores are
 * whole numbers from 0 to 100, as published; it is kept for comparison, {@link ShadowPrice} leaves fewer GPUs idle.
 */
public final class Fragmentation implements Policy {

    /** Kinds are counted, most frequent first, until they cover this part of the pods. */
    private static final int COVERED_PERCENT = 95;

    @Override
    public String name() {
        return "fragmentation";
    }

    @Override
    public Costs over(Board board, Mix mix) {
        return new Descent(board, Target.of(board.layout(), mix));
    }

    /**
     * Idle milli-GPU of the whole board that the average pod of the mix cannot use: the paper's fragmentation measure.
     */
    public static double unusableMilli(Board board, Mix mix) {
        Descent descent = new Descent(board, Target.of(board.layout(), mix));
        double sum = 0;
        for (int p = 0; p < board.layout().nodes(); p++) {
            sum += descent.fragmentAfter(p, 0);
        }
        return sum;
    }

    /** The kinds that count, as arrays; {@code serves} by kind and flavor. */
    private record Target(PodShape[] shape, double[] part, boolean[][] serves) {

        private static final Comparator<Mix.Ask> MOST_FREQUENT = Comparator.comparingInt(Mix.Ask::pods)
                .thenComparingLong(ask -> ask.shape().cpuMilli())
                .thenComparingInt(ask -> ask.shape().milli())
                .thenComparingInt(ask -> ask.shape().devices())
                .reversed();

        static Target of(Layout layout, Mix mix) {
            List<Mix.Ask> asks = withoutMemory(mix);
            long total = asks.stream().mapToLong(Mix.Ask::pods).sum();
            List<Mix.Ask> kept = new ArrayList<>();
            long covered = 0;
            for (Mix.Ask ask : asks) {
                if (covered * 100 < total * COVERED_PERCENT) {
                    kept.add(ask);
                    covered += ask.pods();
                }
            }
            double all = covered;
            return new Target(
                    kept.stream().map(Mix.Ask::shape).toArray(PodShape[]::new),
                    kept.stream().mapToDouble(ask -> ask.pods() / all).toArray(),
                    kept.stream().map(ask -> serves(layout, ask)).toArray(boolean[][]::new));
        }

        /** Memory plays no part: kinds that differ in nothing else are one. */
        private static List<Mix.Ask> withoutMemory(Mix mix) {
            Map<Mix.Ask, Integer> pods = new LinkedHashMap<>();
            for (Mix.Ask ask : mix.asks()) {
                PodShape shape = ask.shape();
                PodShape bare = new PodShape(shape.devices(), shape.milli(), shape.cpuMilli(), 0);
                pods.merge(new Mix.Ask(bare, ask.flavors(), 1), ask.pods(), Integer::sum);
            }
            return pods.entrySet().stream()
                    .map(kind ->
                            new Mix.Ask(kind.getKey().shape(), kind.getKey().flavors(), kind.getValue()))
                    .sorted(MOST_FREQUENT)
                    .toList();
        }

        private static boolean[] serves(Layout layout, Mix.Ask ask) {
            boolean[] serves = new boolean[layout.flavors()];
            for (int f = 0; f < serves.length; f++) {
                serves[f] = ask.flavors().isEmpty() || ask.flavors().contains(layout.flavorName(f));
            }
            return serves;
        }
    }

    private static final class Descent implements Costs {
        private static final int BEST = 100;

        private final Board board;
        private final Layout layout;
        private final Target target;
        private final double[] before;
        private final int[] left;
        private int bestScore;

        Descent(Board board, Target target) {
            this.board = board;
            this.layout = board.layout();
            this.target = target;
            this.before = new double[layout.nodes()];
            this.left = new int[layout.mostDevices];
        }

        @Override
        public void refresh(int p) {
            before[p] = fragmentAfter(p, 0);
        }

        @Override
        public long of(int p, PodShape shape) {
            if (shape.isMig()) {
                int cut = device(p, shape);
                return cut < 0 ? NO_ROOM : Cutting.loss(board, cut, shape);
            }
            if (shape.isShare()) {
                return device(p, shape) < 0 ? NO_ROOM : BEST - bestScore;
            }
            copyLeft(p);
            int wanted = shape.devices();
            for (int i = 0; i < layout.devicesOf(p) && wanted > 0; i++) {
                if (left[i] == Board.WHOLE) {
                    left[i] = 0;
                    wanted--;
                }
            }
            return BEST - score(before[p] - fragment(p, shape.cpuMilli()));
        }

        @Override
        public int device(int p, PodShape shape) {
            if (shape.isMig()) {
                return Cutting.device(board, p, shape);
            }
            int best = -1;
            bestScore = -1;
            int lo = layout.deviceLo[p];
            copyLeft(p);
            for (int i = 0; i < layout.devicesOf(p); i++) {
                if (left[i] >= shape.milli() && !isLikeOneBefore(i)) {
                    left[i] -= shape.milli();
                    int score = score(before[p] - fragment(p, shape.cpuMilli()));
                    left[i] += shape.milli();
                    if (score > bestScore) {
                        best = lo + i;
                        bestScore = score;
                    }
                }
            }
            return best;
        }

        private boolean isLikeOneBefore(int device) {
            for (int i = 0; i < device; i++) {
                if (left[i] == left[device]) {
                    return true;
                }
            }
            return false;
        }

        private double fragmentAfter(int p, long cpuMilli) {
            copyLeft(p);
            return fragment(p, cpuMilli);
        }

        private void copyLeft(int p) {
            int lo = layout.deviceLo[p];
            for (int d = lo; d < layout.deviceLo[p + 1]; d++) {
                left[d - lo] = board.free(d);
            }
        }

        /** Milli-GPU in {@code left} that the average pod of the mix cannot use. */
        private double fragment(int p, long cpuMilli) {
            int devices = layout.devicesOf(p);
            long total = 0;
            for (int i = 0; i < devices; i++) {
                total += left[i];
            }
            double sum = 0;
            long cpuLeft = board.cpu(p) - cpuMilli;
            for (int kind = 0; kind < target.shape.length && total > 0; kind++) {
                sum += target.part[kind] * unusable(kind, layout.flavor[p], devices, cpuLeft, total);
            }
            return sum;
        }

        private long unusable(int kind, int flavor, int devices, long cpuLeft, long total) {
            PodShape shape = target.shape[kind];
            if (shape.devices() == 0 || !target.serves[kind][flavor] || cpuLeft < shape.cpuMilli()) {
                return total;
            }
            int fits = 0;
            long tooSmall = 0;
            for (int i = 0; i < devices; i++) {
                if (left[i] >= shape.milli()) {
                    fits++;
                } else {
                    tooSmall += left[i];
                }
            }
            return fits < shape.devices() ? total : tooSmall;
        }

        private static int score(double descentMilli) {
            return (int) (BEST / (1 + StrictMath.exp(-descentMilli / Board.WHOLE)));
        }
    }
}
