package dev.tutti.boot.clusters;

import dev.tutti.simulator.SimulatedCluster;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets the simulated cluster live: one step every few milliseconds, whoever leads. */
final class SimulatedClock implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SimulatedClock.class);
    private static final long STEP_MILLIS = 20;

    private final SimulatedCluster cluster;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "tutti-simulated-cluster");
        thread.setDaemon(true);
        return thread;
    });

    SimulatedClock(SimulatedCluster cluster) {
        this.cluster = cluster;
        timer.scheduleWithFixedDelay(this::step, STEP_MILLIS, STEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void step() {
        try {
            cluster.step();
        } catch (RuntimeException e) {
            LOG.error("the simulated cluster could not take its step; it goes on with the next", e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        timer.shutdown();
        timer.awaitTermination(5, TimeUnit.SECONDS);
        cluster.close();
    }
}
