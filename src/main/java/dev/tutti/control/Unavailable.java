package dev.tutti.control;

/**
 * The database did not answer in time, or not at all, and nothing of the call is stored: the caller may simply try
 * again later. A write that may have been stored is {@link OutcomeUnknown} instead.
 */
public final class Unavailable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public Unavailable(String what, Throwable cause) {
        super("the database is not available for " + what + "; nothing was stored", cause);
    }
}
