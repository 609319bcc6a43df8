package dev.tutti.allocator.quota;

import java.math.BigInteger;
import java.time.Duration;

/**
 * How fast the past loses weight: half of it in each half-life. A mean of what was held, which follows the present as the
 * past fades. Whole numbers only, so that everybody who counts comes to the same.
 *
 * @param seconds 0: nothing is remembered
 */
public record HalfLife(long seconds) {

    /** Nothing is remembered. */
    public static final HalfLife OFF = new HalfLife(0);

    /** The past is brought up to date when it is so old. */
    public static final Duration STEP = Duration.ofSeconds(30);

    private static final long MICROS = 1_000_000;
    /** The whole in the fixed point of {@link #ROOTS}. */
    private static final int SCALE = 48;
    /** 2 to the power of -1/2, -1/4, -1/8 and so on. */
    private static final long[] ROOTS = roots();

    public HalfLife {
        if (seconds < 0) {
            throw new IllegalArgumentException("a half-life of " + seconds + " seconds");
        }
    }

    private static long[] roots() {
        long[] roots = new long[SCALE];
        BigInteger root = BigInteger.ONE.shiftLeft(4 * SCALE - 1);
        for (int i = 0; i < roots.length; i++) {
            root = root.shiftLeft(4 * SCALE).sqrt();
            roots[i] = root.shiftRight(3 * SCALE).longValueExact();
        }
        return roots;
    }

    /** Whether anything is remembered. */
    public boolean isOn() {
        return seconds > 0;
    }

    /**
     * The mean that was {@code past}, after so much time in which {@code now} was held.
     *
     * @param elapsedMicros not below 0
     */
    public long mean(long past, long now, long elapsedMicros) {
        if (!isOn()) {
            return 0;
        }
        long left = times(Math.abs(past - now), factor(elapsedMicros));
        return past > now ? now + left : now - left;
    }

    /** What is left of one after so much time, in 2 to the power of -{@link #SCALE}: from the binary digits of the quotient. */
    private long factor(long elapsedMicros) {
        long half = seconds * MICROS;
        long whole = elapsedMicros / half;
        if (whole >= SCALE) {
            return 0;
        }
        long factor = 1L << SCALE;
        long rest = elapsedMicros % half;
        for (int i = 0; i < SCALE && rest > 0; i++) {
            rest *= 2;
            if (rest >= half) {
                rest -= half;
                factor = times(factor, ROOTS[i]);
            }
        }
        return factor >> whole;
    }

    /** The product of a number and a factor, rounded. */
    private static long times(long number, long factor) {
        long low = number * factor;
        long product = Math.multiplyHigh(number, factor) << (Long.SIZE - SCALE) | low >>> SCALE;
        return product + (low >>> (SCALE - 1) & 1);
    }
}
