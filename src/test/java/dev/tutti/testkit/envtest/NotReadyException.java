package dev.tutti.testkit.envtest;

/** A server ended, or did not answer in time; the message has the end of every log. */
final class NotReadyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotReadyException(String message) {
        super(message);
    }
}
