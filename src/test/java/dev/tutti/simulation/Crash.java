package dev.tutti.simulation;

/** The process ends here, in the middle of whatever it was doing. */
final class Crash extends Error {

    private static final long serialVersionUID = 1L;

    Crash() {
        super("the process ends here", null, false, false);
    }
}
