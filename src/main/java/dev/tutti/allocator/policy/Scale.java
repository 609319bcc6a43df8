package dev.tutti.allocator.policy;

/** Turns amounts into parts of a whole, without dividing: what is {@code whole} becomes {@code parts}. */
final class Scale {

    private static final int SHIFT = 24;
    private static final long MOST = 1L << 28;

    private final long factor;

    /** @param whole the amount that makes {@code parts}; 0 when any amount is more than enough */
    Scale(long whole, int parts) {
        factor = whole == 0 ? -1 : ((long) parts << SHIFT) / whole;
    }

    /** Parts of an amount; a negative amount has none. */
    int of(long amount) {
        if (factor < 0) {
            return Integer.MAX_VALUE;
        }
        long parts = Math.min(Math.max(0, amount), MOST) * factor >> SHIFT;
        return (int) Math.min(parts, Integer.MAX_VALUE);
    }
}
