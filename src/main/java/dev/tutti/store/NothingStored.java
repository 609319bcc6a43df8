package dev.tutti.store;

import java.util.function.Supplier;

/** Rolls a transaction back, idempotency key and all, and carries what is answered instead. */
public final class NothingStored extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Object instead;

    public NothingStored(Object instead) {
        super("nothing is stored", null, false, false);
        this.instead = instead;
    }

    /** What the transaction gives, or what was answered instead of storing anything. */
    public static <T> T or(Class<T> kind, Supplier<T> transaction) {
        try {
            return transaction.get();
        } catch (NothingStored e) {
            return kind.cast(e.instead);
        }
    }
}
