package dev.tutti.allocator.board;

import dev.tutti.model.fleet.MigInstance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The pods of one job as they are placed, in order; whatever was placed can be taken back, last first. */
public final class Trail {

    private static final int FIRST_CAPACITY = 16;

    private final Board board;
    private int size;
    private int[] set = new int[FIRST_CAPACITY];
    private int[] node = new int[FIRST_CAPACITY];
    private PodShape[] shape = new PodShape[FIRST_CAPACITY];
    /** Pod {@code i} has the devices from {@code firstDevice[i]} up to but without {@code firstDevice[i + 1]}. */
    private int[] firstDevice = new int[FIRST_CAPACITY + 1];

    private int[] device = new int[FIRST_CAPACITY];
    /** The same for its NICs: one group for each. */
    private int[] firstNic = new int[FIRST_CAPACITY + 1];

    private int[] nic = new int[FIRST_CAPACITY];
    /** First memory unit of the pod's MIG instance. */
    private int[] start = new int[FIRST_CAPACITY];

    private final Pairing pairing;

    public Trail(Board board) {
        this.board = board;
        this.pairing = new Pairing(board);
    }

    public int size() {
        return size;
    }

    public int set(int pod) {
        return set[pod];
    }

    /** Index in the snapshot of the pod's node. */
    public int node(int pod) {
        return board.layout.node[node[pod]];
    }

    /** Position of the pod's node: neighbours in position are neighbours in the network. */
    public int position(int pod) {
        return node[pod];
    }

    /** Indexes in the snapshot of the pod's devices, ascending. */
    public int[] devices(int pod) {
        int[] found = new int[firstDevice[pod + 1] - firstDevice[pod]];
        for (int i = 0; i < found.length; i++) {
            found[i] = board.layout.device[device[firstDevice[pod] + i]];
        }
        Arrays.sort(found);
        return found;
    }

    /** The pod's MIG instance; null when it has none. */
    public @Nullable MigInstance instance(int pod) {
        return shape[pod].isMig()
                ? MigTable.of(board.layout.mig[device[firstDevice[pod]]]).instance(shape[pod].mig(), start[pod])
                : null;
    }

    /** Where all pods are. */
    public Place places() {
        List<Place.Pod> pods = new ArrayList<>(size);
        for (int pod = 0; pod < size; pod++) {
            pods.add(new Place.Pod(
                    node[pod],
                    shape[pod],
                    Arrays.copyOfRange(device, firstDevice[pod], firstDevice[pod + 1]),
                    start[pod],
                    Arrays.copyOfRange(nic, firstNic[pod], firstNic[pod + 1])));
        }
        return new Place(pods);
    }

    /** Milli-GPU of all pods. */
    public long gpuMilli() {
        long sum = 0;
        for (int pod = 0; pod < size; pod++) {
            sum += shape[pod].isMig()
                    ? MigTable.of(board.layout.mig[device[firstDevice[pod]]]).milli(shape[pod].mig())
                    : shape[pod].gpuMilli();
        }
        return sum;
    }

    /** For each of the pod's NICs the index in the snapshot of its group, ascending. */
    public int[] nics(int pod) {
        int[] found = new int[firstNic[pod + 1] - firstNic[pod]];
        for (int i = 0; i < found.length; i++) {
            found[i] = board.layout.nic[nic[firstNic[pod] + i]];
        }
        Arrays.sort(found);
        return found;
    }

    /** What the pod holds. */
    public Piece piece(int pod) {
        PodShape its = shape[pod];
        int[] devices = Arrays.copyOfRange(device, firstDevice[pod], firstDevice[pod + 1]);
        int[] milli = new int[devices.length];
        int[] units = new int[devices.length];
        Arrays.fill(milli, its.milli());
        if (its.isMig()) {
            MigTable table = MigTable.of(board.layout.mig[devices[0]]);
            milli[0] = table.milli(its.mig());
            units[0] = table.bits(its.mig(), start[pod]);
        }
        return new Piece(
                node[pod],
                its.cpuMilli(),
                its.memoryMib(),
                1,
                devices,
                milli,
                units,
                Arrays.copyOfRange(nic, firstNic[pod], firstNic[pod + 1]));
    }

