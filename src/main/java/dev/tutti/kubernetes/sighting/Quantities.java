package dev.tutti.kubernetes.sighting;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads Kubernetes quantities exactly, in whole units rounded down, without floating point and without huge numbers. */
final class Quantities {

    static final BigDecimal ONE = BigDecimal.ONE;
    static final BigDecimal MILLI = new BigDecimal("0.001");
    static final BigDecimal MIB = BigDecimal.valueOf(1L << 20);

    private static final Pattern FORM = Pattern.compile("([+-]?(?:\\d{1,30}(?:\\.\\d{0,30})?|\\.\\d{1,30}))"
            + "(?:[eE]([+-]?\\d{1,2})|(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei))?");

    private static final Map<String, BigDecimal> SUFFIXES = Map.ofEntries(
            Map.entry("n", new BigDecimal("1e-9")),
            Map.entry("u", new BigDecimal("1e-6")),
            Map.entry("m", MILLI),
            Map.entry("k", new BigDecimal("1e3")),
            Map.entry("M", new BigDecimal("1e6")),
            Map.entry("G", new BigDecimal("1e9")),
            Map.entry("T", new BigDecimal("1e12")),
            Map.entry("P", new BigDecimal("1e15")),
            Map.entry("E", new BigDecimal("1e18")),
            Map.entry("Ki", BigDecimal.valueOf(1L << 10)),
            Map.entry("Mi", MIB),
            Map.entry("Gi", BigDecimal.valueOf(1L << 30)),
            Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
            Map.entry("Pi", BigDecimal.valueOf(1L << 50)),
            Map.entry("Ei", BigDecimal.valueOf(1L << 60)));

    private Quantities() {}

    /** The quantity in whole {@code unit}s; empty when it is negative, more than {@code max} units or no number. */
    static OptionalLong floor(Quantity quantity, BigDecimal unit, long max) {
        return floor(text(quantity), unit, max);
    }

    static OptionalLong floor(String text, BigDecimal unit, long max) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return OptionalLong.empty();
        }
        BigDecimal units = value(form).divide(unit, 0, RoundingMode.FLOOR);
        boolean fits = units.signum() >= 0 && units.compareTo(BigDecimal.valueOf(max)) <= 0;
        return fits ? OptionalLong.of(units.longValueExact()) : OptionalLong.empty();
    }

    /** The quantity as it was written. */
    static String text(Quantity quantity) {
        return part(quantity.getAmount()) + part(quantity.getFormat());
    }

    private static BigDecimal value(Matcher form) {
        BigDecimal number = new BigDecimal(form.group(1));
        if (form.group(2) != null) {
            return number.scaleByPowerOfTen(Integer.parseInt(form.group(2)));
        }
        return form.group(3) == null ? number : number.multiply(SUFFIXES.get(form.group(3)));
    }

    private static String part(@Nullable String part) {
        return part == null ? "" : part;
    }
}
