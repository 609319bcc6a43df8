package dev.tutti.model.fleet;

import java.util.List;

/**
 * A size in which instances are cut out of a GPU of one {@link MigLayout}. Says where one may lie, not where one does.
 *
 * @param name the vendor's name, such as {@code 3g.20gb}
 * @param units memory units of the GPU that an instance takes, side by side
 * @param starts units at which one may begin, ascending; two of this profile that begin apart never overlap
 */
public record MigProfile(String name, int units, List<Integer> starts) {

    public MigProfile {
        starts = List.copyOf(starts);
    }

    /** Milli-GPU that an instance counts as: its part of the memory units. */
    public int milli() {
        return units * MigLayout.UNIT_MILLI;
    }
}
