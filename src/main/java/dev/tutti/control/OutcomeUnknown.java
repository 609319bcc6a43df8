package dev.tutti.control;

/** A write whose reply was lost: it may have happened (house rule R5). The caller reads back before it tries again. */
public final class OutcomeUnknown extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public OutcomeUnknown(String what, Throwable cause) {
        super("no reply for " + what + "; it may have happened", cause);
    }
}
