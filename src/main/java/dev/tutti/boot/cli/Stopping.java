package dev.tutti.boot.cli;

import java.io.OutputStream;
import java.io.PrintStream;

/**
 * What happens when a signal (INT, TERM) ends the process in the middle of a command: one line, a short clean-up, and
 * silence of the threads that are cut off. The exit code is the system's, 128 and the number of the signal.
 */
public final class Stopping implements AutoCloseable {

    private static volatile boolean underWay;

    private final Thread hook;

    private Stopping(String what, Runnable cleanUp) {
        hook = new Thread(() -> stop(what, cleanUp), "tutti-stopping");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Prepares for a signal until it is closed.
     *
     * @param what what a signal stops, the beginning of the line
     * @param cleanUp must end within about two seconds
     */
    public static Stopping on(String what, Runnable cleanUp) {
        return new Stopping(what, cleanUp);
    }

    /** Whether the process ends by a signal, so that nothing that fails now is worth a word. */
    static boolean isUnderWay() {
        return underWay;
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException tooLate) {
            await();
        }
    }

    private static void stop(String what, Runnable cleanUp) {
        underWay = true;
        PrintStream words = System.err;
        PrintStream silence = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(silence);
        System.setErr(silence);
        words.println((System.console() == null ? "" : System.lineSeparator()) + "tutti: " + what);
        words.flush();
        cleanUp.run();
    }

    /** The process ends; the thread that was at work must not go on. */
    private void await() {
        try {
            hook.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
