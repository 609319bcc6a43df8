package dev.tutti.web.input;

/** A body over {@link BodyBytes#LIMIT}. */
public final class BodyTooLarge extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public BodyTooLarge() {
        super("the body is longer than " + BodyBytes.LIMIT + " bytes");
    }
}
