package dev.tutti.allocator.board;

import java.util.Arrays;

/**
 * Which whole devices of a node a pod with RDMA NICs gets: of all choices that {@link Islands} holds for equal the one
 * with most NICs beside a device of the pod and most devices beside a NIC of the pod, both counted; of equals the one in
 * fewest places. Exact, by dynamic programming over the places of a node; only the number of islands of equal size that
 * are tried is bounded.
 */
final class NearDevices {

    /** Choices of islands looked at for one pod. */
    private static final int MOST_CHOICES = 64;

    /** More than there are places: being near weighs more than being in few places. */
    private static final int NEAR = 128;

    private static final int NO_WAY = Integer.MIN_VALUE;

    private final Board board;
    private final Layout layout;
    private int lo;
    private int nics;
    private int[] nicsAt = new int[0];
    /** Devices of each island of the node, as bits. */
    private long[] islands = new long[0];

    private int choicesLeft;
    private int best;
    private long bestDevices;

    NearDevices(Board board) {
        this.board = board;
        this.layout = board.layout;
    }

    /**
     * Writes the devices to {@code into}; they must be there.
     *
     * @param nicsLeft NICs left by place
     * @return how near they are; comparable between resources of one node
     */
    int find(int p, int devices, int nicsWanted, int[] nicsLeft, int[] into) {
        lo = layout.deviceLo[p];
        int size = layout.deviceLo[p + 1] - lo;
        if (size > Long.SIZE) {
            Islands.choose(board, p, devices, into, 0);
            return 0;
        }
        nics = nicsWanted;
        nicsAt = nicsLeft;
        choicesLeft = MOST_CHOICES;
        best = NO_WAY;
        sort(size);
        long all = 0;
        for (long island : islands) {
            all |= island;
        }
        choose(0, all, devices, 0);
        int at = 0;
        for (int i = 0; i < size; i++) {
            if ((bestDevices >>> i & 1) == 1) {
                into[at++] = lo + i;
            }
        }
        return best;
    }

    /** Free whole devices by island. */
    private void sort(int size) {
        long[] found = new long[size];
        int[] name = new int[size];
        int count = 0;
        for (int i = 0; i < size; i++) {
            if (board.free(lo + i) == Board.WHOLE) {
                int at = 0;
                while (at < count && name[at] != layout.island[lo + i]) {
                    at++;
                }
                count = Math.max(count, at + 1);
                name[at] = layout.island[lo + i];
                found[at] |= 1L << i;
            }
        }
        islands = Arrays.copyOf(found, count);
    }

    /** The smallest island that suffices, else the largest and so on; every one of equals, as long as there are choices. */
    private void choose(long taken, long left, int needed, int from) {
        int sufficing = size(left, needed);
        int size = sufficing > 0 ? sufficing : largest(left);
        if (size == 1) {
            look(taken, ofSize(left, 1), needed);
            return;
        }
        for (int i = 0; i < islands.length && choicesLeft > 0; i++) {
            boolean isNext = (islands[i] & left) != 0 && Long.bitCount(islands[i]) == size;
            if (isNext && sufficing > 0) {
                look(taken, islands[i], needed);
            } else if (isNext && i >= from) {
                // Islands of one size are taken in order: the same ones in another order are the same choice.
                int next = size == largest(left & ~islands[i]) ? i : 0;
                choose(taken | islands[i], left & ~islands[i], needed - size, next);
            }
        }
    }

    /** Size of the smallest island left that holds so many; 0 for none. */
    private int size(long left, int needed) {
        int found = 0;
        for (long island : islands) {
            int size = (island & left) == 0 ? 0 : Long.bitCount(island);
            found = size >= needed && (found == 0 || size < found) ? size : found;
        }
        return found;
    }

    private int largest(long left) {
        int found = 0;
        for (long island : islands) {
            found = (island & left) == 0 ? found : Math.max(found, Long.bitCount(island));
        }
        return found;
    }

