package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.model.PodSet;
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

    /** Rounds of flavor numbers; empty when no node of the fleet can serve the set. */
    static int[][] rounds(Layout layout, PodSet set) {
        boolean needsDevices = set.gpus().devices() > 0;
        List<int[]> rounds = new ArrayList<>();
        for (String name : set.flavors()) {
            int flavor = layout.flavorOf(name);
            if (flavor >= 0 && (!needsDevices || layout.mostDevicesOf[flavor] > 0)) {
                rounds.add(new int[] {flavor});
            }
        }
        if (set.flavors().isEmpty()) {
            add(rounds, needsDevices ? new int[0] : all(layout, false));
            add(rounds, all(layout, true));
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
        int[] serving = Arrays.stream(flavors)
                .filter(f -> layout.flavorLo[f] < layout.flavorLo[f + 1])
                .filter(f -> shape.devices() == 0 || layout.mostDevicesOf[f] > 0)
                .toArray();
        return serving.length == 0 ? new int[0][] : new int[][] {serving};
    }

    private static void add(List<int[]> rounds, int[] flavors) {
        if (flavors.length > 0) {
            rounds.add(flavors);
        }
    }

    private static int[] all(Layout layout, boolean withDevices) {
        int[] found = new int[layout.flavors()];
        int count = 0;
        for (int f = 0; f < layout.flavors(); f++) {
            boolean hasNodes = layout.flavorLo[f] < layout.flavorLo[f + 1];
            if (hasNodes && layout.mostDevicesOf[f] > 0 == withDevices) {
                found[count++] = f;
            }
        }
        return Arrays.copyOf(found, count);
    }
}
