package dev.tutti.boot.loops;

import dev.tutti.control.ClusterGateway;
import dev.tutti.control.Leadership;
import dev.tutti.control.loop.LeaseKeeper;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Starts and stops the scheduler of this process with the application: watches first, leadership then. It stops before
 * the web server's connections and the database pool do.
 */
@Component
final class Scheduler implements SmartLifecycle {

    private static final Duration RENEWAL = Duration.ofSeconds(3);
    private static final int CALLS_AT_ONCE = 16;
    private static final int BEFORE_THE_WEB_SERVER = 10_000;

    private final List<Cluster> clusters;
    private final LeaderDuty duty;
    private volatile boolean running;

    Scheduler(Ports ports, List<Cluster> clusters, Leadership leadership, Bells bells) {
        this.clusters = List.copyOf(clusters);
        LeaseKeeper keeper = new LeaseKeeper(leadership, holder(), LeaseConnection.LEASE, System::nanoTime);
        this.duty = new LeaderDuty(keeper, new TermLoops(ports, clusters, keeper, bells, CALLS_AT_ONCE), RENEWAL);
    }

    @Override
    public void start() {
        clusters.forEach(Cluster::watch);
        duty.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        duty.stop();
        clusters.stream().map(Cluster::gateway).forEach(ClusterGateway::close);
    }

    /** Earlier than the web server's: who can ask finds the watches up, and who asked last is answered before it stops. */
    @Override
    public int getPhase() {
        return SmartLifecycle.DEFAULT_PHASE - BEFORE_THE_WEB_SERVER;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Unique for each start of each process, so that a restarted replica never passes for its former self. */
    private static String holder() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "unknown";
        }
        return host + "/" + ProcessHandle.current().pid() + "/" + UUID.randomUUID();
    }
}
