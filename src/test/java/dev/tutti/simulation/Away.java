package dev.tutti.simulation;

/** The database did not answer. */
final class Away extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Away(String what) {
        super(what);
    }
}
