package dev.tutti.allocator.board;

import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.MigLayout;
import dev.tutti.model.fleet.MigLayouts;
import dev.tutti.model.fleet.MigProfile;
import java.util.List;

/**
 * What fits on a GPU of one MIG layout, worked out once for every set of memory units in use. A set is a mask: bit
 * {@code i} stands for unit {@code i}. Profiles are numbers in {@link MigLayouts#PROFILES}.
 *
 * <p>Of several free positions the best is the one that leaves the largest instance possible; of those the one that
 * leaves most instances of every size. So small instances gather at the end of the GPU that large ones cannot use.
 */
public final class MigTable {

    /** A GPU that is cut is never worth more than half a whole one: there is always a loss in breaking one. */
    public static final int MOST_WORTH = Board.WHOLE / 2;

    private static final int MASKS = 1 << MigLayout.UNITS;
    private static final int HOLE_WEIGHS = 64;
    private static final List<MigTable> TABLES =
            MigLayouts.ALL.stream().map(MigTable::new).toList();

    private final int[] units = new int[MigLayouts.PROFILES.size()];
    /** By profile and mask: instances that still fit. */
    private final byte[][] count = new byte[units.length][MASKS];
    /** By profile and mask: where the next one goes best; -1 where none fits. */
    private final byte[][] best = new byte[units.length][MASKS];

    private final boolean[][] startsAt = new boolean[units.length][MigLayout.UNITS];
    private final int[] worth = new int[MASKS];

    private MigTable(MigLayout layout) {
        for (MigProfile profile : layout.profiles()) {
            int number = MigLayouts.numberOf(profile.name());
            units[number] = profile.units();
            profile.starts().forEach(start -> startsAt[number][start] = true);
        }
        for (int mask = 0; mask < MASKS; mask++) {
            for (int profile = 0; profile < units.length; profile++) {
                count[profile][mask] = (byte) countFree(profile, mask);
            }
        }
        for (int mask = MASKS - 1; mask >= 0; mask--) {
            worth[mask] = MOST_WORTH * use(mask) / use(0);
        }
        for (int mask = 0; mask < MASKS; mask++) {
            for (int profile = 0; profile < units.length; profile++) {
                best[profile][mask] = (byte) findBest(profile, mask);
            }
        }
    }

    /** The table of a layout, by its place in {@link MigLayouts#ALL}. */
    public static MigTable of(int layout) {
        return TABLES.get(layout);
    }

    /** Memory units of an instance; 0 when GPUs of this layout cannot be cut so. */
    public int units(int profile) {
        return units[profile];
    }

    /** Milli-GPU of an instance; 0 when GPUs of this layout cannot be cut so. */
    public int milli(int profile) {
        return units[profile] * MigLayout.UNIT_MILLI;
    }

    /** Instances of the profile that still fit; exact, because instances of one profile never stand in each other's way. */
    public int count(int profile, int mask) {
        return count[profile][mask];
    }

    /** The best start for the next instance of the profile; -1 when none fits. */
    public int bestStart(int profile, int mask) {
        return best[profile][mask];
    }

    /** Whether an instance of the profile may begin at this unit and all its units are free. */
    public boolean fits(int profile, int mask, int start) {
        return startsAt[profile][start] && (bits(profile, start) & mask) == 0;
    }

    /** Units of an instance as a mask. */
    public int bits(int profile, int start) {
        return (1 << units[profile]) - 1 << start;
    }

    public MigInstance instance(int profile, int start) {
        return new MigInstance(MigLayouts.PROFILES.get(profile), start, units[profile]);
    }

    /** What a GPU with these units in use is worth to those who come after, from 0 to {@link #MOST_WORTH}. */
    public int worth(int mask) {
        return worth[mask];
    }

    private int countFree(int profile, int mask) {
        int free = 0;
        for (int start = 0; start < MigLayout.UNITS; start++) {
            free += fits(profile, mask, start) ? 1 : 0;
        }
        return free;
    }

    /** The largest instance that fits weighs more than all others together. */
    private int use(int mask) {
        int largest = 0;
        int sum = 0;
        for (int profile = 0; profile < units.length; profile++) {
            sum += count[profile][mask] * units[profile];
            largest = count[profile][mask] > 0 ? Math.max(largest, units[profile]) : largest;
        }
        return largest * HOLE_WEIGHS + sum;
    }

    private int findBest(int profile, int mask) {
        int found = -1;
        int most = -1;
        for (int start = 0; start < MigLayout.UNITS; start++) {
            if (fits(profile, mask, start) && use(mask | bits(profile, start)) > most) {
                found = start;
                most = use(mask | bits(profile, start));
            }
        }
        return found;
    }
}
