package dev.tutti.allocator.fit;

import org.jspecify.annotations.Nullable;

/** Devices that are shared already, by the milli-GPU left of them. Whole and full devices are not in it. */
final class DevicesByFree {

    private final int devices;
    private final @Nullable SparseBits[] byFree = new SparseBits[Board.WHOLE];
    private final int[] count = new int[Board.WHOLE];
    private final SparseBits present = new SparseBits(Board.WHOLE);

    DevicesByFree(int devices) {
        this.devices = devices;
    }

    void add(int device, int free) {
        if (free <= 0 || free >= Board.WHOLE) {
            return;
        }
        with(free).add(device);
        if (count[free]++ == 0) {
            present.add(free);
        }
    }

    void remove(int device, int free) {
        if (free <= 0 || free >= Board.WHOLE) {
            return;
        }
        with(free).remove(device);
        if (--count[free] == 0) {
            present.remove(free);
        }
    }

    /** The smallest remainder of at least {@code atLeast} that some device has; {@link Board#WHOLE} for none. */
    int next(int atLeast) {
        int found = present.next(atLeast, Board.WHOLE);
        return found < 0 ? Board.WHOLE : found;
    }

    SparseBits with(int free) {
        SparseBits bits = byFree[free];
        if (bits == null) {
            bits = new SparseBits(devices);
            byFree[free] = bits;
        }
        return bits;
    }
}
