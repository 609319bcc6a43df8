package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.PodShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The flavors a pod set may run on, as rounds: all flavors of a round are equally welcome, an earlier round is preferred
 * to a later one. Named flavors are one round each, in order of wish. Where none is named any will do: one round with all
 * of them by name; for a CPU-only set first the flavors without GPUs, then the others.
 */
final class FlavorWish {

    private FlavorWish() {}

    /** Rounds of flavor numbers; empty when no node of the fleet can serve the pod. */
    static int[][] rounds(Layout layout, PodShape shape, List<String> names) {
        List<int[]> rounds = new ArrayList<>();
        for (String name : names) {
            int flavor = layout.flavorOf(name);
            if (flavor >= 0 && serves(layout, flavor, shape)) {
                rounds.add(new int[] {flavor});
            }
        }
        if (names.isEmpty()) {
            add(rounds, all(layout, shape, false));
            add(rounds, all(layout, shape, true));
        }
        return rounds.toArray(int[][]::new);
    }

    /** One round of all these flavors, or of all there are; empty when no node of the fleet can serve the pod. */
    static int[][] anyOf(Layout layout, PodShape shape, List<String> names) {
        int[] flavors = names.isEmpty()
                ? IntStream.range(0, layout.flavors()).toArray()
                : names.stream()
                        .mapToInt(layout::flavorOf)
                        .filter(f -> f >= 0)
                        .sorted()
                        .distinct()
                        .toArray();
        int[] serving =
                Arrays.stream(flavors).filter(f -> serves(layout, f, shape)).toArray();
        return serving.length == 0 ? new int[0][] : new int[][] {serving};
    }

    private static void add(List<int[]> rounds, int[] flavors) {
        if (flavors.length > 0) {
            rounds.add(flavors);
        }
    }

    private static int[] all(Layout layout, PodShape shape, boolean withDevices) {
        return IntStream.range(0, layout.flavors())
                .filter(f -> layout.mostDevicesOf[f] > 0 == withDevices && serves(layout, f, shape))
                .toArray();
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
