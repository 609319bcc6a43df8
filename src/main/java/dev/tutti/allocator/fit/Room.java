package dev.tutti.allocator.fit;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job may still take of each flavor by quota: GPUs in milli-GPU, CPU in milli-cores, memory in MiB; and by limits of
 * whole nodes of each flavor, and of GPUs of all flavors together. Not safe for use by two threads.
 */
public final class Room {

    /** No quota binds. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** What quotas are of. */
    public static final List<Resource> RESOURCES = List.of(Resource.GPUS, Resource.CPU, Resource.MEMORY);

    /** What else is limited beside; an amount's place here is its row. */
    private static final List<Resource> ROWS =
            List.of(Resource.GPUS, Resource.CPU, Resource.MEMORY, Resource.WHOLE_NODES);

    private static final int GPUS = 0;

    private final int flavors;
    /** A row for each resource; null where no quota of it binds. */
    private final long[] @Nullable [] left;
    /** Milli-GPU that it may take of all flavors together. */
    private long gpus = UNLIMITED;

    private Room(int flavors, long[] @Nullable [] left) {
        this.flavors = flavors;
        this.left = left;
    }

    /** No quota binds, on any of so many flavors. */
    public static Room unlimited(int flavors) {
        return new Room(flavors, new long[ROWS.size()][]);
    }

    /** Nothing may be taken, not even by pods that ask for nothing. */
    public static Room none(int flavors) {
        long[] nothing = new long[flavors];
        Arrays.fill(nothing, -1);
        Room room = unlimited(flavors);
        room.left[GPUS] = nothing;
        return room;
    }

    /** Limits one resource of one flavor. */
    public void limit(Resource resource, int flavor, long amount) {
        row(ROWS.indexOf(resource))[flavor] = amount;
    }

    /** Limits the GPUs of all flavors together. */
    public void limitGpus(long milli) {
        gpus = milli;
    }

    /** Leaves nothing of it on the flavor; whether there was anything. */
    public boolean close(Resource resource, int flavor) {
        if (of(resource, flavor) <= 0) {
            return false;
        }
        limit(resource, flavor, 0);
        return true;
    }

    /** What is left of it; {@link #UNLIMITED} where no quota binds. */
    public long of(Resource resource, int flavor) {
        return of(ROWS.indexOf(resource), flavor);
    }

    private long of(int row, int flavor) {
        long[] amounts = left[row];
        return amounts == null ? UNLIMITED : amounts[flavor];
    }

    private long[] row(int row) {
        long[] amounts = left[row];
        if (amounts == null) {
            amounts = new long[flavors];
            Arrays.fill(amounts, UNLIMITED);
            left[row] = amounts;
        }
        return amounts;
    }

    /** Whether it is enough for so many pods of each set, each on the flavor that the choice gives to its set. */
    boolean holds(Request request, int[] choice, int[] pods) {
        if (gpus != UNLIMITED && request.gpusOf(choice, pods) > gpus) {
            return false;
        }
        for (int row = 0; row < left.length; row++) {
            for (int s = 0; left[row] != null && s < choice.length; s++) {
                if (request.needOf(ROWS.get(row), choice[s], choice, pods) > of(row, choice[s])) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether it is enough for one pod of the set on the flavor. */
    boolean holdsOne(Request request, int set, int flavor) {
        return podsOf(request, set, flavor, 1) == 1;
    }

    /** How many pods of the set it is enough for on the flavor, up to {@code most}. */
    long podsOf(Request request, int set, int flavor, long most) {
        long milli = gpus == UNLIMITED ? 0 : request.milliOn(flavor, set);
        long pods = milli > 0 ? Math.min(most, Math.max(0, gpus) / milli) : most;
        for (int row = 0; row < left.length; row++) {
            if (left[row] == null) {
                continue;
            }
            long need = request.needOf(ROWS.get(row), flavor, set);
            long amount = of(row, flavor);
            pods = need > 0 ? Math.min(pods, Math.max(0, amount) / need) : amount < 0 ? 0 : pods;
        }
        return pods;
    }

    void take(Request request, int set, int flavor, long pods) {
        gpus -= gpus == UNLIMITED ? 0 : pods * request.milliOn(flavor, set);
        for (int row = 0; row < left.length; row++) {
            long[] amounts = left[row];
            if (amounts != null && amounts[flavor] != UNLIMITED) {
                amounts[flavor] -= pods * request.needOf(ROWS.get(row), flavor, set);
            }
        }
    }

    /** What both leave. */
    public Room and(Room other) {
        Room both = copy();
        both.gpus = Math.min(gpus, other.gpus);
        for (int row = 0; row < left.length; row++) {
            for (int f = 0; other.left[row] != null && f < flavors; f++) {
                both.row(row)[f] = Math.min(of(row, f), other.of(row, f));
            }
        }
        return both;
    }

    Room copy() {
        long[][] rows = new long[left.length][];
        for (int row = 0; row < rows.length; row++) {
            rows[row] = left[row] == null ? null : left[row].clone();
        }
        Room copy = new Room(flavors, rows);
        copy.gpus = gpus;
        return copy;
    }

    /** Whether there is more of some of these flavors than there was. */
    public boolean isMoreThan(@Nullable Room before, boolean[] ofFlavors) {
        if (before != null && gpus > before.gpus) {
            return true;
        }
        for (int row = 0; row < left.length; row++) {
            for (int f = 0; f < flavors; f++) {
                if (ofFlavors[f] && (before == null || of(row, f) > before.of(row, f))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether nothing differs. */
    public boolean isSameAs(@Nullable Room other) {
        for (int row = 0; other != null && row < left.length; row++) {
            for (int f = 0; f < flavors; f++) {
                if (of(row, f) != other.of(row, f)) {
                    return false;
                }
            }
        }
        return other != null && gpus == other.gpus;
    }
}
