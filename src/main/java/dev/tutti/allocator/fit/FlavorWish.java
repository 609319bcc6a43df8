package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.PodShape;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The flavors a pod set may run on, as rounds: all flavors of a round are equally welcome, an earlier round is preferred
 * to a later one. Named flavors are one round each, in order of wish. Where none is named any will do: one round with all
 * of them by name; for a CPU-only set first the flavors without GPUs, then the others.
 *
 * <p>Only flavors with a node that holds one pod when it is empty. Where there is none the pod is larger than every node, and
 * all flavors count that have what it asks for at all: of those it can be said what is too small.
 */
final class FlavorWish {

    private FlavorWish() {}

    /** Rounds of flavor numbers; empty when no node of the fleet has what the pod asks for. */
    static int[][] rounds(Layout layout, PodShape shape, List<String> names) {
        int[] flavors = serving(layout, shape, names);
        return names.isEmpty()
                ? rounds(of(flavors, f -> layout.mostDevicesOf[f] == 0), of(flavors, f -> layout.mostDevicesOf[f] > 0))
                : rounds(Arrays.stream(flavors).mapToObj(f -> new int[] {f}).toArray(int[][]::new));
    }

    /** One round of all these flavors, or of all there are; empty when no node of the fleet has what the pod asks for. */
    static int[][] anyOf(Layout layout, PodShape shape, List<String> names) {
        return rounds(
                Arrays.stream(serving(layout, shape, names)).sorted().distinct().toArray());
    }

    private static int[][] rounds(int[]... rounds) {
        return Arrays.stream(rounds).filter(round -> round.length > 0).toArray(int[][]::new);
    }

    private static int[] of(int[] flavors, IntPredicate some) {
        return Arrays.stream(flavors).filter(some).toArray();
    }

    /** Of these flavors, in their order, or of all. */
    private static int[] serving(Layout layout, PodShape shape, List<String> names) {
        IntStream all = names.isEmpty()
                ? IntStream.range(0, layout.flavors())
                : names.stream().mapToInt(layout::flavorOf).filter(f -> f >= 0);
        int[] asked = all.toArray();
        int[] holding = of(asked, f -> layout.canHold(f, shape));
        return holding.length > 0 ? holding : of(asked, f -> serves(layout, f, shape));
    }

    /** Whether some node of the flavor is one the pod may use, with a device if it needs any, that can be cut if it must. */
    private static boolean serves(Layout layout, int flavor, PodShape shape) {
        if (shape.devices() > 0 && layout.mostDevicesOf[flavor] == 0
                || shape.isMig() && !layout.canCut(flavor, shape)) {
            return false;
        }
        int end = layout.flavorLo[flavor + 1];
        for (int p = shape.nodes().next(layout.flavorLo[flavor]);
                p < end;
                p = shape.nodes().next(p + 1)) {
            if (shape.devices() == 0 || layout.devicesOf(p) > 0) {
                return true;
            }
        }
        return false;
    }
}
