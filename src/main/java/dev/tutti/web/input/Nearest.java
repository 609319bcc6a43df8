package dev.tutti.web.input;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the name a caller probably meant. */
public final class Nearest {

    private static final int LONGEST = 64;

    private Nearest() {}

    /** The nearest of {@code known} to {@code name}, if it is near enough to be a slip; equal distances by name. */
    public static Optional<String> to(String name, Collection<String> known) {
        if (name.length() > LONGEST) {
            return Optional.empty();
        }
        String lower = name.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(candidate -> Math.abs(name.length() - candidate.length()) <= slip(candidate))
                .filter(candidate -> distance(lower, candidate.toLowerCase(Locale.ROOT)) <= slip(candidate))
                .min(Comparator.<String>comparingInt(candidate -> distance(lower, candidate.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** What to say of an unknown {@code name}. */
    public static String hint(String name, Collection<String> known) {
        List<String> sorted = known.stream().sorted().toList();
        return to(name, known)
                .map(meant -> "is unknown; did you mean \"" + meant + "\"?")
                .orElse("is unknown; known are " + String.join(", ", sorted));
    }

    /** How many letters may differ in a slip. */
    private static int slip(String candidate) {
        return 1 + candidate.length() / 4;
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
