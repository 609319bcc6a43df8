package dev.tutti.allocator.board;

import java.util.Arrays;
import java.util.List;

/**
 * Pods at their places, on any board of one layout: what a running job holds, or what one will hold that starts later. Never
 * changes.
 */
public final class Place {

    private final List<Pod> pods;

    public Place(List<Pod> pods) {
        this.pods = List.copyOf(pods);
    }

    /**
     * One pod.
     *
     * @param position position of its node
     * @param shape what it takes
     * @param devices its devices, in the numbers of the layout
     * @param start first memory unit of its MIG instance
     * @param nics for each of its NICs the group, in the numbers of the layout
     */
    public record Pod(int position, PodShape shape, int[] devices, int start, int[] nics) {

        long gpuMilli(Layout layout) {
            return shape.isMig() ? MigTable.of(layout.mig[devices[0]]).milli(shape.mig()) : shape.gpuMilli();
        }
    }

    /** What pods take on one node, for whoever counts it. */
    public interface Counter {
        void count(int position, long gpuMilli, long cpuMilli, long memoryMib);
    }

    /** Whether no pod is placed. */
    public boolean isEmpty() {
        return pods.isEmpty();
    }

    List<Pod> pods() {
        return pods;
    }

    /** Positions of its nodes, ascending. */
    public int[] nodes() {
        return pods.stream().mapToInt(Pod::position).sorted().distinct().toArray();
    }

    /** Tells what each pod takes. */
    public void count(Layout layout, Counter counter) {
        for (Pod pod : pods) {
            counter.count(pod.position, pod.gpuMilli(layout), pod.shape.cpuMilli(), pod.shape.memoryMib());
        }
    }

    /** Takes all of it, whether or not it is free. */
    public void take(Board board) {
        pods.forEach(pod -> take(board, pod));
    }

    /** Gives all of it back. */
    public void give(Board board) {
        pods.forEach(pod -> give(board, pod));
    }

    /** Takes all of it if all of it is free, else nothing. */
    public boolean takeIfFree(Board board) {
        for (int i = 0; i < pods.size(); i++) {
            if (!isFree(board, pods.get(i))) {
                pods.subList(0, i).forEach(pod -> give(board, pod));
                return false;
            }
            take(board, pods.get(i));
        }
        return true;
    }

    private static boolean isFree(Board board, Pod pod) {
        return board.hosts(pod.position, pod.shape)
                && Arrays.stream(pod.devices).allMatch(d -> isFree(board, pod, d))
                && Arrays.stream(pod.nics)
                        .allMatch(group -> Arrays.stream(pod.nics)
                                        .filter(other -> other == group)
                                        .count()
                                <= board.nics(group));
    }

    private static boolean isFree(Board board, Pod pod, int device) {
        return pod.shape.isMig()
                ? board.left(device) > 0
                        && MigTable.of(board.layout.mig[device]).fits(pod.shape.mig(), board.units(device), pod.start)
                : board.free(device) >= pod.shape.milli();
    }

    private static void take(Board board, Pod pod) {
        board.takeNics(pod.nics, 0, pod.nics.length);
        if (pod.shape.isMig()) {
            board.cut(pod.position, pod.shape, pod.devices[0], pod.start);
        } else {
            board.take(pod.position, pod.shape, pod.devices, 0, pod.devices.length);
        }
    }

    private static void give(Board board, Pod pod) {
        board.giveNics(pod.nics, 0, pod.nics.length);
        if (pod.shape.isMig()) {
            board.join(pod.position, pod.shape, pod.devices[0], pod.start);
        } else {
            board.give(pod.position, pod.shape, pod.devices, 0, pod.devices.length);
        }
    }
}
