package dev.tutti.model.fleet;

import dev.tutti.model.Limits;
import java.util.List;
import java.util.Optional;

/**
 * How GPUs of one product can be cut into MIG instances. An instance takes a run of memory units and may begin only at
 * some of them, so what fits is a matter of positions, not of sums.
 *
 * @param name what the inventory calls it, such as {@code a100-40gb}
 * @param chip the part of the product's name that tells the chip, such as {@code A100}
 * @param memoryGib the GPU's memory as it is sold
 * @param profiles what can be cut, smallest first
 */
public record MigLayout(String name, String chip, int memoryGib, List<MigProfile> profiles) {

    /** Memory units of every GPU in the table. */
    public static final int UNITS = 8;

    /** Milli-GPU of one memory unit. */
    public static final int UNIT_MILLI = Limits.DEVICE_MILLI / UNITS;

    public MigLayout {
        profiles = List.copyOf(profiles);
    }

    /** The profile of this name; empty when GPUs of this layout cannot be cut so. */
    public Optional<MigProfile> profile(String profile) {
        return profiles.stream().filter(one -> one.name().equals(profile)).findFirst();
    }
}
