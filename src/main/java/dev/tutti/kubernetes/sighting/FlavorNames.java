package dev.tutti.kubernetes.sighting;

import org.jspecify.annotations.Nullable;

/**
 * The one rule from a GPU product to a flavor's name: lower case, every run of other characters than a to z and 0 to 9
 * becomes one dash, no dash at either end, at most 63 characters. So {@code NVIDIA-A100-SXM4-80GB} and
 * {@code nvidia a100/sxm4 80gb} are one flavor. What leaves nothing, or leaves the name of nodes without GPUs, is
 * {@link #UNKNOWN}.
 */
final class FlavorNames {

    /** Flavor of nodes without GPUs. */
    static final String CPU = "cpu";

    /** Flavor of GPUs whose product is not told. */
    static final String UNKNOWN = "unknown";

    private static final int LENGTH = 63;

    private FlavorNames() {}

    static String of(@Nullable String product) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; product != null && i < product.length() && name.length() < LENGTH; i++) {
            append(name, product.charAt(i));
        }
        if (!name.isEmpty() && name.charAt(name.length() - 1) == '-') {
            name.setLength(name.length() - 1);
        }
        return name.isEmpty() || name.toString().equals(CPU) ? UNKNOWN : name.toString();
    }

    private static void append(StringBuilder name, char c) {
        char lower = c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
        if ((lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9')) {
            name.append(lower);
        } else if (!name.isEmpty() && name.charAt(name.length() - 1) != '-') {
            name.append('-');
        }
    }
}
