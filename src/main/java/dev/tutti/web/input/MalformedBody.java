package dev.tutti.web.input;

import dev.tutti.model.Violation;

/** A body that is no document at all: broken syntax, the same key twice, nested or long beyond the limits. */
public final class MalformedBody extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Violation violation;

    /** @param field how far the reader had come; empty for the document itself */
    public MalformedBody(String field, String message) {
        super(message);
        this.violation = new Violation(field, message);
    }

    public Violation violation() {
        return violation;
    }
}
