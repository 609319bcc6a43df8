package dev.tutti.model.queue;

/**
 * What a queue held on average lately, where what is long ago counts less: after each half-life half as much. Told in parts of
 * all there is, of which {@link #WHOLE} are the whole.
 *
 * @param surplus of what green and yellow jobs held above the quota, as the largest part of any resource
 * @param red of all that red jobs held, in the same way
 * @param atMicros until when this is counted, in microseconds since 1970
 */
public record PastShare(long surplus, long red, long atMicros) {

    /** All there is: a million millionths, each in a million parts, so that a step of seconds is not lost beside a half-life of weeks. */
    public static final long WHOLE = 1_000_000_000_000L;

    /** Never held anything. */
    public static final PastShare NONE = new PastShare(0, 0, 0);

    private static final long PARTS_OF_A_MILLIONTH = 1_000_000;

    public PastShare {
        if (surplus < 0 || red < 0) {
            throw new IllegalArgumentException("a queue held " + surplus + " and " + red);
        }
    }

    /** Whether nothing counts any more. */
    public boolean isNothing() {
        return surplus == 0 && red == 0;
    }

    public long surplusMillionths() {
        return surplus / PARTS_OF_A_MILLIONTH;
    }

    public long redMillionths() {
        return red / PARTS_OF_A_MILLIONTH;
    }
}