    /** What each of the pods holds, in the order in which they were placed. */
    public List<Piece> pieces() {
        return IntStream.range(0, size).mapToObj(this::piece).toList();
    }

    /**
     * Places one pod of a set with the nearest NICs that it may use. {@code onDevice} is the device of a share or of a MIG
     * instance, which gets the best position there, or one worth the same; or -1 to let the islands decide.
     */
    public void place(int ofSet, PodShape podShape, int p, int onDevice) {
        int best = podShape.isMig()
                ? MigTable.of(board.layout.mig[onDevice]).bestStart(podShape.mig(), board.units(onDevice))
                : 0;
        place(ofSet, podShape, p, onDevice, true, best, podShape.nicResource());
    }

    /**
     * The same at a given position, the first memory unit of a MIG instance on just this device, and with NICs of this
     * resource; {@link PodShape#ANY_RESOURCE} for the nearest that the pod may use.
     */
    public void place(int ofSet, PodShape podShape, int p, int onDevice, int atUnit, int nicResource) {
        place(ofSet, podShape, p, onDevice, !podShape.isMig(), atUnit, nicResource);
    }

    private void place(
            int ofSet, PodShape podShape, int p, int onDevice, boolean mayMove, int atUnit, int nicResource) {
        grow(podShape.devices(), podShape.nics());
        int from = firstDevice[size];
        int to = from + podShape.devices();
        if (podShape.nics() > 0) {
            pairing.choose(p, podShape, onDevice, mayMove, nicResource, device, from, nic, firstNic[size]);
        } else if (onDevice >= 0) {
            device[from] = mayMove && board.layout.hasNics(p) ? pairing.leavingPairs(p, onDevice) : onDevice;
        } else {
            Islands.choose(board, p, podShape.devices(), device, from);
        }
        set[size] = ofSet;
        node[size] = p;
        shape[size] = podShape;
        start[size] = atUnit;
        firstNic[size + 1] = firstNic[size] + podShape.nics();
        board.takeNics(nic, firstNic[size], firstNic[size + 1]);
        firstDevice[++size] = to;
        if (podShape.isMig()) {
            board.cut(p, podShape, device[from], atUnit);
        } else {
            board.take(p, podShape, device, from, to);
        }
    }

    /** Takes back what was placed since there were {@code mark} pods. */
    public void undoTo(int mark) {
        while (size > mark) {
            size--;
            board.giveNics(nic, firstNic[size], firstNic[size + 1]);
            if (shape[size].isMig()) {
                board.join(node[size], shape[size], device[firstDevice[size]], start[size]);
            } else {
                board.give(node[size], shape[size], device, firstDevice[size], firstDevice[size + 1]);
            }
        }
    }

    /** Forgets the pods without giving back what they hold: they are placed for good. */
    public void keep() {
        size = 0;
    }

    private void grow(int devices, int nics) {
        if (size == set.length) {
            set = Arrays.copyOf(set, size * 2);
            node = Arrays.copyOf(node, size * 2);
            shape = Arrays.copyOf(shape, size * 2);
            start = Arrays.copyOf(start, size * 2);
            firstDevice = Arrays.copyOf(firstDevice, size * 2 + 1);
            firstNic = Arrays.copyOf(firstNic, size * 2 + 1);
        }
        int needed = firstDevice[size] + devices;
        if (needed > device.length) {
            device = Arrays.copyOf(device, Math.max(needed, device.length * 2));
        }
        int neededNics = firstNic[size] + nics;
        if (neededNics > nic.length) {
            nic = Arrays.copyOf(nic, Math.max(neededNics, nic.length * 2));
        }
    }
}
