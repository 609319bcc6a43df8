package dev.tutti.model.fleet;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The table of MIG layouts. Data, not discovery: what a driver of the vendor reports is compared with it by hand.
 *
 * <p>Source: NVIDIA Multi-Instance GPU User Guide, "Supported MIG Profiles" (names, memory fractions, number of
 * instances) and its listing of {@code nvidia-smi mig -lgipp} (positions); NVIDIA/k8s-test-infra, profiles/mig/a100.yaml
 * and h100.yaml (the same positions as data). All these chips have seven compute slices and eight memory units; only the
 * names differ, by the memory. The eighth unit belongs to no single-unit instance.
 */
public final class MigLayouts {

    /** All layouts; a layout's place in this list is its number in memory, never in the database. */
    public static final List<MigLayout> ALL = List.of(
            sevenSlices("a100-40gb", "A100", 40, 5, 10, 20, 40),
            sevenSlices("a100-80gb", "A100", 80, 10, 20, 40, 80),
            sevenSlices("h100-80gb", "H100", 80, 10, 20, 40, 80),
            sevenSlices("h100-94gb", "H100", 94, 12, 24, 47, 94),
            sevenSlices("h100-96gb", "H100", 96, 12, 24, 48, 96),
            sevenSlices("h200-141gb", "H200", 141, 18, 35, 71, 141));

    /** Names of all profiles, in order of memory and then of compute slices. */
    public static final List<String> PROFILES = ALL.stream()
            .flatMap(layout -> layout.profiles().stream())
            .map(MigProfile::name)
            .distinct()
            .sorted(Comparator.comparingInt(MigLayouts::memoryGb).thenComparing(Comparator.naturalOrder()))
            .toList();

    private static final int MIB = 1_024;

    private MigLayouts() {}

    /** A profile's place in {@link #PROFILES}; -1 when no layout has it. */
    public static int numberOf(String profile) {
        return PROFILES.indexOf(profile);
    }

    /** The layout's place in {@link #ALL}; -1 for null and for a name that is not in the table. */
    public static int layoutNumber(@Nullable String layout) {
        for (int i = 0; i < ALL.size(); i++) {
            if (ALL.get(i).name().equals(layout)) {
                return i;
            }
        }
        return -1;
    }

    /** The least that an instance of the profile takes of any GPU that can be cut so; 0 when none can. */
    public static int leastMilli(String profile) {
        return ALL.stream()
                .flatMap(layout -> layout.profile(profile).stream())
                .mapToInt(MigProfile::milli)
                .min()
                .orElse(0);
    }

    /**
     * The layout of a product.
     *
     * @param product its name as a node tells it, such as {@code NVIDIA-A100-SXM4-40GB}
     * @param memoryMib memory of one GPU; a GPU's own reckoning is up to 1 GiB off what it is sold as
     */
    public static Optional<MigLayout> ofProduct(String product, int memoryMib) {
        String name = product.toUpperCase(Locale.ROOT);
        return ALL.stream()
                .filter(layout -> name.matches("(.*[^A-Z0-9])?" + layout.chip() + "([^A-Z0-9].*)?"))
                .filter(layout -> Math.abs(memoryMib - layout.memoryGib() * MIB) < MIB)
                .findFirst();
    }

    /** @param gb memory in the names of instances of one, two, four and all eight units */
    private static MigLayout sevenSlices(String name, String chip, int memoryGib, int... gb) {
        return new MigLayout(
                name,
                chip,
                memoryGib,
                List.of(
                        new MigProfile("1g." + gb[0] + "gb", 1, List.of(0, 1, 2, 3, 4, 5, 6)),
                        new MigProfile("1g." + gb[1] + "gb", 2, List.of(0, 2, 4, 6)),
                        new MigProfile("2g." + gb[1] + "gb", 2, List.of(0, 2, 4)),
                        new MigProfile("3g." + gb[2] + "gb", 4, List.of(0, 4)),
                        new MigProfile("4g." + gb[2] + "gb", 4, List.of(0)),
                        new MigProfile("7g." + gb[3] + "gb", 8, List.of(0))));
    }

    private static int memoryGb(String profile) {
        return Integer.parseInt(profile.substring(profile.indexOf('.') + 1, profile.length() - 2));
    }
}
