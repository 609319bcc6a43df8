package dev.tutti.boot.clusters;

import dev.tutti.simulator.SimulatedCluster;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Lets the simulated cluster live: one step every few milliseconds, whoever leads. It starts after the watches, so that
 * nothing that ends at the start goes unseen, and stops before them.
 */
final class SimulatedClock implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(SimulatedClock.class);
    private static final long STEP_MILLIS = 20;
    private static final long STOP_SECONDS = 5;

    private final SimulatedCluster cluster;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "tutti-simulated-cluster");
        thread.setDaemon(true);
        return thread;
    });

    private volatile boolean running;

    SimulatedClock(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public void start() {
        running = true;
        timer.scheduleWithFixedDelay(this::step, 0, STEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    private void step() {
        try {
            cluster.step();
        } catch (RuntimeException e) {
            LOG.error("the simulated cluster could not take its step; it goes on with the next", e);
        }
    }

    @Override
    public void stop() {
        timer.shutdown();
        try {
            timer.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        running = false;
    }
}
