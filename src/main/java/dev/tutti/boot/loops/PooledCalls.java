package dev.tutti.boot.loops;

import dev.tutti.control.loop.CallRunner;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the calls of one claim side by side on a few threads of their own; each call has its own timeout. */
final class PooledCalls implements CallRunner, AutoCloseable {

    private final ExecutorService pool;

    /** @param threads calls at a time, 1 and up */
    PooledCalls(String name, int threads) {
        this.pool = Executors.newFixedThreadPool(threads, work -> {
            Thread thread = new Thread(work, "tutti-calls-" + name);
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public void runAll(List<Runnable> calls) {
        List<? extends Future<?>> running = calls.stream().map(pool::submit).toList();
        for (Future<?> call : running) {
            await(call);
        }
    }

    private static void await(Future<?> call) {
        try {
            call.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while calls to a cluster were under way", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a call to a cluster failed by our own fault", e.getCause());
        }
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
