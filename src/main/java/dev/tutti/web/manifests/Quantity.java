package dev.tutti.web.manifests;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Kubernetes quantities, exactly: decimal arithmetic, rounded up only at the end, as Kubernetes itself does. */
final class Quantity {

    private static final Pattern FORM =
            Pattern.compile("([+-]?)(\\d{1,18})(?:\\.(\\d{0,9}))?([numkMGTPE]|[KMGTPE]i|[eE][+-]?\\d{1,2})?");

    private static final Map<String, Integer> POWERS_OF_TEN =
            Map.of("n", -9, "u", -6, "m", -3, "k", 3, "M", 6, "G", 9, "T", 12, "P", 15, "E", 18);

    private static final String BINARY = "KMGTPE";

    private Quantity() {}

    /**
     * {@code text} times {@code numerator} divided by {@code denominator}, rounded up to a whole number; empty when it
     * is no quantity, negative, or more than fits.
     */
    static Optional<Long> in(String text, long numerator, long denominator) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || form.group(1).equals("-")) {
            return Optional.empty();
        }
        String fraction = form.group(3) == null || form.group(3).isEmpty() ? "" : "." + form.group(3);
        BigDecimal whole = new BigDecimal(form.group(2) + fraction)
                .multiply(factor(form.group(4)))
                .multiply(BigDecimal.valueOf(numerator))
                .divide(BigDecimal.valueOf(denominator), 0, RoundingMode.CEILING);
        return whole.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
                ? Optional.of(whole.longValueExact())
                : Optional.empty();
    }

    private static BigDecimal factor(@Nullable String suffix) {
        if (suffix == null) {
            return BigDecimal.ONE;
        }
        if (suffix.endsWith("i")) {
            return BigDecimal.valueOf(1L << 10 * (1 + BINARY.indexOf(suffix.charAt(0))));
        }
        Integer power = POWERS_OF_TEN.get(suffix);
        return BigDecimal.ONE.scaleByPowerOfTen(power == null ? Integer.parseInt(suffix.substring(1)) : power);
    }
}
