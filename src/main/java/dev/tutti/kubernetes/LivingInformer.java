package dev.tutti.kubernetes;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One kind of object watched by an informer that is replaced when it dies. The informer itself goes on after a short
 * break; when it has not watched for a while, or says that it has stopped, it is dead and a new one starts after a pause
 * that doubles from one second to thirty. A break of some seconds is told as a gap when it is noticed and again when
 * watching goes on. A list read anew is a gap too, and so is the beginning: what vanished before it was never seen here.
 *
 * @param <T> the kind of object
 */
final class LivingInformer<T> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LivingInformer.class);

    /** Servers end every watch after some minutes; going on from where it ended loses nothing and takes less than this. */
    private static final long BROKEN_AFTER_NANOS = Duration.ofSeconds(2).toNanos();

    private static final long DEAD_AFTER_NANOS = Duration.ofSeconds(15).toNanos();
    private static final long FIRST_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(30).toNanos();

    private final String what;
    private final Supplier<SharedIndexInformer<T>> factory;
    private final ResourceEventHandler<T> events;
    private final Runnable gap;

    private @Nullable SharedIndexInformer<T> informer;
    private boolean broken = true;
    private boolean closed;
    private long lastAliveNanos;
    private long startAtNanos;
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private volatile boolean lists;

    LivingInformer(
            String what, Supplier<SharedIndexInformer<T>> factory, ResourceEventHandler<T> events, Runnable gap) {
        this.what = what;
        this.factory = factory;
        this.events = events;
        this.gap = gap;
        this.startAtNanos = System.nanoTime();
    }

    /** Starts, replaces or leaves alone, as things stand at {@code nowNanos} of the monotonic clock; is it watching? */
    synchronized boolean look(long nowNanos) {
        if (closed) {
            return false;
        }
        try {
            if (informer == null) {
                startWhenDue(nowNanos);
            } else if (isWatching(informer)) {
                alive(nowNanos);
            } else {
                notWatching(informer, nowNanos);
            }
        } catch (RuntimeException e) {
            LOG.warn("watching {} could not be started or stopped", what, e);
            replace(nowNanos);
        }
        return !broken;
    }

    private void startWhenDue(long nowNanos) {
        if (nowNanos - startAtNanos < 0) {
            return;
        }
        SharedIndexInformer<T> next = factory.get();
        informer = next;
        lastAliveNanos = nowNanos;
        next.exceptionHandler((started, trouble) -> troubled(trouble));
        next.addEventHandler(new ListAware<>(events, this::listed));
        // The returned stage is looked at by its effects: a start that fails leaves an informer that does not watch.
        next.start().exceptionally(trouble -> null);
    }

    private void alive(long nowNanos) {
        lastAliveNanos = nowNanos;
        pauseNanos = FIRST_PAUSE_NANOS;
        if (broken) {
            broken = false;
            LOG.info("watching {}", what);
            gap.run();
        }
    }

    private void notWatching(SharedIndexInformer<T> current, long nowNanos) {
        if (!broken && nowNanos - lastAliveNanos > BROKEN_AFTER_NANOS) {
            broken = true;
            LOG.warn("watching {} is interrupted", what);
            gap.run();
        }
        boolean stopped = current.stopped().toCompletableFuture().isDone();
        if (stopped || nowNanos - lastAliveNanos > DEAD_AFTER_NANOS) {
            replace(nowNanos);
        }
    }

    private void replace(long nowNanos) {
        SharedIndexInformer<T> dead = informer;
        informer = null;
        if (dead != null) {
            dead.stop();
            LOG.warn("the watch of {} is dead; a new one starts in {} ms", what, pauseNanos / 1_000_000);
        }
        lists = false;
        startAtNanos = nowNanos + pauseNanos;
        pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }

    private static boolean isWatching(SharedIndexInformer<?> informer) {
        return informer.isWatching()
                && !informer.stopped().toCompletableFuture().isDone();
    }

    private boolean troubled(Throwable trouble) {
        LOG.debug("watching {}", what, trouble);
        return true;
    }

    /** A second list of one informer means that the server could not tell what had changed since the first. */
    private void listed() {
        if (lists) {
            gap.run();
        }
        lists = true;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (informer != null) {
            informer.stop();
            informer = null;
        }
    }
}
