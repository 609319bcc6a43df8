package dev.tutti.simulator;

import dev.tutti.control.ClusterGateway;
import dev.tutti.model.ClusterId;
import dev.tutti.simulator.fleet.NodeSpec;
import dev.tutti.simulator.journal.Journal;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The cluster of the mode without Kubernetes: a fake cluster that lives by the given clock, keeps its own journal in a
 * folder, and goes on after a kill as machines go on when a scheduler dies. It knows nothing of the ledger.
 *
 * <p>Somebody calls {@link #step} several times a second; between steps nothing starts or ends.
 */
public final class SimulatedCluster implements AutoCloseable {

    private static final int WITNESS_RUNS = 10_000;

    private final Journal journal;
    private final FakeCluster cluster;

    private SimulatedCluster(Journal journal, FakeCluster cluster) {
        this.journal = journal;
        this.cluster = cluster;
    }

    /**
     * Opens the cluster of a folder, or makes a new one there.
     *
     * @param fleet its machines; those of an earlier start that are missing now count as switched off
     * @throws IllegalStateException when another process has the folder, or its journal cannot be read
     */
    public static SimulatedCluster open(Path folder, List<NodeSpec> fleet, InstantSource clock) {
        return open(folder, fleet, clock, ClusterTimings.DEFAULT);
    }

    /** The same with other timings. */
    public static SimulatedCluster open(
            Path folder, List<NodeSpec> fleet, InstantSource clock, ClusterTimings timings) {
        Journal journal = Journal.open(folder);
        try {
            Map<String, String> kept = journal.read();
            String incarnation = kept.getOrDefault(
                    ClusterState.INCARNATION, UUID.randomUUID().toString());
            FakeCluster cluster = new FakeCluster(
                    fleet, clock, timings, incarnation, new Witness(WITNESS_RUNS), new JournalLog(journal));
            cluster.restore(kept);
            return new SimulatedCluster(journal, cluster);
        } catch (RuntimeException e) {
            journal.release();
            throw e;
        }
    }

    /** A gateway to this cluster; several may be open at once. */
    public ClusterGateway gateway(ClusterId id) {
        return new SimulatedGateway(id, cluster);
    }

    /** Lets everything happen that is due by the clock, and keeps the journal short. */
    public void step() {
        cluster.advance();
        cluster.rewriteLogWhenLong();
    }

    /** The cluster itself: its faults and its witness. */
    public FakeCluster cluster() {
        return cluster;
    }

    /** How often the disk was synced since the cluster was opened, for measurements. */
    public long syncs() {
        return journal.syncs();
    }

    /** Lets go of the folder; what was acknowledged is kept, what runs goes on when it is opened again. */
    @Override
    public void close() {
        journal.close();
    }
}
