package dev.tutti.boot.cli.replay;

/** Short waits between two looks at something. */
final class Pauses {

    private Pauses() {}

    static void millis(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", e);
        }
    }
}
