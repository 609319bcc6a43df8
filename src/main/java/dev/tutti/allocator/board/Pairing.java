package dev.tutti.allocator.board;

/**
 * Which devices and which RDMA NICs of a node a pod gets. Says nothing of what fits. Islands come first, as in
 * {@link Islands}; of devices that are equal there a pod gets those with most of its NICs beside them, and a pod without
 * NICs those that leave NICs beside free devices to others. Not safe for use by two threads.
 */
final class Pairing {

    private final Board board;
    private final Layout layout;
    private final NearDevices near;
    /** NICs left of the resource looked at, by place of the node looked at. */
    private int[] nicsAt = new int[8];

    private int[] picked = new int[8];

    Pairing(Board board) {
        this.board = board;
        this.layout = board.layout;
        this.near = new NearDevices(board);
    }

    /**
     * The device of a share or a MIG instance for a pod without NICs: one worth the same as the one given, without a free
     * NIC beside it.
     */
    int leavingPairs(int p, int device) {
        if (!Islands.hasNicBeside(board, p, device)) {
            return device;
        }
        for (int d = layout.deviceLo[p]; d < layout.deviceLo[p + 1]; d++) {
            boolean same = board.areAlike(d, device) && layout.island[d] == layout.island[device];
            if (same && !Islands.hasNicBeside(board, p, d)) {
                return d;
            }
        }
        return device;
    }

    /**
     * Chooses for a pod with NICs. They must be there.
     *
     * @param onDevice a device worth as much for a share or an instance as the one it gets; -1 for whole devices or none
     * @param mayMove whether it may be another than this one
     * @param resource the resource its NICs are to be of; {@link PodShape#ANY_RESOURCE} for the nearest it admits
     * @param device gets the devices, from index {@code from}
     * @param nic gets the group of each NIC, from index {@code nicFrom}
     */
    void choose(
            int p,
            PodShape shape,
            int onDevice,
            boolean mayMove,
            int resource,
            int[] device,
            int from,
            int[] nic,
            int nicFrom) {
        picked = picked.length < shape.devices() ? new int[shape.devices()] : picked;
        int chosen = -1;
        int chosenFree = 0;
        long best = 0;
        for (int g = layout.nicLo[p]; g < layout.nicLo[p + 1]; g = NicRoom.next(board, p, g)) {
            int candidate = layout.nicResource[g];
            int free = NicRoom.free(board, p, candidate);
            boolean admitted = NicRoom.admits(shape, candidate)
                    && (resource == PodShape.ANY_RESOURCE || resource == candidate)
                    && free >= shape.nics();
            if (!admitted) {
                continue;
            }
            long value = pick(p, shape, onDevice, mayMove, candidate);
            if (chosen < 0 || value > best || value == best && free < chosenFree) {
                best = value;
                chosen = candidate;
                chosenFree = free;
                System.arraycopy(picked, 0, device, from, shape.devices());
            }
        }
        fill(p, shape, chosen, device, from, nic, nicFrom);
    }

    /** Writes the devices that are nearest to NICs of this resource to {@link #picked}; says how near. */
    private long pick(int p, PodShape shape, int onDevice, boolean mayMove, int resource) {
        if (shape.devices() == 0) {
            return 0;
        }
        count(p, resource);
        return shape.isWhole()
                ? near.find(p, shape.devices(), shape.nics(), nicsAt, picked)
                : pickForPart(p, shape, onDevice, mayMove);
    }

    private long pickForPart(int p, PodShape shape, int onDevice, boolean mayMove) {
        picked[0] = onDevice;
        long best = nearOfPart(shape, onDevice);
        for (int d = layout.deviceLo[p]; d < layout.deviceLo[p + 1] && mayMove; d++) {
            if (board.areAlike(d, onDevice) && nearOfPart(shape, d) > best) {
                best = nearOfPart(shape, d);
                picked[0] = d;
            }
        }
        return best;
    }

    private long nearOfPart(PodShape shape, int device) {
        int place = layout.devicePlace[device];
        int beside = place < 0 ? 0 : nicsAt[place];
        return beside == 0 ? 0 : 1 + Math.min(beside, shape.nics());
    }

    private void count(int p, int resource) {
        int places = places(p);
        nicsAt = new int[places];
        for (int g = layout.nicLo[p]; g < layout.nicLo[p + 1]; g++) {
            if (layout.nicResource[g] == resource && layout.nicPlace[g] >= 0) {
                nicsAt[layout.nicPlace[g]] += board.nics(g);
            }
        }
    }

    /** Places of the node are numbered below this. */
    private int places(int p) {
        int most = -1;
        for (int d = layout.deviceLo[p]; d < layout.deviceLo[p + 1]; d++) {
            most = Math.max(most, layout.devicePlace[d]);
        }
        for (int g = layout.nicLo[p]; g < layout.nicLo[p + 1]; g++) {
            most = Math.max(most, layout.nicPlace[g]);
        }
        return most + 1;
    }

    /**
     * One NIC beside as many of the pod's devices as it has NICs, most devices first; then more beside them; the rest from
     * where fewest free devices would miss them.
     */
    private void fill(int p, PodShape shape, int resource, int[] device, int from, int[] nic, int nicFrom) {
        int to = from + shape.devices();
        int end = nicFrom + shape.nics();
        int[] used = new int[layout.nicLo[p + 1] - layout.nicLo[p]];
        int at = nicFrom;
        while (at < end) {
            int best = -1;
            long bestRank = Long.MIN_VALUE;
            for (int g = layout.nicLo[p]; g < layout.nicLo[p + 1]; g++) {
                int usedHere = used[g - layout.nicLo[p]];
                if (layout.nicResource[g] == resource && usedHere < board.nics(g)) {
                    long rank = rank(p, layout.nicPlace[g], usedHere > 0, device, from, to);
                    if (rank > bestRank) {
                        best = g;
                        bestRank = rank;
                    }
                }
            }
            used[best - layout.nicLo[p]]++;
            nic[at++] = best;
        }
    }

    private long rank(int p, int place, boolean used, int[] device, int from, int to) {
        int own = 0;
        int others = 0;
        for (int d = layout.deviceLo[p]; d < layout.deviceLo[p + 1] && place >= 0; d++) {
            if (layout.devicePlace[d] == place) {
                boolean isOwn = false;
                for (int i = from; i < to; i++) {
                    isOwn |= device[i] == d;
                }
                own += isOwn ? 1 : 0;
                others += !isOwn && board.free(d) > 0 ? 1 : 0;
            }
        }
        if (own == 0) {
            return -others;
        }
        return used ? own : (1L << 32) + own;
    }
}
