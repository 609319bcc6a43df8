package dev.tutti.allocator.board;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Capacity that is kept free for a place that will be taken later. Of each thing the place needs it knows how much is left
 * beside it by then: so much may be used now by whoever stays; what is free beyond that is hidden, up to what the place
 * needs. Never changes.
 */
public final class Hold {

    /** Nothing is kept free. */
    public static final Hold NOTHING = new Hold(List.of());

    private final List<Part> parts;

    private Hold(List<Part> parts) {
        this.parts = parts;
    }

    private enum Kind {
        CPU,
        MEMORY,
        PODS,
        DEVICE,
        NIC
    }

    private record Thing(int node, Kind kind, int index) implements Comparable<Thing> {
        @Override
        public int compareTo(Thing other) {
            return Comparator.comparingInt(Thing::node)
                    .thenComparing(Thing::kind)
                    .thenComparingInt(Thing::index)
                    .compare(this, other);
        }
    }

    /** So much of a thing is needed, and so much is left beside that. */
    private record Part(Thing thing, long need, long left) {}

    /** What to keep for the place, which is taken on a board as it will be then. */
    public static Hold of(Board then, Place place) {
        Map<Thing, Long> needs = new TreeMap<>();
        for (Place.Pod pod : place.pods()) {
            int p = pod.position();
            need(needs, new Thing(p, Kind.CPU, p), pod.shape().cpuMilli());
            need(needs, new Thing(p, Kind.MEMORY, p), pod.shape().memoryMib());
            need(needs, new Thing(p, Kind.PODS, p), 1);
            for (int device : pod.devices()) {
                // Instances of MIG stand in each other's way: whoever needs one needs the whole device.
                long milli = pod.shape().isMig() ? Board.WHOLE : pod.shape().milli();
                need(needs, new Thing(p, Kind.DEVICE, device), milli);
            }
            for (int group : pod.nics()) {
                need(needs, new Thing(p, Kind.NIC, group), 1);
            }
        }
        return new Hold(needs.entrySet().stream()
                .map(each -> new Part(each.getKey(), each.getValue(), left(then, each.getKey())))
                .toList());
    }

    private static void need(Map<Thing, Long> needs, Thing thing, long amount) {
        if (amount > 0) {
            needs.merge(thing, amount, Long::sum);
        }
    }

    private static long left(Board then, Thing thing) {
        boolean isCut = thing.kind == Kind.DEVICE && then.units(thing.index) != 0;
        return isCut ? 0 : free(then, thing);
    }

    private static long free(Board board, Thing thing) {
        return switch (thing.kind) {
            case CPU -> board.cpu[thing.index];
            case MEMORY -> board.memory[thing.index];
            case PODS -> board.pods[thing.index];
            case DEVICE -> board.left(thing.index);
            case NIC -> board.nics[thing.index];
        };
    }

    /** Hides what must be kept of what is free on a board. */
    public Hidden hide(Board board) {
        Hidden hidden = new Hidden(board);
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            hidden.most[i] = Math.max(0, Math.min(part.need, free(board, part.thing) - part.left));
        }
        hidden.hide();
        return hidden;
    }

    /** What is hidden on one board. Not safe for use by two threads. */
    public final class Hidden {

        private final Board board;
        private final long[] most = new long[parts.size()];
        private final long[] amounts = new long[parts.size()];

        private Hidden(Board board) {
            this.board = board;
        }

        /** Shows it again. */
        public void lift() {
            change(1);
        }

        /** Hides again as much as there is left of what was hidden before. */
        public void hide() {
            for (int i = 0; i < amounts.length; i++) {
                amounts[i] = Math.max(0, Math.min(most[i], free(board, parts.get(i).thing)));
            }
            change(-1);
        }

        private void change(int sign) {
            long milli = 0;
            for (int i = 0; i < amounts.length; i++) {
                Thing thing = parts.get(i).thing;
                milli += add(thing, sign * amounts[i]);
                if (i + 1 == amounts.length || parts.get(i + 1).thing.node != thing.node) {
                    board.settle(thing.node, milli);
                    milli = 0;
                }
            }
        }

        /** Milli-GPU that this adds to the node. */
        private long add(Thing thing, long amount) {
            switch (thing.kind) {
                case CPU -> board.cpu[thing.index] += amount;
                case MEMORY -> board.memory[thing.index] += amount;
                case PODS -> board.pods[thing.index] += (int) amount;
                case NIC -> board.nics[thing.index] += (int) amount;
                case DEVICE -> {
                    int[] left = board.units[thing.index] == 0 ? board.free : board.uncut;
                    left[thing.index] += (int) amount;
                    return amount;
                }
            }
            return 0;
        }
    }
}
