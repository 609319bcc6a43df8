package dev.tutti.control.intake;

import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Asks the engine for callers who cannot wait for long: one question at a time, and of all time no more than a fifth, after a
 * second that is free. Who gets no answer in time is told so, and nothing fails.
 *
 * <p>Safe for many threads.
 */
public final class Estimates implements AutoCloseable {

    /** How long a submit waits, at the most. */
    static final long PATIENCE_MILLIS = 250;

    private static final long FREE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int SHARE = 5;
    private static final int LINE = 8;
    private static final long IDLE_SECONDS = 10;

    private final LongSupplier nanos;
    private final long patienceMillis;
    private final ThreadPoolExecutor worker;
    private long credit = FREE_NANOS;
    private long seenNanos;

    /** @param nanos a clock that never goes back, in nanoseconds */
    Estimates(LongSupplier nanos) {
        this(nanos, PATIENCE_MILLIS);
    }

    /** @param patienceMillis how long a caller waits, at the most */
    public Estimates(LongSupplier nanos, long patienceMillis) {
        this.nanos = nanos;
        this.patienceMillis = patienceMillis;
        this.seenNanos = nanos.getAsLong();
        this.worker = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(LINE), Estimates::thread);
        worker.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "tutti-estimates");
        thread.setDaemon(true);
        return thread;
    }

    /** The answer; empty when there is none in time, or too much was asked lately. */
    public <T> Optional<T> ask(Callable<T> question) {
        if (!hasCredit()) {
            return Optional.empty();
        }
        FutureTask<T> task = new FutureTask<>(() -> timed(question));
        try {
            worker.execute(task);
            return Optional.of(task.get(patienceMillis, TimeUnit.MILLISECONDS));
        } catch (RejectedExecutionException | TimeoutException | ExecutionException none) {
            // One that has not begun never does; one that has goes on, and pays for its time.
            task.cancel(false);
            return Optional.empty();
        } catch (InterruptedException e) {
            task.cancel(false);
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Ends what is asked now; from then on nobody gets an answer. */
    @Override
    public void close() {
        worker.shutdownNow();
    }

    private <T> T timed(Callable<T> question) throws Exception {
        long begin = nanos.getAsLong();
        try {
            return question.call();
        } finally {
            pay(nanos.getAsLong() - begin);
        }
    }

    private synchronized boolean hasCredit() {
        long now = nanos.getAsLong();
        credit = Math.min(FREE_NANOS, credit + (now - seenNanos) / SHARE);
        seenNanos = now;
        return credit > 0;
    }

    private synchronized void pay(long spent) {
        credit -= spent;
    }
}