    private long ofSize(long left, int size) {
        long found = 0;
        for (long island : islands) {
            found |= (island & left) != 0 && Long.bitCount(island) == size ? island : 0;
        }
        return found;
    }

    /** All of {@code taken} and {@code needed} of {@code pool}. */
    private void look(long taken, long pool, int needed) {
        choicesLeft--;
        Places places = new Places(taken, pool, needed);
        int value = places.solve();
        if (value > best) {
            best = value;
            bestDevices = taken | places.chosen();
        }
    }

    /** One choice of islands: how many devices of the pool to take in each place. The last place stands for unknown. */
    private final class Places {
        private final long pool;
        private final int needed;
        private final int count = nicsAt.length + 1;
        private final int[] base = new int[count];
        private final int[] pooled = new int[count];
        private final int side = nics + 1;
        private int[] value;
        /** How each state was reached, place by place: the state before, and devices taken there. */
        private final int[][] before = new int[count][];

        private int end;

        Places(long taken, long pool, int needed) {
            this.pool = pool;
            this.needed = needed;
            for (long left = taken; left != 0; left &= left - 1) {
                base[place(Long.numberOfTrailingZeros(left))]++;
            }
            for (long left = pool; left != 0; left &= left - 1) {
                pooled[place(Long.numberOfTrailingZeros(left))]++;
            }
            value = new int[(needed + 1) * side * side];
            Arrays.fill(value, NO_WAY);
            value[0] = 0;
        }

        private int place(int index) {
            int place = layout.devicePlace[lo + index];
            return place < 0 ? nicsAt.length : place;
        }

        private int state(int devices, int served, int near) {
            return (devices * side + served) * side + near;
        }

        int solve() {
            for (int q = 0; q < count; q++) {
                int[] from = value;
                value = new int[from.length];
                Arrays.fill(value, NO_WAY);
                before[q] = new int[from.length];
                for (int devices = 0; devices <= needed; devices++) {
                    for (int rest = 0; rest < side * side; rest++) {
                        if (from[devices * side * side + rest] != NO_WAY) {
                            takeIn(q, devices, rest / side, rest % side, from[devices * side * side + rest]);
                        }
                    }
                }
            }
            int most = NO_WAY;
            for (int rest = 0; rest < side * side; rest++) {
                int sum = value[needed * side * side + rest];
                if (sum != NO_WAY && sum + rest % side * NEAR > most) {
                    most = sum + rest % side * NEAR;
                    end = needed * side * side + rest;
                }
            }
            return most;
        }

        /** Goes on from one state with every number of devices in place {@code q}. */
        private void takeIn(int q, int devices, int served, int near, int sum) {
            boolean known = q < nicsAt.length;
            int state = state(devices, served, near);
            for (int take = Math.min(pooled[q], needed - devices); take >= 0; take--) {
                int there = base[q] + take;
                int after = sum - (there > 0 && known ? 1 : 0);
                if (there == 0 || !known || nicsAt[q] == 0) {
                    reach(q, state(devices + take, served, near), after, state, take);
                } else {
                    int nearNow = Math.min(nics, near + nicsAt[q]);
                    reach(q, state(devices + take, served, nearNow), after, state, take);
                    if (served < nics) {
                        reach(q, state(devices + take, served + 1, nearNow), after + there * NEAR, state, take);
                    }
                }
            }
        }

        private void reach(int q, int state, int sum, int from, int take) {
            if (sum > value[state]) {
                value[state] = sum;
                before[q][state] = from * (Long.SIZE + 1) + take;
            }
        }

        /** The devices of the pool, the first ones of each place. */
        long chosen() {
            long devices = 0;
            int state = end;
            for (int q = count - 1; q >= 0; q--) {
                int take = before[q][state] % (Long.SIZE + 1);
                state = before[q][state] / (Long.SIZE + 1);
                for (long left = pool; left != 0 && take > 0; left &= left - 1) {
                    int index = Long.numberOfTrailingZeros(left);
                    if (place(index) == q) {
                        devices |= 1L << index;
                        take--;
                    }
                }
            }
            return devices;
        }
    }
}
